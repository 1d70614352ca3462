--
-- PostgreSQL database dump
--



SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: deniable_migrations; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.deniable_migrations (
    name text NOT NULL
);


--
-- Name: ends; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.ends (
    digest text NOT NULL,
    closes text,
    at_most_reports integer,
    ended_by text
);


--
-- Name: log; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.log (
    "position" integer NOT NULL,
    digest text NOT NULL
);


--
-- Name: purged; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.purged (
    digest text NOT NULL
);


--
-- Name: reports_closed_b885704888e9; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.reports_closed_b885704888e9 (
    _report uuid NOT NULL,
    asthma integer
);


--
-- Name: reports_limited_4c80f884effc; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.reports_limited_4c80f884effc (
    _report uuid NOT NULL,
    asthma integer
);


--
-- Name: reports_open_dfcd3475a6e6; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.reports_open_dfcd3475a6e6 (
    _report uuid NOT NULL,
    asthma integer,
    region text,
    drugs text
);


--
-- Name: surveys; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.surveys (
    digest text NOT NULL,
    slug text NOT NULL,
    edition integer NOT NULL,
    document text NOT NULL,
    reports_table text NOT NULL,
    is_closed boolean DEFAULT false NOT NULL
);


--
-- Name: tally_closed_b885704888e9; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.tally_closed_b885704888e9 (
    block text NOT NULL,
    shard integer NOT NULL,
    counts bigint[] NOT NULL
);


--
-- Name: tally_limited_4c80f884effc; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.tally_limited_4c80f884effc (
    block text NOT NULL,
    shard integer NOT NULL,
    counts bigint[] NOT NULL
);


--
-- Name: tally_open_dfcd3475a6e6; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.tally_open_dfcd3475a6e6 (
    block text NOT NULL,
    shard integer NOT NULL,
    counts bigint[] NOT NULL
);


--
-- Name: token_releases; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.token_releases (
    token text NOT NULL,
    after_reports integer
);


--
-- Name: token_surveys; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.token_surveys (
    token text NOT NULL,
    slug text NOT NULL
);


--
-- Name: tokens; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.tokens (
    name text NOT NULL,
    role text NOT NULL,
    digest text NOT NULL
);


--
-- Data for Name: deniable_migrations; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.deniable_migrations VALUES ('create_surveys');
INSERT INTO public.deniable_migrations VALUES ('create_tokens');
INSERT INTO public.deniable_migrations VALUES ('create_purged');
INSERT INTO public.deniable_migrations VALUES ('create_token_surveys');
INSERT INTO public.deniable_migrations VALUES ('create_log');
INSERT INTO public.deniable_migrations VALUES ('create_ends');
INSERT INTO public.deniable_migrations VALUES ('create_tallies');
INSERT INTO public.deniable_migrations VALUES ('create_token_releases');
INSERT INTO public.deniable_migrations VALUES ('create_tallies_of_counts');


--
-- Data for Name: ends; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ends VALUES ('b885704888e903daee4e15a4fc2de0fc7063fb306824beeed6e913af6f572ef8', NULL, NULL, 'hand');


--
-- Data for Name: log; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.log VALUES (1, 'dfcd3475a6e6f62c190331edfc99814935284c5c231f6256e72de72eccedbb9c');
INSERT INTO public.log VALUES (2, '4c80f884effcfe55b6d4f823277a084c1597810e216da556b4aae4f3c6a1beaf');
INSERT INTO public.log VALUES (3, 'b885704888e903daee4e15a4fc2de0fc7063fb306824beeed6e913af6f572ef8');


