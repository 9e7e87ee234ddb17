-- Times are milliseconds since 1970 (UTC). Amounts are integers of the budget's unit.
-- U+0000, which PostgreSQL has in no text, is stored escaped: see stored-text.ts.

CREATE TABLE intentplane.schema_version (
  id smallint PRIMARY KEY CHECK (id = 1),
  version integer NOT NULL
);

INSERT INTO intentplane.schema_version VALUES (1, 0);

CREATE TABLE intentplane.meta (
  id smallint PRIMARY KEY CHECK (id = 1),
  origin text NOT NULL,
  -- Key of fingerprints and sealed states.
  secret bytea NOT NULL CHECK (length(secret) = 32)
);

CREATE TABLE intentplane.process (
  process_id text COLLATE "C" PRIMARY KEY,
  host text NOT NULL,
  boot_id text NOT NULL,
  pid bigint NOT NULL,
  pid_start text NOT NULL,
  heartbeat_ms bigint NOT NULL,
  -- Version of the tables that this process knows.
  schema_version integer NOT NULL
);

-- One row per transaction that committed: after a lost connection it tells whether it did.
CREATE TABLE intentplane.batch (
  batch_id text COLLATE "C" PRIMARY KEY,
  created timestamptz NOT NULL DEFAULT now()
);

CREATE INDEX batch_age ON intentplane.batch (created);

-- The log. `bytes` are exactly what was hashed.
CREATE TABLE intentplane.leaf (
  seq bigint PRIMARY KEY,
  hash bytea NOT NULL CHECK (length(hash) = 32),
  type text NOT NULL,
  op_id text COLLATE "C",
  bytes bytea NOT NULL
);

CREATE UNIQUE INDEX leaf_of_proposal ON intentplane.leaf (op_id) WHERE type = 'proposal';
CREATE INDEX leaf_of_op ON intentplane.leaf (op_id, seq) WHERE op_id IS NOT NULL;

CREATE FUNCTION intentplane.refuse_leaf_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a leaf never changes and is never deleted';
END
$$;

CREATE TRIGGER leaf_stays BEFORE UPDATE OR DELETE ON intentplane.leaf
  FOR EACH ROW EXECUTE FUNCTION intentplane.refuse_leaf_change();
CREATE TRIGGER leaf_remains BEFORE TRUNCATE ON intentplane.leaf
  FOR EACH STATEMENT EXECUTE FUNCTION intentplane.refuse_leaf_change();

-- Salts and values behind the commitments of a leaf: the only place with values. Erasing a row
-- leaves every proof as it is. A text and not json: it comes back byte for byte.
CREATE TABLE intentplane.payload (
  seq bigint PRIMARY KEY,
  fields text NOT NULL
);

-- Roots of complete subtrees of 256 leaves (level 1), 65,536 leaves (level 2) and so on.
CREATE TABLE intentplane.tile (
  tile_level integer NOT NULL,
  idx bigint NOT NULL,
  hash bytea NOT NULL CHECK (length(hash) = 32),
  PRIMARY KEY (tile_level, idx)
);

-- Its row lock is what numbers the leaves: taken last, held until the commit.
CREATE TABLE intentplane.log_state (
  id smallint PRIMARY KEY CHECK (id = 1),
  size bigint NOT NULL,
  root bytea NOT NULL,
  frontier bytea NOT NULL,
  last_ms bigint NOT NULL
);

INSERT INTO intentplane.log_state VALUES (1, 0, sha256(''), '', 0);

-- `note` is empty between the decision to sign and the signature.
CREATE TABLE intentplane.checkpoint (
  size bigint PRIMARY KEY,
  root bytea NOT NULL,
  note text
);

-- The row whose id is its own line is locked by every transaction that touches this line.
CREATE TABLE intentplane.mandate (
  n bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  mandate_id text COLLATE "C" PRIMARY KEY,
  line text COLLATE "C" NOT NULL,
  supersedes text,
  budget_root text COLLATE "C" NOT NULL,
  budget_kinds text NOT NULL,
  principal text COLLATE "C" NOT NULL,
  tenant text NOT NULL,
  agent text COLLATE "C" NOT NULL,
  status text NOT NULL CHECK (status IN ('active', 'suspended', 'revoked', 'superseded')),
  not_before_ms bigint NOT NULL,
  expires_ms bigint NOT NULL,
  level_min smallint NOT NULL CHECK (level_min IN (0, 1, 2)),
  scopes text NOT NULL,
  hash text NOT NULL
);

CREATE INDEX mandate_of_agent ON intentplane.mandate (principal, agent, n);

