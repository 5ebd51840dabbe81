const dropped = `UPDATE kept_text SET uses = uses - 1 WHERE id = old.text_id;
    DELETE FROM kept_text WHERE id = old.text_id AND uses = 0;`

const refersToText = (table: string) => `
  ALTER TABLE ${table} ADD COLUMN text_id INTEGER;
  CREATE TRIGGER ${table}_text_taken AFTER INSERT ON ${table} WHEN new.text_id IS NOT NULL BEGIN
    UPDATE kept_text SET uses = uses + 1 WHERE id = new.text_id;
  END;
  CREATE TRIGGER ${table}_text_changed AFTER UPDATE OF text_id ON ${table} WHEN new.text_id IS NOT old.text_id BEGIN
    UPDATE kept_text SET uses = uses + 1 WHERE id = new.text_id;
    ${dropped}
  END;
  CREATE TRIGGER ${table}_text_dropped AFTER DELETE ON ${table} WHEN old.text_id IS NOT NULL BEGIN
    ${dropped}
  END;`

/**
 * A migration, never edited: texts that the page cache and results have in common are kept once, for as long as a row
 * refers to them. A foreign key would need an index in each of the tables.
 */
export const keptTextSchema = `
  CREATE TABLE kept_text (
    id INTEGER PRIMARY KEY, digest BLOB NOT NULL UNIQUE, uses INTEGER NOT NULL DEFAULT 0, json_zst BLOB NOT NULL
  );
  ${refersToText('cache_made')}
  ${refersToText('crawl_document')}
  ${refersToText('job')}
`