--
-- Data for Name: purged; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: reports_closed_b885704888e9; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.reports_closed_b885704888e9 VALUES ('1562a11b-e303-48c7-a421-e82944385c85', 2);
INSERT INTO public.reports_closed_b885704888e9 VALUES ('1631d67f-df64-a0d8-a5b4-dff0c5475a81', 2);
INSERT INTO public.reports_closed_b885704888e9 VALUES ('16c6e9c9-2d99-bf35-8c2e-0718822ce47c', 1);
INSERT INTO public.reports_closed_b885704888e9 VALUES ('1e029a8a-3f41-5b02-4a14-6cf0d98a98e1', 2);
INSERT INTO public.reports_closed_b885704888e9 VALUES ('1f8f2b1a-39f3-c3e6-9311-4351dcbed407', 0);
INSERT INTO public.reports_closed_b885704888e9 VALUES ('2de50472-433d-2e44-fed8-b6b8357e44cd', 2);
INSERT INTO public.reports_closed_b885704888e9 VALUES ('3df245ad-a908-0238-9a78-cdc29492a875', 2);
INSERT INTO public.reports_closed_b885704888e9 VALUES ('3f9e9919-878d-972f-9a45-1da1305317fe', 1);
INSERT INTO public.reports_closed_b885704888e9 VALUES ('420c13f8-f5d4-0f6c-e079-d1b987376f07', 2);
INSERT INTO public.reports_closed_b885704888e9 VALUES ('4a2599ab-f5fd-9930-1d8f-a94d13abbe48', 2);
INSERT INTO public.reports_closed_b885704888e9 VALUES ('57afd608-bc27-f07a-e334-243ecc2165be', 2);
INSERT INTO public.reports_closed_b885704888e9 VALUES ('6b1aabac-50b0-fbbc-8f89-ec5f79bd2216', 2);
INSERT INTO public.reports_closed_b885704888e9 VALUES ('75598005-bac4-8a6a-9e82-6bd6f0a890ea', 2);
INSERT INTO public.reports_closed_b885704888e9 VALUES ('89eb2f1e-7bd5-d47e-446f-cec2a3d81173', 2);
INSERT INTO public.reports_closed_b885704888e9 VALUES ('8d82ca63-86d2-c96e-760e-819b85c924c3', 2);
INSERT INTO public.reports_closed_b885704888e9 VALUES ('a0661970-ef3f-6df0-148d-ed7e8a34888d', 2);
INSERT INTO public.reports_closed_b885704888e9 VALUES ('afa12caa-9836-4a2c-d1d3-fb5d4f137e8c', 0);
INSERT INTO public.reports_closed_b885704888e9 VALUES ('b6683480-fc91-baef-ae17-9bf759340f6c', 2);
INSERT INTO public.reports_closed_b885704888e9 VALUES ('f0a4f21e-0adc-3ebe-f682-2b55d46d44e5', 2);
INSERT INTO public.reports_closed_b885704888e9 VALUES ('f5b16522-4a58-b791-df6a-f1d8303e61cd', 2);


--
-- Data for Name: reports_limited_4c80f884effc; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.reports_limited_4c80f884effc VALUES ('16c6e9c9-2d99-bf35-8c2e-0718822ce47c', 1);
INSERT INTO public.reports_limited_4c80f884effc VALUES ('1e029a8a-3f41-5b02-4a14-6cf0d98a98e1', 2);
INSERT INTO public.reports_limited_4c80f884effc VALUES ('1f8f2b1a-39f3-c3e6-9311-4351dcbed407', 0);
INSERT INTO public.reports_limited_4c80f884effc VALUES ('2de50472-433d-2e44-fed8-b6b8357e44cd', 2);
INSERT INTO public.reports_limited_4c80f884effc VALUES ('89eb2f1e-7bd5-d47e-446f-cec2a3d81173', 2);
INSERT INTO public.reports_limited_4c80f884effc VALUES ('8d82ca63-86d2-c96e-760e-819b85c924c3', 2);
INSERT INTO public.reports_limited_4c80f884effc VALUES ('f5b16522-4a58-b791-df6a-f1d8303e61cd', 2);


