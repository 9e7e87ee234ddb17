-- Token of a time-stamping authority (RFC 3161) about the note, and when it was asked for; NULL without one.
ALTER TABLE checkpoint ADD COLUMN timestamp_token BLOB;
ALTER TABLE checkpoint ADD COLUMN timestamped_ms INTEGER;

CREATE INDEX checkpoint_timestamped ON checkpoint (size) WHERE timestamped_ms IS NOT NULL;
