-- Times are milliseconds since 1970 (UTC). Amounts are integers of the budget's unit.
-- Hot tables check by OR: an IN of more than two values builds a temporary index in every statement.

CREATE TABLE meta (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  origin TEXT NOT NULL,
  -- Key of fingerprints and sealed states.
  secret BLOB NOT NULL CHECK (length(secret) = 32)
) STRICT;

CREATE TABLE process (
  process_id TEXT PRIMARY KEY,
  host TEXT NOT NULL,
  boot_id TEXT NOT NULL,
  pid INTEGER NOT NULL,
  pid_start TEXT NOT NULL,
  heartbeat_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The log. `bytes` are exactly what was hashed.
CREATE TABLE leaf (
  seq INTEGER PRIMARY KEY,
  hash BLOB NOT NULL CHECK (length(hash) = 32),
  type TEXT NOT NULL,
  -- `seq` of the proposal this leaf belongs to.
  proposal INTEGER,
  op_id TEXT,
  bytes BLOB NOT NULL
) STRICT;

CREATE UNIQUE INDEX leaf_of_op ON leaf (op_id) WHERE type = 'proposal';
CREATE INDEX leaf_of_proposal ON leaf (proposal, type) WHERE proposal IS NOT NULL;

CREATE TRIGGER leaf_stays BEFORE UPDATE ON leaf
BEGIN
  SELECT RAISE (ABORT, 'a leaf never changes');
END;

CREATE TRIGGER leaf_remains BEFORE DELETE ON leaf
BEGIN
  SELECT RAISE (ABORT, 'a leaf is never deleted');
END;

-- Salts and values behind the commitments of a leaf: the only place with values. Erasing a row
-- leaves every proof as it is.
CREATE TABLE payload (
  seq INTEGER PRIMARY KEY,
  fields TEXT NOT NULL
) STRICT;

-- Roots of complete subtrees of 256 leaves (level 1), 65,536 leaves (level 2) and so on.
CREATE TABLE tile (
  tile_level INTEGER NOT NULL,
  idx INTEGER NOT NULL,
  hash BLOB NOT NULL CHECK (length(hash) = 32),
  PRIMARY KEY (tile_level, idx)
) STRICT, WITHOUT ROWID;

CREATE TABLE log_state (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  size INTEGER NOT NULL,
  root BLOB NOT NULL,
  frontier BLOB NOT NULL,
  last_ms INTEGER NOT NULL
) STRICT;

-- `note` is empty between the decision to sign and the signature.
CREATE TABLE checkpoint (
  size INTEGER PRIMARY KEY,
  root BLOB NOT NULL,
  note TEXT
) STRICT;

CREATE TABLE mandate (
  n INTEGER PRIMARY KEY,
  mandate_id TEXT NOT NULL UNIQUE,
  line TEXT NOT NULL,
  supersedes TEXT,
  budget_root TEXT NOT NULL,
  budget_kinds TEXT NOT NULL,
  principal TEXT NOT NULL,
  tenant TEXT NOT NULL,
  agent TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('active', 'suspended', 'revoked', 'superseded')),
  not_before_ms INTEGER NOT NULL,
  expires_ms INTEGER NOT NULL,
  level_min INTEGER NOT NULL CHECK (level_min IN (0, 1, 2)),
  scopes TEXT NOT NULL,
  hash TEXT NOT NULL
) STRICT;

CREATE INDEX mandate_of_agent ON mandate (principal, agent);

-- `ceiling` is the limit, or what was used already when the limit was lowered below it.
CREATE TABLE budget (
  budget_id TEXT PRIMARY KEY,
  budget_root TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('amount', 'calls')),
  limit_ INTEGER NOT NULL CHECK (limit_ BETWEEN 0 AND 9007199254740991),
  ceiling INTEGER NOT NULL CHECK (ceiling BETWEEN limit_ AND 9007199254740991),
  reserved INTEGER NOT NULL CHECK (reserved >= 0),
  spent INTEGER NOT NULL CHECK (spent >= 0),
  frozen INTEGER NOT NULL CHECK (frozen IN (0, 1)),
  CHECK (reserved + spent <= ceiling)
) STRICT, WITHOUT ROWID;

