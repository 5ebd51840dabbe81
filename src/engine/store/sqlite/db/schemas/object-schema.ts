/**
 * A migration, never edited: the same in each kind of database but for the triggers. Files whose content is an object
 * elsewhere, and the objects that are no part of a row: not yet, or no longer.
 */
export const objectTables = `
  ALTER TABLE linked_file ADD COLUMN object_key TEXT;
  ALTER TABLE linked_file ADD COLUMN object_bytes BIGINT;
  CREATE INDEX linked_file_by_object ON linked_file (object_key) WHERE object_key IS NOT NULL;
  CREATE TABLE object_left (object_key TEXT PRIMARY KEY, due_at BIGINT NOT NULL, is_doomed BOOLEAN NOT NULL);
  CREATE INDEX object_left_due ON object_left (due_at);
`

const left = `
    INSERT INTO object_left (object_key, due_at, is_doomed) VALUES (old.object_key, 0, TRUE) ON CONFLICT (object_key) DO NOTHING;`

/** Of the embedded database: an object that a row no longer holds is to be deleted. */
export const objectSchema = `${objectTables}
  CREATE TRIGGER linked_file_object_changed AFTER UPDATE OF object_key ON linked_file
    WHEN old.object_key IS NOT NULL AND new.object_key IS NOT old.object_key BEGIN ${left}
  END;
  CREATE TRIGGER linked_file_object_dropped AFTER DELETE ON linked_file WHEN old.object_key IS NOT NULL BEGIN ${left}
  END;
`
