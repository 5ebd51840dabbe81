import type { DatabaseSync } from 'node:sqlite'
import { dropText, OtherSchema, perTextTable, schemaVersion, tablesIn } from '../../tables.ts'
import { immediately, pragma } from './sqlite-file.ts'

const tables = tablesIn({
  NUMBERED_KEY: 'INTEGER PRIMARY KEY',
  NUMBER_KEY: 'INTEGER PRIMARY KEY',
  BYTES: 'BLOB',
  PLAIN_TEXT: 'TEXT',
  BUSY: '',
})

/**
 * Words of page entries, deleted together with them. Segments are merged eight at a time instead of four, which takes a
 * sixth less CPU.
 */
const fullText = `
  CREATE VIRTUAL TABLE page_text USING fts5 (
    scope, url, title, body, content = '', contentless_delete = 1, tokenize = 'porter unicode61 remove_diacritics 2'
  );
  INSERT INTO page_text (page_text, rank) VALUES ('automerge', 8), ('pgsz', 16000), ('hashsize', 4194304);
  CREATE TRIGGER page_entry_gone AFTER DELETE ON page_entry BEGIN
    DELETE FROM page_text WHERE rowid = old.page_id;
  END;`

const textTriggers = (table: string) => `
  CREATE TRIGGER ${table}_text_changed AFTER UPDATE OF text_id ON ${table} WHEN new.text_id IS NOT old.text_id BEGIN
    ${dropText}
  END;
  CREATE TRIGGER ${table}_text_dropped AFTER DELETE ON ${table} WHEN old.text_id IS NOT NULL BEGIN
    ${dropText}
  END;`

const pageTriggers = `
  CREATE TRIGGER crawl_page_added AFTER INSERT ON crawl_page WHEN new.state = 0 BEGIN
    UPDATE crawl SET waiting = waiting + 1 WHERE id = new.crawl_id;
    INSERT INTO crawl_host (crawl_id, host, waiting) VALUES (new.crawl_id, new.host, 1)
      ON CONFLICT (crawl_id, host) DO UPDATE SET waiting = waiting + 1;
  END;
  CREATE TRIGGER crawl_page_moved AFTER UPDATE OF state ON crawl_page WHEN old.state <> new.state BEGIN
    UPDATE crawl SET
      waiting = waiting + (new.state = 0) - (old.state = 0), active = active + (new.state = 1) - (old.state = 1),
      done = done + (new.state = 2) - (old.state = 2), failed = failed + (new.state = 3) - (old.state = 3),
      dropped = dropped + (new.state = 4) - (old.state = 4)
      WHERE id = new.crawl_id;
    UPDATE crawl_host SET
      waiting = waiting + (new.state = 0) - (old.state = 0), active = active + (new.state = 1) - (old.state = 1)
      WHERE crawl_id = new.crawl_id AND host = new.host;
  END;`

/** Applies a change of a crawl's host to the values that all crawls of this host share. */
const hostShared = (crawls: string, active: string, turn: string) => `
    INSERT INTO shared_host (host, crawls, active, turn_crawl_id, turn_delay_ms)
      SELECT host, ${crawls}, ${active}, CASE WHEN ${turn} AND delay_ms > 0 THEN crawl_id END, delay_ms
      FROM (SELECT new.host AS host, new.crawl_id AS crawl_id,
        max(new.crawl_delay_ms, coalesce((SELECT delay_ms FROM crawl WHERE id = new.crawl_id), 0)) AS delay_ms) WHERE TRUE
      ON CONFLICT (host) DO UPDATE SET crawls = crawls + excluded.crawls, active = active + excluded.active,
        turn_delay_ms = CASE WHEN excluded.turn_crawl_id IS NULL THEN turn_delay_ms ELSE excluded.turn_delay_ms END,
        turn_crawl_id = coalesce(excluded.turn_crawl_id, turn_crawl_id);`

const hostTriggers = `
  CREATE TRIGGER crawl_host_added AFTER INSERT ON crawl_host WHEN new.waiting + new.active > 0 BEGIN
    ${hostShared('1', 'new.active', 'new.active > 0')}
  END;
  CREATE TRIGGER crawl_host_moved AFTER UPDATE OF waiting, active, crawl_delay_ms ON crawl_host
    WHEN new.active <> old.active OR (new.waiting + new.active > 0) <> (old.waiting + old.active > 0)
      OR (new.active > 0 AND new.crawl_delay_ms <> old.crawl_delay_ms) BEGIN
    ${hostShared('(new.waiting + new.active > 0) - (old.waiting + old.active > 0)', 'new.active - old.active', 'new.active > 0')}
  END;
  CREATE TRIGGER crawl_host_gone AFTER DELETE ON crawl_host WHEN old.waiting + old.active > 0 BEGIN
    UPDATE shared_host SET crawls = crawls - 1, active = active - old.active WHERE host = old.host;
  END;`

const deliveryTrigger = `
  CREATE TRIGGER delivery_added AFTER INSERT ON delivery WHEN new.state = 'due' BEGIN
    INSERT INTO delivery_queue (crawl_id, next_at) VALUES (new.crawl_id, new.next_at)
      ON CONFLICT (crawl_id) DO UPDATE SET next_at = min(next_at, excluded.next_at);
  END;`

const schema = [tables, fullText, perTextTable(textTriggers), pageTriggers, hostTriggers, deliveryTrigger].join('\n')

/**
 * Creates the tables of a new database. Safe in concurrent processes: the second one to get the write lock finds the
 * tables in place. If the database has another version, throws OtherSchema and writes nothing.
 */
export function prepareSchema(db: DatabaseSync): void {
  if (!isCreated(db))
    immediately(db, () => {
      if (!isCreated(db)) db.exec(`${schema}; PRAGMA user_version = ${schemaVersion}`)
    })
  // Reloads the schema: otherwise the first statement would miss tables that another process has created meanwhile.
  db.exec('SELECT 1 FROM sqlite_schema')
}

function isCreated(db: DatabaseSync): boolean {
  const version = pragma(db, 'user_version')
  if (version !== 0 && version !== schemaVersion) throw new OtherSchema(version)
  return version !== 0
}
