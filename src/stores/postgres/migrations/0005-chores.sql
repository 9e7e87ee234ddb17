-- Work that is done once in a while by one of the processes.
CREATE TABLE intentplane.chore (
  name text COLLATE "C" PRIMARY KEY,
  done_ms bigint NOT NULL
);
