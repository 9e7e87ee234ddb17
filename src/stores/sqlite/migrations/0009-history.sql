-- What requests are compared with: keyed hashes and amounts, no value. An erased row keeps its place
-- and says nothing.
CREATE TABLE history (
  -- `n` of the operation.
  operation INTEGER PRIMARY KEY,
  recipient_key TEXT NOT NULL,
  -- Lists and objects as JSON.
  recipient_paths TEXT NOT NULL,
  fields TEXT NOT NULL,
  amount INTEGER,
  currency TEXT,
  at_ms INTEGER NOT NULL
) STRICT;

CREATE INDEX history_of_recipient ON history (recipient_key, at_ms) WHERE recipient_key <> '';

-- Denied proposals of the last hour: a row per minute, used again an hour later.
CREATE TABLE denial (
  mandate_id TEXT NOT NULL,
  slot INTEGER NOT NULL CHECK (slot BETWEEN 0 AND 59),
  minute INTEGER NOT NULL,
  denials INTEGER NOT NULL,
  PRIMARY KEY (mandate_id, slot)
) STRICT, WITHOUT ROWID;

-- Drafted changes of mandates. They allow nothing.
CREATE TABLE amendment_draft (
  draft_id TEXT PRIMARY KEY,
  mandate_id TEXT NOT NULL,
  mandate_line TEXT NOT NULL,
  action TEXT NOT NULL,
  recipient_key TEXT NOT NULL,
  recipient_paths TEXT NOT NULL,
  ceiling INTEGER NOT NULL,
  currency TEXT,
  -- Ids of the approvals, as JSON.
  basis TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('drafted', 'dismissed')),
  created_ms INTEGER NOT NULL,
  expires_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX amendment_draft_of_recipient ON amendment_draft (recipient_key, mandate_line);

CREATE INDEX approval_created ON approval (created_ms);
