-- Who has to approve a request, and who has: JSON texts. A request of before was the principal's own.
ALTER TABLE approval ADD COLUMN terms TEXT NOT NULL DEFAULT
  '{"kind":"confirm","count":0,"roles":[],"exclude":[],"includeUser":true}';
ALTER TABLE approval ADD COLUMN votes TEXT NOT NULL DEFAULT '[]';
-- How many votes there are.
ALTER TABLE approval ADD COLUMN answered INTEGER NOT NULL DEFAULT 0;

-- People, passkeys, enrolment codes, sessions of the page.
CREATE TABLE record (
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  owner TEXT NOT NULL,
  fields TEXT NOT NULL,
  version INTEGER NOT NULL,
  expires_ms INTEGER,
  PRIMARY KEY (kind, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX record_of_owner ON record (kind, owner);
CREATE INDEX record_expiry ON record (expires_ms) WHERE expires_ms IS NOT NULL;