CREATE INDEX budget_of_root ON budget (budget_root);

-- One row per operation, numbered by the `seq` of its proposal leaf.
CREATE TABLE operation (
  n INTEGER PRIMARY KEY,
  op_id TEXT NOT NULL,
  mandate_id TEXT NOT NULL,
  mandate_line TEXT NOT NULL,
  action TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  op_hash TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state = 'DISPATCHING' OR state = 'SUCCEEDED' OR state = 'FAILED'
    OR state = 'UNKNOWN' OR state = 'ASKING' OR state = 'CLOSED'),
  level INTEGER NOT NULL CHECK (level BETWEEN 0 AND 2),
  effect TEXT NOT NULL CHECK (effect IN ('write', 'read')),
  attempt INTEGER NOT NULL,
  owner TEXT,
  created_ms INTEGER NOT NULL,
  moved_ms INTEGER NOT NULL,
  deadline_ms INTEGER,
  outcome TEXT,
  told INTEGER NOT NULL CHECK (told IN (0, 1)),
  -- Newest success of the same fingerprint and line when this row was inserted.
  earlier_success INTEGER
) STRICT;

CREATE INDEX operation_repeat ON operation (fingerprint, mandate_line) WHERE fingerprint <> '';
CREATE INDEX operation_unresolved ON operation (fingerprint, mandate_line)
  WHERE state IN ('DISPATCHING', 'UNKNOWN');
CREATE INDEX operation_untold ON operation (fingerprint, mandate_line)
  WHERE state = 'SUCCEEDED' AND told = 0;

CREATE TABLE budget_entry (
  operation INTEGER NOT NULL,
  budget_id TEXT NOT NULL,
  amount INTEGER NOT NULL CHECK (amount BETWEEN 1 AND 9007199254740991),
  state TEXT NOT NULL CHECK (state = 'reserved' OR state = 'settled' OR state = 'released'),
  PRIMARY KEY (operation, budget_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE approval (
  approval_id TEXT PRIMARY KEY,
  op_id TEXT NOT NULL UNIQUE,
  mandate_id TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  level INTEGER NOT NULL CHECK (level IN (1, 2)),
  state TEXT NOT NULL CHECK (state IN
    ('REQUESTED', 'GRANTED', 'REJECTED', 'EXPIRED', 'CANCELLED', 'VOIDED', 'CONSUMED')),
  created_ms INTEGER NOT NULL,
  expires_ms INTEGER NOT NULL,
  ended_ms INTEGER,
  end_reason TEXT,
  told INTEGER NOT NULL CHECK (told IN (0, 1)),
  assurance TEXT,
  channel TEXT
) STRICT, WITHOUT ROWID;

CREATE INDEX approval_of_mandate ON approval (mandate_id, state, ended_ms);
CREATE INDEX approval_open ON approval (expires_ms) WHERE state IN ('REQUESTED', 'GRANTED');

CREATE TABLE definition (
  server TEXT NOT NULL,
  tool TEXT NOT NULL,
  identity TEXT NOT NULL,
  digest TEXT NOT NULL,
  definition TEXT NOT NULL,
  instructions TEXT,
  recorded_ms INTEGER NOT NULL,
  PRIMARY KEY (server, tool)
) STRICT, WITHOUT ROWID;

CREATE TABLE nonce (
  nonce TEXT PRIMARY KEY,
  expires_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX nonce_expiry ON nonce (expires_ms);

CREATE TABLE passcode_lock (
  person TEXT PRIMARY KEY,
  failures INTEGER NOT NULL,
  locked_until_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
