-- Look-ups of operations whose outcome nobody knows: one row each, made with the first look-up.
CREATE TABLE check_job (
  operation INTEGER PRIMARY KEY,
  attempt INTEGER NOT NULL,
  first_unknown_ms INTEGER NOT NULL,
  checks INTEGER NOT NULL,
  due_ms INTEGER NOT NULL,
  alarmed_ms INTEGER,
  lease_owner TEXT,
  lease_until_ms INTEGER NOT NULL
) STRICT;

-- Values that can succeed once, as keyed hashes, and the operation that has them. One that failed
-- has given them back.
CREATE TABLE once_key (
  once_key TEXT PRIMARY KEY,
  op_id TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Keys by which callers make a call once, as keyed hashes. They never expire.
CREATE TABLE call_key (
  call_key TEXT PRIMARY KEY,
  payload TEXT NOT NULL,
  op_id TEXT NOT NULL
) STRICT, WITHOUT ROWID;
