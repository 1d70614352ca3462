SELECT
  `t1`.`region` AS `key0`,
  COUNT(*) AS `reports`
FROM (
  SELECT
    *
  FROM `reports` AS `t0`
  WHERE
    `t0`.`_group` = 'nurses'
) AS `t1`
GROUP BY
  1;

SELECT
  ARRAY_LENGTH(`t1`.`region`) AS `key0`,
  IF(ARRAY_LENGTH(`t1`.`region`) = 3, `t1`.`region`[safe_offset(0)], NULL) AS `key1`,
  IF(ARRAY_LENGTH(`t1`.`region`) = 3, `t1`.`region`[safe_offset(1)], NULL) AS `key2`,
  IF(ARRAY_LENGTH(`t1`.`region`) = 3, `t1`.`region`[safe_offset(2)], NULL) AS `key3`,
  COUNT(*) AS `reports`
FROM (
  SELECT
    *
  FROM `reports` AS `t0`
  WHERE
    `t0`.`_group` = 'nurses'
) AS `t1`
GROUP BY
  1,
  2,
  3,
  4;

SELECT
  IF(ARRAY_LENGTH(`t1`.`region`) > 0, 1, 0) AS `key0`,
  IF(
    ARRAY_LENGTH(`t1`.`region`) = 3,
    IF(
      (
        `t1`.`region`[safe_offset(0)] >= 0
      )
      AND (
        `t1`.`region`[safe_offset(0)] < `t1`.`region`[safe_offset(1)]
      )
      AND (
        (
          `t1`.`region`[safe_offset(1)] < `t1`.`region`[safe_offset(2)]
        )
        AND (
          `t1`.`region`[safe_offset(2)] < 6
        )
      ),
      1,
      0
    ),
    0
  ) AS `key1`,
  COUNT(*) AS `reports`
FROM (
  SELECT
    *
  FROM `reports` AS `t0`
  WHERE
    `t0`.`_group` = 'nurses'
) AS `t1`
GROUP BY
  1,
  2;

SELECT
  `t2`.`member` AS `key0`,
  COUNT(*) AS `reports`
FROM (
  SELECT
    IF(pos = pos_2, `member`, NULL) AS `member`
  FROM (
    SELECT
      *
    FROM `reports` AS `t0`
    WHERE
      `t0`.`_group` = 'nurses'
  ) AS `t1`
  CROSS JOIN UNNEST(GENERATE_ARRAY(0, GREATEST(ARRAY_LENGTH(`t1`.`region`)) - 1)) AS pos
  CROSS JOIN UNNEST(`t1`.`region`) AS `member` WITH OFFSET AS pos_2
  WHERE
    pos = pos_2
    OR (
      pos > (
        ARRAY_LENGTH(`t1`.`region`) - 1
      )
      AND pos_2 = (
        ARRAY_LENGTH(`t1`.`region`) - 1
      )
    )
) AS `t2`
GROUP BY
  1;

SELECT
  ARRAY_LENGTH(`t1`.`drugs`) AS `key0`,
  IF(ARRAY_LENGTH(`t1`.`drugs`) = 2, `t1`.`drugs`[safe_offset(0)], NULL) AS `key1`,
  IF(ARRAY_LENGTH(`t1`.`drugs`) = 2, `t1`.`drugs`[safe_offset(1)], NULL) AS `key2`,
  COUNT(*) AS `reports`
FROM (
  SELECT
    *
  FROM `reports` AS `t0`
  WHERE
    `t0`.`_group` = 'nurses'
) AS `t1`
GROUP BY
  1,
  2,
  3;

SELECT
  IF(ARRAY_LENGTH(`t1`.`drugs`) > 0, 1, 0) AS `key0`,
  IF(
    ARRAY_LENGTH(`t1`.`drugs`) = 2,
    IF(
      (
        `t1`.`drugs`[safe_offset(0)] >= 0
      )
      AND (
        (
          CAST(FLOOR(ieee_divide(`t1`.`drugs`[safe_offset(0)], 2)) AS INT64) < CAST(FLOOR(ieee_divide(`t1`.`drugs`[safe_offset(1)], 2)) AS INT64)
        )
        AND (
          `t1`.`drugs`[safe_offset(1)] < 14
        )
      ),
      1,
      0
    ),
    0
  ) AS `key1`,
  COUNT(*) AS `reports`
FROM (
  SELECT
    *
  FROM `reports` AS `t0`
  WHERE
    `t0`.`_group` = 'nurses'
) AS `t1`
GROUP BY
  1,
  2;

SELECT
  `t2`.`member` AS `key0`,
  COUNT(*) AS `reports`
FROM (
  SELECT
    IF(pos = pos_2, `member`, NULL) AS `member`
  FROM (
    SELECT
      *
    FROM `reports` AS `t0`
    WHERE
      `t0`.`_group` = 'nurses'
  ) AS `t1`
  CROSS JOIN UNNEST(GENERATE_ARRAY(0, GREATEST(ARRAY_LENGTH(`t1`.`drugs`)) - 1)) AS pos
  CROSS JOIN UNNEST(`t1`.`drugs`) AS `member` WITH OFFSET AS pos_2
  WHERE
    pos = pos_2
    OR (
      pos > (
        ARRAY_LENGTH(`t1`.`drugs`) - 1
      )
      AND pos_2 = (
        ARRAY_LENGTH(`t1`.`drugs`) - 1
      )
    )
) AS `t2`
GROUP BY
  1