--
-- Data for Name: reports_open_dfcd3475a6e6; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.reports_open_dfcd3475a6e6 VALUES ('041c9099-425e-2907-0444-f8cd2c65c73a', 0, NULL, '[[1,1]]');
INSERT INTO public.reports_open_dfcd3475a6e6 VALUES ('0aa4d92a-4bcf-4eae-56b8-cd3d939ab028', NULL, '[0,4,6,7,10,12,23,30]', '[[3,1]]');
INSERT INTO public.reports_open_dfcd3475a6e6 VALUES ('20c32b02-832b-8b8f-efa7-f3e0971dbcd9', 1, NULL, '[[2,1]]');
INSERT INTO public.reports_open_dfcd3475a6e6 VALUES ('253c649d-8de3-da97-0d56-0394e3f2c264', NULL, '[5,6,11,16,17,20,26,29]', '[[4,1]]');
INSERT INTO public.reports_open_dfcd3475a6e6 VALUES ('2773f546-fc3c-941b-06cb-79c9a862b60b', 2, NULL, '[[2,1]]');
INSERT INTO public.reports_open_dfcd3475a6e6 VALUES ('302e0d81-41e3-f27f-753b-670448da4953', 2, NULL, '[[1,0]]');
INSERT INTO public.reports_open_dfcd3475a6e6 VALUES ('303e61cd-c4bb-86c3-d1c4-27103c344c41', NULL, '[1,2,7,11,17,20,29,30]', '[[4,1]]');
INSERT INTO public.reports_open_dfcd3475a6e6 VALUES ('44385c85-7e10-07d7-b95d-ac64d892da5e', 1, NULL, '[[2,0]]');
INSERT INTO public.reports_open_dfcd3475a6e6 VALUES ('48fa806e-e482-29d1-a5de-bdf9e8555405', 2, NULL, '[[3,0]]');
INSERT INTO public.reports_open_dfcd3475a6e6 VALUES ('57afd608-bc27-f07a-e334-243ecc2165be', 0, '[5,11,14,17,21,22,24,27]', NULL);
INSERT INTO public.reports_open_dfcd3475a6e6 VALUES ('57cd20f3-ba18-5e0e-0b7d-297b4cfcb8de', NULL, '[0,3,5,6,7,9,14,23]', '[[3,0]]');
INSERT INTO public.reports_open_dfcd3475a6e6 VALUES ('581a22b2-2de5-0472-433d-2e44fed8b6b8', NULL, '[2,3,4,11,13,16,23,30]', '[[0,0]]');
INSERT INTO public.reports_open_dfcd3475a6e6 VALUES ('595d0bd2-37b3-63f4-37aa-dce2a7dc3ef0', 2, NULL, '[[1,0]]');
INSERT INTO public.reports_open_dfcd3475a6e6 VALUES ('61997cd3-f14b-93e2-6875-35ca80fb3e0a', 1, NULL, '[[3,0]]');
INSERT INTO public.reports_open_dfcd3475a6e6 VALUES ('78cdac34-7d35-c992-b54a-95ac2f5585e5', 2, NULL, '[[3,1]]');
INSERT INTO public.reports_open_dfcd3475a6e6 VALUES ('822ee390-4920-ed14-b168-c6f330004844', 2, NULL, '[[0,0]]');
INSERT INTO public.reports_open_dfcd3475a6e6 VALUES ('8ebaf773-db33-ba03-40aa-0fc184226ec1', 0, '[3,4,12,17,18,22,25,28]', NULL);
INSERT INTO public.reports_open_dfcd3475a6e6 VALUES ('8ecc85a1-cdf4-216d-898a-0c0fe89ac9bc', NULL, '[4,10,14,17,19,24,26,27]', '[[3,0]]');
INSERT INTO public.reports_open_dfcd3475a6e6 VALUES ('93d0e653-3ecf-a6cf-5a4a-affcc8153790', 0, NULL, '[[3,0]]');
INSERT INTO public.reports_open_dfcd3475a6e6 VALUES ('a24c9c44-3570-55c2-dd40-0d552449a799', NULL, '[3,4,5,13,20,23,24,29]', '[[0,1]]');
INSERT INTO public.reports_open_dfcd3475a6e6 VALUES ('b48c14ec-5367-6da4-3f9e-9919878d972f', 2, '[0,1,9,10,13,15,16,18]', NULL);
INSERT INTO public.reports_open_dfcd3475a6e6 VALUES ('be4f2fc5-2fc4-b11a-a918-1b5248ef040a', NULL, '[0,5,7,10,11,13,26,30]', '[[2,1]]');
INSERT INTO public.reports_open_dfcd3475a6e6 VALUES ('c2751561-85d6-a3ee-6d40-318c9d8a0658', 2, '[0,4,6,8,14,15,21,24]', NULL);
INSERT INTO public.reports_open_dfcd3475a6e6 VALUES ('cc0861b4-a77c-9d81-deed-9cad43eb396d', NULL, '[3,7,14,16,18,20,28,30]', '[[1,0]]');
INSERT INTO public.reports_open_dfcd3475a6e6 VALUES ('cc1df2d3-55e6-26de-66e0-b0de685549f9', 2, NULL, '[[1,0]]');
INSERT INTO public.reports_open_dfcd3475a6e6 VALUES ('e079d1b9-8737-6f07-bcb8-1287fdc8c038', NULL, '[8,9,13,21,23,25,27,30]', '[[4,1]]');
INSERT INTO public.reports_open_dfcd3475a6e6 VALUES ('ee950ecc-e317-edd9-150a-02d1b6bd52ee', 2, NULL, '[[3,0]]');
INSERT INTO public.reports_open_dfcd3475a6e6 VALUES ('efe0634b-7a53-6774-a444-dfb323b56e52', 2, '[2,8,12,15,17,26,28,29]', NULL);
INSERT INTO public.reports_open_dfcd3475a6e6 VALUES ('f5fd9930-1d8f-a94d-13ab-be48a1ae6b96', 1, NULL, '[[4,1]]');
INSERT INTO public.reports_open_dfcd3475a6e6 VALUES ('fa2c705a-2ba8-8975-61b4-e5e8eb7fef44', 2, NULL, '[[4,1]]');


