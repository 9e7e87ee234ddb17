-- Budgets that count a window of time, have a currency, and count what is delegated below them.

ALTER TABLE intentplane.mandate ADD COLUMN parent text COLLATE "C";
-- Lines of the mandates above, nearest first, as JSON.
ALTER TABLE intentplane.mandate ADD COLUMN ancestors text NOT NULL DEFAULT '[]';
ALTER TABLE intentplane.mandate RENAME COLUMN budget_kinds TO budget_ids;
UPDATE intentplane.mandate m SET budget_ids =
  (SELECT coalesce(json_agg(m.budget_root || '/' || k.kind), '[]')
   FROM json_array_elements_text(m.budget_ids::json) AS k (kind));

CREATE INDEX mandate_of_line ON intentplane.mandate (line, n);

ALTER TABLE intentplane.budget ADD COLUMN currency text;
-- `life`, `30d`, `24h`, `1500ms`, `day:<zone>`, `week:<zone>`, `month:<zone>`
ALTER TABLE intentplane.budget ADD COLUMN window_ text NOT NULL DEFAULT 'life';
ALTER TABLE intentplane.budget ADD COLUMN spread text NOT NULL DEFAULT 'subtree'
  CHECK (spread IN ('subtree', 'self'));
-- A row per period of a calendar window; the budget itself has no period and no end.
ALTER TABLE intentplane.budget ADD COLUMN period text;
ALTER TABLE intentplane.budget ADD COLUMN ends_ms bigint NOT NULL DEFAULT 9007199254740991;
ALTER TABLE intentplane.budget ADD COLUMN clock_alarm_ms bigint;

DROP INDEX intentplane.budget_of_root;
CREATE INDEX budget_of_root ON intentplane.budget (budget_root, ends_ms);

-- 0 is what was reserved, 1 what the target took beyond it.
ALTER TABLE intentplane.budget_entry ADD COLUMN part smallint NOT NULL DEFAULT 0
  CHECK (part IN (0, 1));
ALTER TABLE intentplane.budget_entry ADD COLUMN at_ms bigint NOT NULL DEFAULT 0;
-- When it stops counting; only of rolling windows, and of what is reserved or spent.
ALTER TABLE intentplane.budget_entry ADD COLUMN ages_ms bigint;
ALTER TABLE intentplane.budget_entry DROP CONSTRAINT budget_entry_state_check;
ALTER TABLE intentplane.budget_entry ADD CONSTRAINT budget_entry_state_check
  CHECK (state IN ('reserved', 'settled', 'released', 'overrun', 'aged'));
ALTER TABLE intentplane.budget_entry DROP CONSTRAINT budget_entry_pkey;
ALTER TABLE intentplane.budget_entry ADD PRIMARY KEY (op_id, budget_id, part);

UPDATE intentplane.budget_entry e SET at_ms = o.created_ms
  FROM intentplane.operation o WHERE o.op_id = e.op_id;

CREATE INDEX budget_entry_ages ON intentplane.budget_entry (budget_id, ages_ms)
  WHERE ages_ms IS NOT NULL;
