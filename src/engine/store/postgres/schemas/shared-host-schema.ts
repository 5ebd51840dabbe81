/**
 * A migration, never edited. What the crawls of all teams have under way at a host, and which of those that keep a delay
 * there was served last. Crawls are counted that have pages there, to be visited or under way.
 */
export const sharedHostSchema = `
  CREATE TABLE shared_host (
    host TEXT PRIMARY KEY, crawls INTEGER NOT NULL DEFAULT 0, active INTEGER NOT NULL DEFAULT 0,
    turn_crawl_id TEXT, turn_delay_ms BIGINT NOT NULL DEFAULT 0, turn_ended_at BIGINT NOT NULL DEFAULT 0
  ) WITH (fillfactor = 70);
  INSERT INTO shared_host (host, crawls, active)
    SELECT host, count(*), sum(active) FROM crawl_host WHERE waiting + active > 0 GROUP BY host;
  CREATE INDEX shared_host_unused ON shared_host (host) WHERE crawls = 0;
  CREATE INDEX crawl_host_in_turn ON crawl_host (crawl_id, next_at) WHERE waiting > 0;
  CREATE FUNCTION share_host(crawl_host, INTEGER, INTEGER) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE delay BIGINT := greatest($1.crawl_delay_ms, (SELECT delay_ms FROM crawl WHERE id = $1.crawl_id));
    turn TEXT := CASE WHEN delay > 0 AND $1.active > 0 THEN $1.crawl_id END;
  BEGIN
    INSERT INTO shared_host (host, crawls, active, turn_crawl_id, turn_delay_ms)
      VALUES ($1.host, $2, $3, turn, delay)
      ON CONFLICT (host) DO UPDATE SET
        crawls = shared_host.crawls + excluded.crawls, active = shared_host.active + excluded.active,
        turn_delay_ms = CASE WHEN turn IS NULL THEN shared_host.turn_delay_ms ELSE delay END,
        turn_crawl_id = coalesce(turn, shared_host.turn_crawl_id);
  END $$;
  CREATE FUNCTION crawl_host_added() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    PERFORM share_host(new, 1, new.active);
    RETURN NULL;
  END $$;
  CREATE TRIGGER crawl_host_added AFTER INSERT ON crawl_host FOR EACH ROW WHEN (new.waiting + new.active > 0)
    EXECUTE FUNCTION crawl_host_added();
  CREATE FUNCTION crawl_host_moved() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    PERFORM share_host(
      new, (new.waiting + new.active > 0)::int - (old.waiting + old.active > 0)::int, new.active - old.active);
    RETURN NULL;
  END $$;
  CREATE TRIGGER crawl_host_moved AFTER UPDATE ON crawl_host FOR EACH ROW
    WHEN (new.active <> old.active OR (new.waiting + new.active > 0) <> (old.waiting + old.active > 0)
      OR (new.active > 0 AND new.crawl_delay_ms <> old.crawl_delay_ms))
    EXECUTE FUNCTION crawl_host_moved();
  CREATE FUNCTION crawl_host_gone() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    UPDATE shared_host SET crawls = crawls - 1, active = active - old.active WHERE host = old.host;
    RETURN NULL;
  END $$;
  CREATE TRIGGER crawl_host_gone AFTER DELETE ON crawl_host FOR EACH ROW WHEN (old.waiting + old.active > 0)
    EXECUTE FUNCTION crawl_host_gone();
`
