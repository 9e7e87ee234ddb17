-- Work that is done once in a while by one of the processes.
CREATE TABLE chore (
  name TEXT PRIMARY KEY,
  done_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
