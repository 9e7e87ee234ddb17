-- What requests are compared with: keyed hashes and amounts, no value. An erased row keeps its place
-- and says nothing.
CREATE TABLE intentplane.history (
  op_id text COLLATE "C" PRIMARY KEY,
  -- That of the operation.
  n bigint NOT NULL,
  recipient_key text COLLATE "C" NOT NULL,
  -- Lists and objects as JSON.
  recipient_paths text NOT NULL,
  fields text NOT NULL,
  amount bigint,
  currency text,
  at_ms bigint NOT NULL
);

CREATE INDEX history_of_recipient ON intentplane.history (recipient_key, at_ms, n)
  WHERE recipient_key <> '';

-- Denied proposals of the last hour: a row per minute, used again an hour later.
CREATE TABLE intentplane.denial (
  mandate_id text COLLATE "C" NOT NULL,
  slot smallint NOT NULL CHECK (slot BETWEEN 0 AND 59),
  minute bigint NOT NULL,
  denials bigint NOT NULL,
  PRIMARY KEY (mandate_id, slot)
);

-- Drafted changes of mandates. They allow nothing.
CREATE TABLE intentplane.amendment_draft (
  draft_id text COLLATE "C" PRIMARY KEY,
  mandate_id text COLLATE "C" NOT NULL,
  mandate_line text COLLATE "C" NOT NULL,
  action text NOT NULL,
  recipient_key text COLLATE "C" NOT NULL,
  recipient_paths text NOT NULL,
  ceiling bigint NOT NULL,
  currency text,
  -- Ids of the approvals, as JSON.
  basis text NOT NULL,
  state text NOT NULL CHECK (state IN ('drafted', 'dismissed')),
  created_ms bigint NOT NULL,
  expires_ms bigint NOT NULL
);

CREATE INDEX amendment_draft_of_recipient
  ON intentplane.amendment_draft (recipient_key, mandate_line);

CREATE INDEX approval_created ON intentplane.approval (created_ms);
