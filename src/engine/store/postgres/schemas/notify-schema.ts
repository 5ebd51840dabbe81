/** A migration, never edited: whoever listens hears that there is something to do, in which schema. */
export const notifySchema = `
  CREATE FUNCTION tell_begun() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    PERFORM pg_notify('gossamer', current_schema());
    RETURN NULL;
  END $$;
  CREATE TRIGGER crawl_begun AFTER INSERT ON crawl FOR EACH STATEMENT EXECUTE FUNCTION tell_begun();
  CREATE TRIGGER workflow_begun AFTER INSERT ON workflow FOR EACH STATEMENT EXECUTE FUNCTION tell_begun();
  CREATE TRIGGER monitor_changed AFTER INSERT OR UPDATE OF next_at ON monitor FOR EACH STATEMENT EXECUTE FUNCTION tell_begun();
`

/** A migration, never edited: a batch of many pages is begun once the last of them is written, not by its first row. */
export const shownSchema = `
  CREATE TRIGGER crawl_shown AFTER UPDATE OF status ON crawl FOR EACH ROW WHEN (old.status = 'starting')
    EXECUTE FUNCTION tell_begun();
`
