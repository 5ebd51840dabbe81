/** By how much a change of a crawl's host changes what all crawls of this host share. */
const upsert = (crawls: string, active: string, turn: string) => `
    INSERT INTO shared_host (host, crawls, active, turn_crawl_id, turn_delay_ms)
      SELECT host, ${crawls}, ${active}, CASE WHEN ${turn} AND delay_ms > 0 THEN crawl_id END, delay_ms
      FROM (SELECT new.host AS host, new.crawl_id AS crawl_id,
        max(new.crawl_delay_ms, coalesce((SELECT delay_ms FROM crawl WHERE id = new.crawl_id), 0)) AS delay_ms) WHERE TRUE
      ON CONFLICT (host) DO UPDATE SET crawls = crawls + excluded.crawls, active = active + excluded.active,
        turn_delay_ms = CASE WHEN excluded.turn_crawl_id IS NULL THEN turn_delay_ms ELSE excluded.turn_delay_ms END,
        turn_crawl_id = coalesce(excluded.turn_crawl_id, turn_crawl_id);`

/**
 * A migration, never edited. What the crawls of all teams have under way at a host, and which of those that keep a delay
 * there was served last. Crawls are counted that have pages there, to be visited or under way.
 */
export const sharedHostSchema = `
  CREATE TABLE shared_host (
    host TEXT PRIMARY KEY, crawls INTEGER NOT NULL DEFAULT 0, active INTEGER NOT NULL DEFAULT 0,
    turn_crawl_id TEXT, turn_delay_ms BIGINT NOT NULL DEFAULT 0, turn_ended_at BIGINT NOT NULL DEFAULT 0
  );
  INSERT INTO shared_host (host, crawls, active)
    SELECT host, count(*), sum(active) FROM crawl_host WHERE waiting + active > 0 GROUP BY host;
  CREATE INDEX shared_host_unused ON shared_host (host) WHERE crawls = 0;
  CREATE INDEX crawl_host_in_turn ON crawl_host (crawl_id, next_at) WHERE waiting > 0;
  CREATE TRIGGER crawl_host_added AFTER INSERT ON crawl_host WHEN new.waiting + new.active > 0 BEGIN
    ${upsert('1', 'new.active', 'new.active > 0')}
  END;
  CREATE TRIGGER crawl_host_moved AFTER UPDATE OF waiting, active, crawl_delay_ms ON crawl_host
    WHEN new.active <> old.active OR (new.waiting + new.active > 0) <> (old.waiting + old.active > 0)
      OR (new.active > 0 AND new.crawl_delay_ms <> old.crawl_delay_ms) BEGIN
    ${upsert('(new.waiting + new.active > 0) - (old.waiting + old.active > 0)', 'new.active - old.active', 'new.active > 0')}
  END;
  CREATE TRIGGER crawl_host_gone AFTER DELETE ON crawl_host WHEN old.waiting + old.active > 0 BEGIN
    UPDATE shared_host SET crawls = crawls - 1, active = active - old.active WHERE host = old.host;
  END;
`
