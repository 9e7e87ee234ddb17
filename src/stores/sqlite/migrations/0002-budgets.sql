-- Budgets that count a window of time, have a currency, and count what is delegated below them.

ALTER TABLE mandate ADD COLUMN parent TEXT;
-- Lines of the mandates above, nearest first, as JSON.
ALTER TABLE mandate ADD COLUMN ancestors TEXT NOT NULL DEFAULT '[]';
ALTER TABLE mandate RENAME COLUMN budget_kinds TO budget_ids;
UPDATE mandate SET budget_ids =
  (SELECT json_group_array(mandate.budget_root || '/' || value) FROM json_each(mandate.budget_ids));

CREATE INDEX mandate_of_line ON mandate (line);

ALTER TABLE budget ADD COLUMN currency TEXT;
-- `life`, `30d`, `24h`, `1500ms`, `day:<zone>`, `week:<zone>`, `month:<zone>`
ALTER TABLE budget ADD COLUMN window_ TEXT NOT NULL DEFAULT 'life';
ALTER TABLE budget ADD COLUMN spread TEXT NOT NULL DEFAULT 'subtree'
  CHECK (spread = 'subtree' OR spread = 'self');
-- A row per period of a calendar window; the budget itself has no period and no end.
ALTER TABLE budget ADD COLUMN period TEXT;
ALTER TABLE budget ADD COLUMN ends_ms INTEGER NOT NULL DEFAULT 9007199254740991;
ALTER TABLE budget ADD COLUMN clock_alarm_ms INTEGER;

DROP INDEX budget_of_root;
CREATE INDEX budget_of_root ON budget (budget_root, ends_ms);

CREATE TABLE new_budget_entry (
  operation INTEGER NOT NULL,
  budget_id TEXT NOT NULL,
  -- 0 is what was reserved, 1 what the target took beyond it.
  part INTEGER NOT NULL CHECK (part = 0 OR part = 1),
  at_ms INTEGER NOT NULL,
  -- When it stops counting; only of rolling windows, and of what is reserved or spent.
  ages_ms INTEGER,
  amount INTEGER NOT NULL CHECK (amount BETWEEN 1 AND 9007199254740991),
  state TEXT NOT NULL CHECK (state = 'reserved' OR state = 'settled' OR state = 'released'
    OR state = 'overrun' OR state = 'aged'),
  PRIMARY KEY (operation, budget_id, part)
) STRICT, WITHOUT ROWID;

INSERT INTO new_budget_entry (operation, budget_id, part, at_ms, amount, state)
  SELECT e.operation, e.budget_id, 0, coalesce(o.created_ms, 0), e.amount, e.state
  FROM budget_entry e LEFT JOIN operation o ON o.n = e.operation;

DROP TABLE budget_entry;
ALTER TABLE new_budget_entry RENAME TO budget_entry;

CREATE INDEX budget_entry_ages ON budget_entry (budget_id, ages_ms) WHERE ages_ms IS NOT NULL;