-- `ceiling` is the limit, or what was used already when the limit was lowered below it.
CREATE TABLE intentplane.budget (
  budget_id text COLLATE "C" PRIMARY KEY,
  budget_root text COLLATE "C" NOT NULL,
  kind text NOT NULL CHECK (kind IN ('amount', 'calls')),
  limit_ bigint NOT NULL CHECK (limit_ BETWEEN 0 AND 9007199254740991),
  ceiling bigint NOT NULL CHECK (ceiling BETWEEN limit_ AND 9007199254740991),
  reserved bigint NOT NULL CHECK (reserved >= 0),
  spent bigint NOT NULL CHECK (spent >= 0),
  frozen boolean NOT NULL,
  CHECK (reserved + spent <= ceiling)
);

CREATE INDEX budget_of_root ON intentplane.budget (budget_root);

-- `n` is the `seq` of the proposal leaf.
CREATE TABLE intentplane.operation (
  op_id text COLLATE "C" PRIMARY KEY,
  n bigint NOT NULL,
  mandate_id text NOT NULL,
  mandate_line text COLLATE "C" NOT NULL,
  action text NOT NULL,
  fingerprint text COLLATE "C" NOT NULL,
  op_hash text NOT NULL,
  state text NOT NULL CHECK (state IN
    ('DISPATCHING', 'SUCCEEDED', 'FAILED', 'UNKNOWN', 'ASKING', 'CLOSED')),
  level smallint NOT NULL CHECK (level BETWEEN 0 AND 2),
  effect text NOT NULL CHECK (effect IN ('write', 'read')),
  attempt integer NOT NULL,
  owner text,
  created_ms bigint NOT NULL,
  moved_ms bigint NOT NULL,
  deadline_ms bigint,
  outcome text,
  told boolean NOT NULL
);

CREATE INDEX operation_repeat ON intentplane.operation (fingerprint, mandate_line, n)
  WHERE fingerprint <> '';
CREATE INDEX operation_unresolved ON intentplane.operation (fingerprint, mandate_line, n)
  WHERE state IN ('DISPATCHING', 'UNKNOWN');
CREATE INDEX operation_success ON intentplane.operation (fingerprint, mandate_line, n)
  WHERE state = 'SUCCEEDED' AND fingerprint <> '';
CREATE INDEX operation_untold ON intentplane.operation (fingerprint, mandate_line, n)
  WHERE state = 'SUCCEEDED' AND NOT told;

CREATE TABLE intentplane.budget_entry (
  op_id text COLLATE "C" NOT NULL,
  budget_id text COLLATE "C" NOT NULL,
  amount bigint NOT NULL CHECK (amount BETWEEN 1 AND 9007199254740991),
  state text NOT NULL CHECK (state IN ('reserved', 'settled', 'released')),
  PRIMARY KEY (op_id, budget_id)
);

CREATE TABLE intentplane.approval (
  approval_id text COLLATE "C" PRIMARY KEY,
  op_id text COLLATE "C" NOT NULL UNIQUE,
  mandate_id text COLLATE "C" NOT NULL,
  fingerprint text NOT NULL,
  level smallint NOT NULL CHECK (level IN (1, 2)),
  state text NOT NULL CHECK (state IN
    ('REQUESTED', 'GRANTED', 'REJECTED', 'EXPIRED', 'CANCELLED', 'VOIDED', 'CONSUMED')),
  created_ms bigint NOT NULL,
  expires_ms bigint NOT NULL,
  ended_ms bigint,
  end_reason text,
  told boolean NOT NULL,
  assurance text,
  channel text
);

CREATE INDEX approval_of_mandate ON intentplane.approval (mandate_id, state, ended_ms);
CREATE INDEX approval_open ON intentplane.approval (expires_ms)
  WHERE state IN ('REQUESTED', 'GRANTED');

CREATE TABLE intentplane.definition (
  server text COLLATE "C" NOT NULL,
  tool text COLLATE "C" NOT NULL,
  identity text NOT NULL,
  digest text NOT NULL,
  definition text NOT NULL,
  instructions text,
  recorded_ms bigint NOT NULL,
  PRIMARY KEY (server, tool)
);

CREATE TABLE intentplane.nonce (
  nonce text COLLATE "C" PRIMARY KEY,
  expires_ms bigint NOT NULL
);

CREATE INDEX nonce_expiry ON intentplane.nonce (expires_ms);

CREATE TABLE intentplane.passcode_lock (
  person text COLLATE "C" PRIMARY KEY,
  failures integer NOT NULL,
  locked_until_ms bigint NOT NULL
);
