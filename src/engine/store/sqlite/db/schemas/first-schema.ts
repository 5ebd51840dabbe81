/** Version 1 of the schema; it is never edited. */
export const firstSchema = `
  CREATE TABLE cache_page (
    id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, fetched_at BIGINT NOT NULL, url TEXT NOT NULL,
    status INTEGER NOT NULL, headers TEXT NOT NULL, expires_at BIGINT, used_at BIGINT NOT NULL, bytes BIGINT NOT NULL
  );
  CREATE INDEX cache_page_by_use ON cache_page (used_at, id, bytes);
  CREATE TABLE cache_body (
    page_id INTEGER PRIMARY KEY REFERENCES cache_page (id) ON DELETE CASCADE, body_zst BLOB NOT NULL
  );
  CREATE TABLE cache_made (
    page_id INTEGER NOT NULL REFERENCES cache_page (id) ON DELETE CASCADE,
    variant TEXT NOT NULL, part TEXT NOT NULL, value_zst BLOB NOT NULL, PRIMARY KEY (page_id, variant, part)
  );

  CREATE TABLE job (
    id TEXT PRIMARY KEY, team_id TEXT NOT NULL, key_name TEXT, endpoint TEXT NOT NULL, target TEXT,
    created_at BIGINT NOT NULL, expires_at BIGINT NOT NULL, status TEXT NOT NULL, error_code TEXT,
    credits DOUBLE PRECISION NOT NULL, result_zst BLOB
  );
  CREATE INDEX job_by_expiry ON job (expires_at);
  CREATE TABLE activity (
    team_id TEXT NOT NULL, created_at BIGINT NOT NULL, id TEXT NOT NULL, endpoint TEXT NOT NULL, target TEXT,
    status TEXT NOT NULL, PRIMARY KEY (team_id, created_at, id)
  );
  CREATE INDEX activity_by_endpoint ON activity (team_id, endpoint, created_at, id);
  CREATE INDEX activity_by_age ON activity (created_at);
  CREATE TABLE ledger (
    job_id TEXT PRIMARY KEY, team_id TEXT NOT NULL, key_name TEXT NOT NULL, created_at BIGINT NOT NULL,
    credits DOUBLE PRECISION NOT NULL
  );
  CREATE INDEX ledger_by_team ON ledger (team_id, created_at, credits);
  CREATE INDEX ledger_by_age ON ledger (created_at);
  CREATE TABLE usage_day (
    team_id TEXT NOT NULL, day INTEGER NOT NULL, key_name TEXT NOT NULL, month INTEGER NOT NULL,
    credits DOUBLE PRECISION NOT NULL, PRIMARY KEY (team_id, day, key_name)
  );

  CREATE TABLE api_key (
    name TEXT PRIMARY KEY, hash TEXT NOT NULL UNIQUE, prefix TEXT NOT NULL, team_id TEXT NOT NULL,
    permissions TEXT NOT NULL, created_at BIGINT NOT NULL
  );
`
