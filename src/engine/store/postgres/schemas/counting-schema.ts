const moved = (state: number) => `sum((after.state = ${state})::int - (before.state = ${state})::int)`
const moves = `FROM after JOIN before USING (seq) WHERE after.state <> before.state`

/**
 * A migration, never edited: pages are counted once a statement instead of once a row. Each count writes a new version of
 * the rows of the crawl and the host, so that 100,000 URLs are added in half the time.
 */
export const countingSchema = `
  DROP TRIGGER crawl_page_added ON crawl_page;
  DROP TRIGGER crawl_page_moved ON crawl_page;
  CREATE OR REPLACE FUNCTION crawl_page_added() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    UPDATE crawl SET waiting = waiting + new_pages.count
      FROM (SELECT crawl_id, count(*) FROM added WHERE state = 0 GROUP BY crawl_id) AS new_pages WHERE id = crawl_id;
    INSERT INTO crawl_host (crawl_id, host, waiting)
      SELECT crawl_id, host, count(*) FROM added WHERE state = 0 GROUP BY crawl_id, host
      ON CONFLICT (crawl_id, host) DO UPDATE SET waiting = crawl_host.waiting + excluded.waiting;
    RETURN NULL;
  END $$;
  CREATE TRIGGER crawl_page_added AFTER INSERT ON crawl_page REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION crawl_page_added();
  CREATE OR REPLACE FUNCTION crawl_page_moved() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    UPDATE crawl SET waiting = crawl.waiting + d.waiting, active = crawl.active + d.active, done = crawl.done + d.done,
        failed = crawl.failed + d.failed, dropped = crawl.dropped + d.dropped
      FROM (SELECT after.crawl_id, ${moved(0)} AS waiting, ${moved(1)} AS active, ${moved(2)} AS done, ${moved(3)} AS failed,
        ${moved(4)} AS dropped ${moves} GROUP BY after.crawl_id) AS d
      WHERE crawl.id = d.crawl_id;
    UPDATE crawl_host SET waiting = crawl_host.waiting + d.waiting, active = crawl_host.active + d.active
      FROM (SELECT after.crawl_id, after.host, ${moved(0)} AS waiting, ${moved(1)} AS active ${moves}
        GROUP BY after.crawl_id, after.host) AS d
      WHERE crawl_host.crawl_id = d.crawl_id AND crawl_host.host = d.host;
    RETURN NULL;
  END $$;
  CREATE TRIGGER crawl_page_moved AFTER UPDATE ON crawl_page REFERENCING OLD TABLE AS before NEW TABLE AS after
    FOR EACH STATEMENT EXECUTE FUNCTION crawl_page_moved();
`
