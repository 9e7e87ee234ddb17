-- When a witness cosigned the checkpoint last; NULL where none did.
ALTER TABLE intentplane.checkpoint ADD COLUMN cosigned_ms bigint;

CREATE INDEX checkpoint_cosigned ON intentplane.checkpoint (size) WHERE cosigned_ms IS NOT NULL;
