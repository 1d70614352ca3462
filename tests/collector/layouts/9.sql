BEGIN TRANSACTION;
CREATE TABLE "_sqlite_migrations" (
   "id" INTEGER PRIMARY KEY,
   "migration_set" TEXT,
   "name" TEXT,
   "applied_at" TEXT
);
INSERT INTO "_sqlite_migrations" VALUES(1,'deniable_collector','create_surveys','');
INSERT INTO "_sqlite_migrations" VALUES(2,'deniable_collector','create_tokens','');
INSERT INTO "_sqlite_migrations" VALUES(3,'deniable_collector','create_purged','');
INSERT INTO "_sqlite_migrations" VALUES(4,'deniable_collector','create_token_surveys','');
INSERT INTO "_sqlite_migrations" VALUES(5,'deniable_collector','create_log','');
INSERT INTO "_sqlite_migrations" VALUES(6,'deniable_collector','create_ends','');
INSERT INTO "_sqlite_migrations" VALUES(7,'deniable_collector','create_tallies','');
INSERT INTO "_sqlite_migrations" VALUES(8,'deniable_collector','create_token_releases','');
INSERT INTO "_sqlite_migrations" VALUES(9,'deniable_collector','create_tallies_of_counts','');
CREATE TABLE ends (
    digest TEXT PRIMARY KEY,
    closes TEXT,
    at_most_reports INTEGER,
    ended_by TEXT
) WITHOUT ROWID;
CREATE TABLE log (
    position INTEGER PRIMARY KEY,
    digest TEXT NOT NULL UNIQUE
);
INSERT INTO "log" VALUES(1,'c58ce2a5af62d172de93d3ef24576d0c63069d67184a5b9ca3d4afa9e626a43c');
INSERT INTO "log" VALUES(2,'6c05839acc3d71697758d7d1a405f389027cf1aa3efcda6e9ac7bbd699e7c92e');
INSERT INTO "log" VALUES(3,'7fa9aaf1604ca6abe5a4db311639960b577c71992cc8902fb830816a728678a7');
CREATE TABLE purged (
    digest TEXT PRIMARY KEY
) WITHOUT ROWID;
CREATE TABLE "reports_health_6c05839acc3d" (
    _report BLOB PRIMARY KEY,
    "asthma"
) WITHOUT ROWID;
INSERT INTO "reports_health_6c05839acc3d" VALUES(X'10DF5A9FF5A679F719B73F57161EFFB6',2);
INSERT INTO "reports_health_6c05839acc3d" VALUES(X'735F444B64D9F39B561192D8CC6564F7',2);
INSERT INTO "reports_health_6c05839acc3d" VALUES(X'ABF90AFC4E828E0AC9AA1836EC0FEDBF',2);
CREATE TABLE "reports_health_c58ce2a5af62" (
    _report BLOB PRIMARY KEY,
    "asthma",
    "region"
) WITHOUT ROWID;
INSERT INTO "reports_health_c58ce2a5af62" VALUES(X'06C051181502A9E878C21FD4A644E64B',1,NULL);
INSERT INTO "reports_health_c58ce2a5af62" VALUES(X'195824E8484A919BC5ED440DC52EFD84',NULL,'[0,2,4,5,10,11,14,15,17,20,24,28]');
INSERT INTO "reports_health_c58ce2a5af62" VALUES(X'3B5AAEAFE0CF63C94AF339C4404C45E1',NULL,'[0,5,6,8,9,11,13,15,20,25,28,30]');
INSERT INTO "reports_health_c58ce2a5af62" VALUES(X'57C335F3007FA6949CED0B731BA47769',NULL,'[0,1,2,6,9,13,15,17,19,23,26,28]');
INSERT INTO "reports_health_c58ce2a5af62" VALUES(X'6A3C4019CBF9CE3719C7633D39AA9132',NULL,'[0,1,3,4,6,7,11,16,17,20,28,30]');
INSERT INTO "reports_health_c58ce2a5af62" VALUES(X'707115A546CC1F9EE7B1FD4C28A28647',1,NULL);
INSERT INTO "reports_health_c58ce2a5af62" VALUES(X'8C59AAC1459D4EC314A3B8B99580EA0D',NULL,'[8,10,12,13,14,15,17,18,21,22,27,29]');
INSERT INTO "reports_health_c58ce2a5af62" VALUES(X'9C502CAD9EC8BFB9C2EE4219C41F3E01',0,NULL);
INSERT INTO "reports_health_c58ce2a5af62" VALUES(X'C46F48BCDF774DF875CE5348BBDD5965',NULL,'[6,9,10,11,14,20,21,23,24,25,27,30]');
INSERT INTO "reports_health_c58ce2a5af62" VALUES(X'D6ACA6B84A0E88728AB010E8EAE02B27',NULL,'[0,1,8,10,13,16,17,18,20,24,27,29]');
INSERT INTO "reports_health_c58ce2a5af62" VALUES(X'E2C9321862BC701509F6B9309952E040',NULL,'[2,4,17,20,21,23,24,25,26,27,29,30]');
INSERT INTO "reports_health_c58ce2a5af62" VALUES(X'F093E4A9D69F580B340EA2C9D0F0F206',NULL,'[2,4,7,9,10,11,12,13,18,26,27,28]');
CREATE TABLE "reports_ward_7fa9aaf1604c" (
    _report BLOB PRIMARY KEY,
    _group TEXT NOT NULL,
    "asthma",
    "drugs"
) WITHOUT ROWID;
INSERT INTO "reports_ward_7fa9aaf1604c" VALUES(X'3475CD166FE8294D0D1D84D6CC9A6FA3','doctors',2,'[[4,1]]');
INSERT INTO "reports_ward_7fa9aaf1604c" VALUES(X'5C8DDCFE0D5A552EFFA52DDCDBA209AC','doctors',1,'[[3,0]]');
INSERT INTO "reports_ward_7fa9aaf1604c" VALUES(X'94E6ADF7FE654774FA3C62603D6AEF95','nurses',2,'[[4,1]]');
INSERT INTO "reports_ward_7fa9aaf1604c" VALUES(X'B0CC8F20EFC5FC419D340CDD2F89A10D','nurses',2,'[[2,0]]');
INSERT INTO "reports_ward_7fa9aaf1604c" VALUES(X'FE0D53EB2F79D5FEEC4616CDFF6BC122','nurses',1,'[[3,0]]');
CREATE TABLE surveys (
    digest TEXT PRIMARY KEY,
    slug TEXT NOT NULL,
    edition INTEGER NOT NULL,
    document TEXT NOT NULL,
    reports_table TEXT NOT NULL UNIQUE,
    is_closed INTEGER NOT NULL DEFAULT 0,
    UNIQUE (slug, edition)
);
INSERT INTO "surveys" VALUES('c58ce2a5af62d172de93d3ef24576d0c63069d67184a5b9ca3d4afa9e626a43c','health',1,'{"format":"deniable-survey/1","privacy":{"asked":1,"blocks":[{"id":"asthma","mechanism":{"domain_size":3,"name":"subset","size":1,"weights":[7081203937,4294967296]},"questions":["asthma"]},{"id":"region","mechanism":{"domain_size":31,"name":"subset","size":12,"weights":[7081203937,4294967296]},"questions":["region"]}],"epsilon":"0.5"},"questions":[{"id":"asthma","options":[{"id":"yes"},{"id":"no"}],"required":false,"text":"Do you have asthma?","type":"yes_no"},{"id":"region","options":[{"id":"o0"},{"id":"o1"},{"id":"o2"},{"id":"o3"},{"id":"o4"},{"id":"o5"},{"id":"o6"},{"id":"o7"},{"id":"o8"},{"id":"o9"},{"id":"o10"},{"id":"o11"},{"id":"o12"},{"id":"o13"},{"id":"o14"},{"id":"o15"},{"id":"o16"},{"id":"o17"},{"id":"o18"},{"id":"o19"},{"id":"o20"},{"id":"o21"},{"id":"o22"},{"id":"o23"},{"id":"o24"},{"id":"o25"},{"id":"o26"},{"id":"o27"},{"id":"o28"},{"id":"o29"}],"required":false,"text":"Where?","type":"choice"}],"slug":"health","title":"Health"}','reports_health_c58ce2a5af62',1);
INSERT INTO "surveys" VALUES('6c05839acc3d71697758d7d1a405f389027cf1aa3efcda6e9ac7bbd699e7c92e','health',2,'{"format":"deniable-survey/1","privacy":{"asked":1,"blocks":[{"id":"asthma","mechanism":{"domain_size":3,"name":"subset","size":1,"weights":[86266724207,4294967296]},"questions":["asthma"]}],"epsilon":"3"},"questions":[{"id":"asthma","options":[{"id":"yes"},{"id":"no"}],"required":false,"text":"Do you have asthma?","type":"yes_no"}],"slug":"health","title":"Health"}','reports_health_6c05839acc3d',0);
INSERT INTO "surveys" VALUES('7fa9aaf1604ca6abe5a4db311639960b577c71992cc8902fb830816a728678a7','ward',1,'{"format":"deniable-survey/1","invited":{"groups":[{"id":"nurses","invited":100,"modulus":"iLhDPzNkqhSp7jEFAs_OH_wrJU2LLPfAg7l0vxrg8M_bE41pq-AM2rvE-wnkqt0aI5j369PyJcUHbYemrKhuzvNfvXWqArftSakEKqON9AeP6agP_XfuiaOiIhkO3Ry7sGenBDupn_4L8jNcyYEzoFs-F1kwyFYVZT4oheB5Bs3kkVPRzOi3-cp-H8DNP4zC0ecB3SmhydcEFWROQvSWv0595Vd7_RjAcThaJfnrGpQUmeqjrYJJ37GmWOv2ar1zYER4_pxV-bZqrjG0QolO6-LKJLDJFF_u7pNOZSf-8cSbSNhLQKfcMw7bxpxpjeQcBTWZ5Q1-pNin1hogHfzSvw"},{"id":"doctors","invited":100,"modulus":"4nowwbHU69QiPFbzD2cwltvFfkawpzRfiiIC320L7Mrzdv-bMCT2jVmYxG98MylD6sCDRxF8iukryJ-ZQ2DunoUm-SCn-YLkMyz33ZZp1JAfp4zjc9eMpaSpM6qncKJgqDEVg1bVC9niRuXUDdgqhQkjtleTUnvtjELUa8GlaIJaK4pqIxqzACAQrAJfnbVEpc-5vef48IvVonW2DjHRUHRHfXPXv99oaKP5Q1sME-cjHGhECfG3wuH6yTbMT6A9Gk0REgRaQnWhn1EfrKjRxMNW8wJphAh9dZMVyRL5yKGu5zrEjoUQmUprrEJ5H7Wl87nI1RGZi0alIfgZPMN7RQ"}],"issuer":"https://council.example.org"},"privacy":{"asked":2,"blocks":[{"id":"asthma","mechanism":{"domain_size":3,"name":"subset","size":1,"weights":[11674931554,4294967296]},"questions":["asthma"]},{"id":"drugs","mechanism":{"at_most":4,"name":"sampled_bits","options":5,"sampled":1,"weights":[11674931554,4294967296]},"questions":["drugs"]}],"epsilon":"2"},"questions":[{"id":"asthma","options":[{"id":"yes"},{"id":"no"}],"required":false,"text":"Do you have asthma?","type":"yes_no"},{"at_most":4,"id":"drugs","options":[{"id":"o0"},{"id":"o1"},{"id":"o2"},{"id":"o3"}],"required":false,"text":"Which?","type":"multiple"}],"slug":"ward","title":"Health","window":{"at_most_reports":500}}','reports_ward_7fa9aaf1604c',0);
CREATE TABLE "tally_health_6c05839acc3d" (
    shard INTEGER NOT NULL,
    counts TEXT NOT NULL,
    PRIMARY KEY (shard)
) WITHOUT ROWID;
INSERT INTO "tally_health_6c05839acc3d" VALUES(0,'{"":[3],"asthma":[3,0,0,3]}');
CREATE TABLE "tally_health_c58ce2a5af62" (
    shard INTEGER NOT NULL,
    counts TEXT NOT NULL,
    PRIMARY KEY (shard)
) WITHOUT ROWID;
INSERT INTO "tally_health_c58ce2a5af62" VALUES(0,'{"":[12],"asthma":[3,1,2,0],"region":[9,5,3,4,1,4,2,4,2,3,4,5,5,2,5,3,4,2,6,3,1,6,3,1,3,4,3,3,5,5,3,4]}');
CREATE TABLE "tally_ward_7fa9aaf1604c" (
    _group TEXT NOT NULL,
    shard INTEGER NOT NULL,
    counts TEXT NOT NULL,
    PRIMARY KEY (_group, shard)
) WITHOUT ROWID;
INSERT INTO "tally_ward_7fa9aaf1604c" VALUES('doctors',0,'{"":[2],"asthma":[2,0,1,1],"drugs":[2,0,0,0,0,0,0,1,0,0,1]}');
INSERT INTO "tally_ward_7fa9aaf1604c" VALUES('nurses',0,'{"":[3],"asthma":[3,0,1,2],"drugs":[3,0,0,0,0,1,0,1,0,0,1]}');
CREATE TABLE token_releases (
    token TEXT PRIMARY KEY,
    after_reports INTEGER
) WITHOUT ROWID;
CREATE TABLE token_surveys (
    token TEXT NOT NULL,
    slug TEXT NOT NULL,
    PRIMARY KEY (token, slug)
) WITHOUT ROWID;
CREATE TABLE tokens (
    name TEXT PRIMARY KEY,
    role TEXT NOT NULL,
    digest TEXT NOT NULL UNIQUE
) WITHOUT ROWID;
INSERT INTO "tokens" VALUES('olga','owner','dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd');
CREATE UNIQUE INDEX "idx__sqlite_migrations_migration_set_name"
    ON "_sqlite_migrations" ("migration_set", "name");
COMMIT;
