-- Token of a time-stamping authority (RFC 3161) about the note, and when it was asked for; NULL without one.
ALTER TABLE intentplane.checkpoint ADD COLUMN timestamp_token bytea;
ALTER TABLE intentplane.checkpoint ADD COLUMN timestamped_ms bigint;

CREATE INDEX checkpoint_timestamped ON intentplane.checkpoint (size) WHERE timestamped_ms IS NOT NULL;
