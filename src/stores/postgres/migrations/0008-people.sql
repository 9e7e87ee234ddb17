-- Who has to approve a request, and who has: JSON texts. A request of before was the principal's own.
ALTER TABLE intentplane.approval ADD COLUMN terms text NOT NULL DEFAULT
  '{"kind":"confirm","count":0,"roles":[],"exclude":[],"includeUser":true}';
ALTER TABLE intentplane.approval ADD COLUMN votes text NOT NULL DEFAULT '[]';
-- How many votes there are.
ALTER TABLE intentplane.approval ADD COLUMN answered integer NOT NULL DEFAULT 0;

-- People, passkeys, enrolment codes, sessions of the page.
CREATE TABLE intentplane.record (
  kind text NOT NULL,
  id text COLLATE "C" NOT NULL,
  owner text COLLATE "C" NOT NULL,
  fields text NOT NULL,
  version integer NOT NULL,
  expires_ms bigint,
  PRIMARY KEY (kind, id)
);

CREATE INDEX record_of_owner ON intentplane.record (kind, owner);
CREATE INDEX record_expiry ON intentplane.record (expires_ms) WHERE expires_ms IS NOT NULL;
