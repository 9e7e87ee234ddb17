-- Look-ups of operations whose outcome nobody knows: one row each, made with the first look-up.
CREATE TABLE intentplane.check_job (
  op_id text COLLATE "C" PRIMARY KEY,
  attempt integer NOT NULL,
  first_unknown_ms bigint NOT NULL,
  checks integer NOT NULL,
  due_ms bigint NOT NULL,
  alarmed_ms bigint,
  lease_owner text,
  lease_until_ms bigint NOT NULL
);

-- Values that can succeed once, as keyed hashes, and the operation that has them. One that failed
-- has given them back.
CREATE TABLE intentplane.once_key (
  once_key text COLLATE "C" PRIMARY KEY,
  op_id text COLLATE "C" NOT NULL
);

-- Keys by which callers make a call once, as keyed hashes. They never expire.
CREATE TABLE intentplane.call_key (
  call_key text COLLATE "C" PRIMARY KEY,
  payload text NOT NULL,
  op_id text COLLATE "C" NOT NULL
);
