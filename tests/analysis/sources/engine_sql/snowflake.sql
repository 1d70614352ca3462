SELECT
  "t1"."region" AS "key0",
  COUNT(*) AS "reports"
FROM (
  SELECT
    *
  FROM "reports" AS "t0"
  WHERE
    "t0"."_group" = 'nurses'
) AS "t1"
GROUP BY
  1;

SELECT
  ARRAY_SIZE("t1"."region") AS "key0",
  IFF(ARRAY_SIZE("t1"."region") = 3, GET("t1"."region", 0), NULL) AS "key1",
  IFF(ARRAY_SIZE("t1"."region") = 3, GET("t1"."region", 1), NULL) AS "key2",
  IFF(ARRAY_SIZE("t1"."region") = 3, GET("t1"."region", 2), NULL) AS "key3",
  COUNT(*) AS "reports"
FROM (
  SELECT
    *
  FROM "reports" AS "t0"
  WHERE
    "t0"."_group" = 'nurses'
) AS "t1"
GROUP BY
  1,
  2,
  3,
  4;

SELECT
  IFF("t1"."region" IS NOT NULL, 1, 0) AS "key0",
  IFF(
    ARRAY_SIZE("t1"."region") = 3,
    IFF(
      (
        GET("t1"."region", 0) >= 0
      )
      AND (
        GET("t1"."region", 0) < GET("t1"."region", 1)
      )
      AND (
        (
          GET("t1"."region", 1) < GET("t1"."region", 2)
        )
        AND (
          GET("t1"."region", 2) < 6
        )
      ),
      1,
      0
    ),
    0
  ) AS "key1",
  COUNT(*) AS "reports"
FROM (
  SELECT
    *
  FROM "reports" AS "t0"
  WHERE
    "t0"."_group" = 'nurses'
) AS "t1"
GROUP BY
  1,
  2;

SELECT
  "t2"."member" AS "key0",
  COUNT(*) AS "reports"
FROM (
  SELECT
    CAST(NULLIF(IFF(_u.pos = _u_2.pos_2, _u_2."member", NULL), '') AS BIGINT) AS "member"
  FROM (
    SELECT
      *
    FROM "reports" AS "t0"
    WHERE
      "t0"."_group" = 'nurses'
  ) AS "t1"
  CROSS JOIN TABLE(FLATTEN(INPUT => ARRAY_GENERATE_RANGE(
    0,
    (
      GREATEST(
        ARRAY_SIZE(
          SPLIT(
            ARRAY_TO_STRING(NULLIF("t1"."region", []), 'SEPARATOR'),
            'SEPARATOR'
          )
        )
      ) - 1
    ) + 1
  ))) AS _u(seq, key, path, index, pos, this)
  CROSS JOIN TABLE(FLATTEN(INPUT => SPLIT(
    ARRAY_TO_STRING(NULLIF("t1"."region", []), 'SEPARATOR'),
    'SEPARATOR'
  ))) AS _u_2(seq, key, path, pos_2, "member", this)
  WHERE
    _u.pos = _u_2.pos_2
    OR (
      _u.pos > (
        ARRAY_SIZE(
          SPLIT(
            ARRAY_TO_STRING(NULLIF("t1"."region", []), 'SEPARATOR'),
            'SEPARATOR'
          )
        ) - 1
      )
      AND _u_2.pos_2 = (
        ARRAY_SIZE(
          SPLIT(
            ARRAY_TO_STRING(NULLIF("t1"."region", []), 'SEPARATOR'),
            'SEPARATOR'
          )
        ) - 1
      )
    )
) AS "t2"
GROUP BY
  1;

SELECT
  ARRAY_SIZE("t1"."drugs") AS "key0",
  IFF(ARRAY_SIZE("t1"."drugs") = 2, GET("t1"."drugs", 0), NULL) AS "key1",
  IFF(ARRAY_SIZE("t1"."drugs") = 2, GET("t1"."drugs", 1), NULL) AS "key2",
  COUNT(*) AS "reports"
FROM (
  SELECT
    *
  FROM "reports" AS "t0"
  WHERE
    "t0"."_group" = 'nurses'
) AS "t1"
GROUP BY
  1,
  2,
  3;

SELECT
  IFF("t1"."drugs" IS NOT NULL, 1, 0) AS "key0",
  IFF(
    ARRAY_SIZE("t1"."drugs") = 2,
    IFF(
      (
        GET("t1"."drugs", 0) >= 0
      )
      AND (
        (
          CAST(FLOOR((
            GET("t1"."drugs", 0)
          ) / (
            2
          )) AS BIGINT) < CAST(FLOOR((
            GET("t1"."drugs", 1)
          ) / (
            2
          )) AS BIGINT)
        )
        AND (
          GET("t1"."drugs", 1) < 14
        )
      ),
      1,
      0
    ),
    0
  ) AS "key1",
  COUNT(*) AS "reports"
FROM (
  SELECT
    *
  FROM "reports" AS "t0"
  WHERE
    "t0"."_group" = 'nurses'
) AS "t1"
GROUP BY
  1,
  2;

SELECT
  "t2"."member" AS "key0",
  COUNT(*) AS "reports"
FROM (
  SELECT
    CAST(NULLIF(IFF(_u.pos = _u_2.pos_2, _u_2."member", NULL), '') AS BIGINT) AS "member"
  FROM (
    SELECT
      *
    FROM "reports" AS "t0"
    WHERE
      "t0"."_group" = 'nurses'
  ) AS "t1"
  CROSS JOIN TABLE(FLATTEN(INPUT => ARRAY_GENERATE_RANGE(
    0,
    (
      GREATEST(
        ARRAY_SIZE(
          SPLIT(
            ARRAY_TO_STRING(NULLIF("t1"."drugs", []), 'SEPARATOR'),
            'SEPARATOR'
          )
        )
      ) - 1
    ) + 1
  ))) AS _u(seq, key, path, index, pos, this)
  CROSS JOIN TABLE(FLATTEN(INPUT => SPLIT(
    ARRAY_TO_STRING(NULLIF("t1"."drugs", []), 'SEPARATOR'),
    'SEPARATOR'
  ))) AS _u_2(seq, key, path, pos_2, "member", this)
  WHERE
    _u.pos = _u_2.pos_2
    OR (
      _u.pos > (
        ARRAY_SIZE(
          SPLIT(
            ARRAY_TO_STRING(NULLIF("t1"."drugs", []), 'SEPARATOR'),
            'SEPARATOR'
          )
        ) - 1
      )
      AND _u_2.pos_2 = (
        ARRAY_SIZE(
          SPLIT(
            ARRAY_TO_STRING(NULLIF("t1"."drugs", []), 'SEPARATOR'),
            'SEPARATOR'
          )
        ) - 1
      )
    )
) AS "t2"
GROUP BY
  1
