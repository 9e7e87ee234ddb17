-- When a witness cosigned the checkpoint last; NULL where none did.
ALTER TABLE checkpoint ADD COLUMN cosigned_ms INTEGER;

CREATE INDEX checkpoint_cosigned ON checkpoint (size) WHERE cosigned_ms IS NOT NULL;