--
-- Data for Name: surveys; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.surveys VALUES ('dfcd3475a6e6f62c190331edfc99814935284c5c231f6256e72de72eccedbb9c', 'open', 1, '{"format":"deniable-survey/1","privacy":{"asked":2,"blocks":[{"id":"asthma","mechanism":{"domain_size":3,"name":"subset","size":1,"weights":[11674931554,4294967296]},"questions":["asthma"]},{"id":"region","mechanism":{"domain_size":31,"name":"subset","size":8,"weights":[11674931554,4294967296]},"questions":["region"]},{"id":"drugs","mechanism":{"at_most":4,"name":"sampled_bits","options":5,"sampled":1,"weights":[11674931554,4294967296]},"questions":["drugs"]}],"epsilon":"2"},"questions":[{"id":"asthma","options":[{"id":"yes"},{"id":"no"}],"required":false,"text":"Do you have asthma?","type":"yes_no"},{"id":"region","options":[{"id":"o0"},{"id":"o1"},{"id":"o2"},{"id":"o3"},{"id":"o4"},{"id":"o5"},{"id":"o6"},{"id":"o7"},{"id":"o8"},{"id":"o9"},{"id":"o10"},{"id":"o11"},{"id":"o12"},{"id":"o13"},{"id":"o14"},{"id":"o15"},{"id":"o16"},{"id":"o17"},{"id":"o18"},{"id":"o19"},{"id":"o20"},{"id":"o21"},{"id":"o22"},{"id":"o23"},{"id":"o24"},{"id":"o25"},{"id":"o26"},{"id":"o27"},{"id":"o28"},{"id":"o29"}],"required":false,"text":"Where?","type":"choice"},{"at_most":4,"id":"drugs","options":[{"id":"o0"},{"id":"o1"},{"id":"o2"},{"id":"o3"}],"required":false,"text":"Which?","type":"multiple"}],"slug":"open","title":"Health"}', 'reports_open_dfcd3475a6e6', false);
INSERT INTO public.surveys VALUES ('4c80f884effcfe55b6d4f823277a084c1597810e216da556b4aae4f3c6a1beaf', 'limited', 1, '{"format":"deniable-survey/1","privacy":{"asked":1,"blocks":[{"id":"asthma","mechanism":{"domain_size":3,"name":"subset","size":1,"weights":[31735754293,4294967296]},"questions":["asthma"]}],"epsilon":"2"},"questions":[{"id":"asthma","options":[{"id":"yes"},{"id":"no"}],"required":false,"text":"Do you have asthma?","type":"yes_no"}],"slug":"limited","title":"Health","window":{"at_most_reports":50}}', 'reports_limited_4c80f884effc', false);
INSERT INTO public.surveys VALUES ('b885704888e903daee4e15a4fc2de0fc7063fb306824beeed6e913af6f572ef8', 'closed', 1, '{"format":"deniable-survey/1","privacy":{"asked":1,"blocks":[{"id":"asthma","mechanism":{"domain_size":3,"name":"subset","size":1,"weights":[31735754293,4294967296]},"questions":["asthma"]}],"epsilon":"2"},"questions":[{"id":"asthma","options":[{"id":"yes"},{"id":"no"}],"required":false,"text":"Do you have asthma?","type":"yes_no"}],"slug":"closed","title":"Health"}', 'reports_closed_b885704888e9', true);


--
-- Data for Name: tally_closed_b885704888e9; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.tally_closed_b885704888e9 VALUES ('', 0, '{20}');
INSERT INTO public.tally_closed_b885704888e9 VALUES ('asthma', 0, '{20,2,2,16}');


