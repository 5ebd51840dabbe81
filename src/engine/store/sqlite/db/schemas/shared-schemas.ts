/** A migration, never edited: the same in each kind of database. A row stands while another database is copied into this one. */
export const copyingSchema = 'CREATE TABLE copying (worker_id TEXT NOT NULL, lease_until BIGINT NOT NULL)'

/** A migration, never edited: the same in each kind of database. Which server holds a live browser, and which servers there are. */
export const nodeSchema = `
  CREATE TABLE node (
    id TEXT PRIMARY KEY, role TEXT NOT NULL, url TEXT, started_at BIGINT NOT NULL, lease_until BIGINT NOT NULL
  );
  ALTER TABLE browser_session ADD COLUMN node_id TEXT;
`

/** A migration, never edited: the same in each kind of database. What a server says of itself, and when by its clock and the database's. */
export const nodeFactsSchema = `
  ALTER TABLE node ADD COLUMN facts TEXT;
  ALTER TABLE node ADD COLUMN told_at BIGINT;
  ALTER TABLE node ADD COLUMN heard_at BIGINT;
`

/** A migration, never edited: the same in each kind of database. What robots.txt and the sitemaps said to a crawl, as JSON. */
export const seedingSchema = 'ALTER TABLE crawl ADD COLUMN seeding TEXT'