--
-- Data for Name: tally_limited_4c80f884effc; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.tally_limited_4c80f884effc VALUES ('', 0, '{7}');
INSERT INTO public.tally_limited_4c80f884effc VALUES ('asthma', 0, '{7,1,1,5}');


--
-- Data for Name: tally_open_dfcd3475a6e6; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.tally_open_dfcd3475a6e6 VALUES ('', 0, '{30}');
INSERT INTO public.tally_open_dfcd3475a6e6 VALUES ('asthma', 0, '{20,4,4,12}');
INSERT INTO public.tally_open_dfcd3475a6e6 VALUES ('drugs', 0, '{25,2,1,4,1,1,3,6,2,0,5}');
INSERT INTO public.tally_open_dfcd3475a6e6 VALUES ('region', 0, '{15,5,2,3,5,6,5,4,5,3,3,4,5,3,5,5,3,4,6,3,1,4,3,2,5,4,2,4,3,3,4,6}');


--
-- Data for Name: token_releases; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: token_surveys; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: tokens; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.tokens VALUES ('anna', 'owner', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa');


--
-- Name: deniable_migrations deniable_migrations_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.deniable_migrations
    ADD CONSTRAINT deniable_migrations_pkey PRIMARY KEY (name);


--
-- Name: ends ends_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ends
    ADD CONSTRAINT ends_pkey PRIMARY KEY (digest);


--
-- Name: log log_digest_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.log
    ADD CONSTRAINT log_digest_key UNIQUE (digest);


--
-- Name: log log_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.log
    ADD CONSTRAINT log_pkey PRIMARY KEY ("position");


--
-- Name: purged purged_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.purged
    ADD CONSTRAINT purged_pkey PRIMARY KEY (digest);


--
-- Name: reports_closed_b885704888e9 reports_closed_b885704888e9_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.reports_closed_b885704888e9
    ADD CONSTRAINT reports_closed_b885704888e9_pkey PRIMARY KEY (_report);


--
-- Name: reports_limited_4c80f884effc reports_limited_4c80f884effc_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.reports_limited_4c80f884effc
    ADD CONSTRAINT reports_limited_4c80f884effc_pkey PRIMARY KEY (_report);


--
-- Name: reports_open_dfcd3475a6e6 reports_open_dfcd3475a6e6_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.reports_open_dfcd3475a6e6
    ADD CONSTRAINT reports_open_dfcd3475a6e6_pkey PRIMARY KEY (_report);


--
-- Name: surveys surveys_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.surveys
    ADD CONSTRAINT surveys_pkey PRIMARY KEY (digest);


--
-- Name: surveys surveys_reports_table_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.surveys
    ADD CONSTRAINT surveys_reports_table_key UNIQUE (reports_table);


--
-- Name: surveys surveys_slug_edition_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.surveys
    ADD CONSTRAINT surveys_slug_edition_key UNIQUE (slug, edition);


--
-- Name: tally_closed_b885704888e9 tally_closed_b885704888e9_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.tally_closed_b885704888e9
    ADD CONSTRAINT tally_closed_b885704888e9_pkey PRIMARY KEY (block, shard);


--
-- Name: tally_limited_4c80f884effc tally_limited_4c80f884effc_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.tally_limited_4c80f884effc
    ADD CONSTRAINT tally_limited_4c80f884effc_pkey PRIMARY KEY (block, shard);


--
-- Name: tally_open_dfcd3475a6e6 tally_open_dfcd3475a6e6_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.tally_open_dfcd3475a6e6
    ADD CONSTRAINT tally_open_dfcd3475a6e6_pkey PRIMARY KEY (block, shard);


--
-- Name: token_releases token_releases_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.token_releases
    ADD CONSTRAINT token_releases_pkey PRIMARY KEY (token);


--
-- Name: token_surveys token_surveys_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.token_surveys
    ADD CONSTRAINT token_surveys_pkey PRIMARY KEY (token, slug);


--
-- Name: tokens tokens_digest_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.tokens
    ADD CONSTRAINT tokens_digest_key UNIQUE (digest);


--
-- Name: tokens tokens_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.tokens
    ADD CONSTRAINT tokens_pkey PRIMARY KEY (name);


--
-- PostgreSQL database dump complete
--


