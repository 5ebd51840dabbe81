/** Increased with every change of a table, index or trigger. There are no migrations. */
export const schemaVersion = 32

/**
 * Tables and indexes for all kinds of database; each kind adds its own triggers, functions and full text. Times are in
 * ms since the epoch. The numbers in `state = …` are those of `pageState`.
 */
const tables = `
  -- The page cache. Texts shared with results are stored once, for as long as a row refers to them. A reference count in
  -- the same row would make SQLite rewrite the whole text with each new reference.
  CREATE TABLE kept_text (id NUMBERED_KEY, digest BYTES NOT NULL UNIQUE, json_zst BYTES NOT NULL);
  CREATE TABLE cache_page (
    id NUMBERED_KEY, key TEXT NOT NULL UNIQUE, fetched_at BIGINT NOT NULL, url TEXT NOT NULL, status INTEGER NOT NULL,
    headers TEXT NOT NULL, used_at BIGINT NOT NULL, bytes BIGINT NOT NULL, digest BYTES
  );
  CREATE INDEX cache_page_by_use ON cache_page (used_at, id, bytes);
  CREATE TABLE cache_body (
    page_id NUMBER_KEY REFERENCES cache_page (id) ON DELETE CASCADE, body_zst BYTES NOT NULL
  );
  CREATE TABLE cache_made (
    page_id BIGINT NOT NULL REFERENCES cache_page (id) ON DELETE CASCADE, variant TEXT NOT NULL, part TEXT NOT NULL,
    value_zst BYTES NOT NULL, text_id BIGINT, PRIMARY KEY (page_id, variant, part)
  );
  CREATE INDEX cache_made_by_text ON cache_made (text_id) WHERE text_id IS NOT NULL;
  CREATE TABLE page_entry (
    page_id NUMBER_KEY REFERENCES cache_page (id) ON DELETE CASCADE, team_id TEXT NOT NULL, host_key PLAIN_TEXT NOT NULL,
    path PLAIN_TEXT NOT NULL, url TEXT NOT NULL, title TEXT NOT NULL, description TEXT NOT NULL, fetched_at BIGINT NOT NULL,
    digest BYTES
  );
  CREATE INDEX page_entry_by_place ON page_entry (team_id, host_key, path);
  CREATE TABLE snapshot (
    team_id TEXT NOT NULL, url TEXT NOT NULL, tag TEXT NOT NULL, taken_at BIGINT NOT NULL, is_linked BOOLEAN NOT NULL,
    content_zst BYTES, json TEXT, PRIMARY KEY (team_id, url, tag)
  );
  CREATE INDEX snapshot_by_age ON snapshot (taken_at);
  CREATE TABLE host_trait (host TEXT PRIMARY KEY, empty_at BIGINT NOT NULL);

  -- Files behind links; the content of large ones may be in an object store.
  CREATE TABLE linked_file (
    id TEXT PRIMARY KEY, team_id TEXT NOT NULL, digest BYTES NOT NULL, media_type TEXT NOT NULL, bytes BYTES NOT NULL,
    expires_at BIGINT NOT NULL, object_key TEXT, object_bytes BIGINT, UNIQUE (team_id, digest)
  );
  CREATE INDEX linked_file_by_expiry ON linked_file (expires_at);

  -- Jobs, accounts and usage. A row of keyed_call reveals neither the idempotency key nor the answer.
  CREATE TABLE job (
    id TEXT PRIMARY KEY, team_id TEXT NOT NULL, key_name TEXT, endpoint TEXT NOT NULL, target TEXT,
    created_at BIGINT NOT NULL, expires_at BIGINT NOT NULL, status TEXT NOT NULL, error_code TEXT,
    credits DOUBLE PRECISION NOT NULL, result_zst BYTES, replay_zst BYTES, text_id BIGINT
  );
  CREATE INDEX job_by_expiry ON job (expires_at);
  CREATE INDEX job_by_text ON job (text_id) WHERE text_id IS NOT NULL;
  CREATE TABLE keyed_call (
    team_id TEXT NOT NULL, key_digest BYTES NOT NULL, asks_digest BYTES NOT NULL, job_id TEXT NOT NULL,
    claim_id TEXT NOT NULL UNIQUE, worker_id TEXT NOT NULL, is_answered BOOLEAN NOT NULL, answer BYTES,
    expires_at BIGINT NOT NULL, PRIMARY KEY (team_id, key_digest)
  );
  CREATE INDEX keyed_call_by_expiry ON keyed_call (expires_at);
  CREATE TABLE activity (
    team_id TEXT NOT NULL, created_at BIGINT NOT NULL, id TEXT NOT NULL, endpoint TEXT NOT NULL, target TEXT,
    status TEXT NOT NULL, PRIMARY KEY (team_id, created_at, id)
  );
  CREATE INDEX activity_by_endpoint ON activity (team_id, endpoint, created_at, id);
  CREATE INDEX activity_by_age ON activity (created_at);
  CREATE TABLE refusal (
    team_id TEXT NOT NULL, digest TEXT NOT NULL, refused_at BIGINT NOT NULL, facts TEXT NOT NULL, PRIMARY KEY (team_id, digest)
  );
  CREATE INDEX refusal_by_time ON refusal (refused_at);
  CREATE TABLE team (id TEXT PRIMARY KEY, created_at BIGINT NOT NULL, terms TEXT NOT NULL);
  CREATE TABLE api_key (
    name TEXT PRIMARY KEY, hash TEXT NOT NULL UNIQUE, prefix TEXT NOT NULL, team_id TEXT NOT NULL, permissions TEXT NOT NULL,
    created_at BIGINT NOT NULL, expires_at BIGINT, last_used_at BIGINT
  );
  CREATE INDEX api_key_by_team ON api_key (team_id);
  CREATE TABLE ledger (
    job_id TEXT PRIMARY KEY, team_id TEXT NOT NULL, key_name TEXT NOT NULL, created_at BIGINT NOT NULL,
    credits DOUBLE PRECISION NOT NULL
  );
  CREATE INDEX ledger_by_team ON ledger (team_id, created_at, credits);
  CREATE INDEX ledger_by_age ON ledger (created_at);
  CREATE TABLE usage_day (
    team_id TEXT NOT NULL, day INTEGER NOT NULL, key_name TEXT NOT NULL, endpoint TEXT NOT NULL, month INTEGER NOT NULL,
    credits DOUBLE PRECISION NOT NULL, PRIMARY KEY (team_id, day, key_name, endpoint)
  );
  CREATE TABLE model_month (
    team_id TEXT NOT NULL, month INTEGER NOT NULL, key_name TEXT NOT NULL, task TEXT NOT NULL, model TEXT NOT NULL,
    calls BIGINT NOT NULL, input_tokens BIGINT NOT NULL, output_tokens BIGINT NOT NULL,
    PRIMARY KEY (team_id, month, key_name, task, model)
  );

  -- Slots and credits that a worker holds are deleted together with its row.
  CREATE TABLE quota_worker (id TEXT PRIMARY KEY, lease_until BIGINT NOT NULL);
  CREATE TABLE slot (
    seq NUMBERED_KEY, id TEXT NOT NULL UNIQUE, team_id TEXT NOT NULL,
    worker_id TEXT NOT NULL REFERENCES quota_worker (id) ON DELETE CASCADE, is_held BOOLEAN NOT NULL
  );
  CREATE INDEX slot_by_team ON slot (team_id, is_held, seq);
  CREATE INDEX slot_by_worker ON slot (worker_id, is_held);
  CREATE TABLE credit_hold (
    job_id TEXT PRIMARY KEY, team_id TEXT NOT NULL,
    worker_id TEXT NOT NULL REFERENCES quota_worker (id) ON DELETE CASCADE, credits DOUBLE PRECISION NOT NULL
  );
  CREATE INDEX credit_hold_by_team ON credit_hold (team_id, credits);
  CREATE INDEX credit_hold_by_worker ON credit_hold (worker_id);
  CREATE TABLE call_count (
    team_id TEXT NOT NULL, endpoint TEXT NOT NULL, minute BIGINT NOT NULL, calls INTEGER NOT NULL,
    PRIMARY KEY (team_id, endpoint)
  );

  -- Crawls. Triggers count the pages by state and, over all teams, the pages of each host that are being visited.
  CREATE TABLE crawl (
    id TEXT PRIMARY KEY, team_id TEXT NOT NULL, key_name TEXT, kind TEXT NOT NULL, target TEXT NOT NULL,
    created_at BIGINT NOT NULL, expires_at BIGINT NOT NULL, completed_at BIGINT, status TEXT NOT NULL,
    request_zst BYTES NOT NULL, page_limit BIGINT NOT NULL, max_concurrency INTEGER NOT NULL,
    delay_ms BIGINT NOT NULL, next_at BIGINT NOT NULL DEFAULT 0, is_seeded BOOLEAN NOT NULL, seeding_worker_id TEXT,
    seeding_lease_until BIGINT, seeding TEXT, final_url TEXT, error_code TEXT, error TEXT, warnings TEXT NOT NULL,
    waiting INTEGER NOT NULL DEFAULT 0, active INTEGER NOT NULL DEFAULT 0, done INTEGER NOT NULL DEFAULT 0,
    failed INTEGER NOT NULL DEFAULT 0, dropped INTEGER NOT NULL DEFAULT 0, credits DOUBLE PRECISION NOT NULL DEFAULT 0
  );
  CREATE INDEX crawl_by_status ON crawl (status, created_at);
  CREATE INDEX crawl_by_expiry ON crawl (expires_at);
  CREATE TABLE crawl_page (
    seq NUMBERED_KEY, id TEXT NOT NULL, crawl_id TEXT NOT NULL REFERENCES crawl (id) ON DELETE CASCADE,
    key_hash BYTES NOT NULL, url TEXT NOT NULL, host TEXT NOT NULL, depth INTEGER NOT NULL, source TEXT NOT NULL,
    state INTEGER NOT NULL, turn INTEGER NOT NULL DEFAULT 0, tries INTEGER NOT NULL DEFAULT 0, retries INTEGER NOT NULL DEFAULT 0,
    not_before BIGINT NOT NULL DEFAULT 0, worker_id TEXT, lease_until BIGINT, closing_mark TEXT, ended_at BIGINT,
    error_code TEXT, error TEXT, attempts TEXT, UNIQUE (crawl_id, key_hash)
  );
  CREATE INDEX crawl_page_waiting ON crawl_page (crawl_id, host, turn, depth, seq) WHERE state = 0;
  CREATE INDEX crawl_page_active ON crawl_page (crawl_id, depth) WHERE state = 1;
  CREATE INDEX crawl_page_leased ON crawl_page (worker_id, lease_until) WHERE state = 1;
  CREATE INDEX crawl_page_failed ON crawl_page (crawl_id, seq) WHERE error_code IS NOT NULL;
  CREATE TABLE crawl_host (
    crawl_id TEXT NOT NULL REFERENCES crawl (id) ON DELETE CASCADE, host TEXT NOT NULL, waiting INTEGER NOT NULL DEFAULT 0,
    active INTEGER NOT NULL DEFAULT 0, next_at BIGINT NOT NULL DEFAULT 0, crawl_delay_ms BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (crawl_id, host)
  );
  CREATE INDEX crawl_host_in_turn ON crawl_host (crawl_id, next_at) WHERE waiting > 0;
  -- Number of crawls with waiting or active pages of the host, and the crawl with a delay that visited the host last.
  CREATE TABLE shared_host (
    host TEXT PRIMARY KEY, crawls INTEGER NOT NULL DEFAULT 0, active INTEGER NOT NULL DEFAULT 0, turn_crawl_id TEXT,
    turn_delay_ms BIGINT NOT NULL DEFAULT 0, turn_ended_at BIGINT NOT NULL DEFAULT 0
  ) BUSY;
  CREATE INDEX shared_host_unused ON shared_host (host) WHERE crawls = 0;
  CREATE TABLE crawl_document (
    crawl_id TEXT NOT NULL REFERENCES crawl (id) ON DELETE CASCADE, n INTEGER NOT NULL, page_id TEXT NOT NULL UNIQUE,
    bytes BIGINT NOT NULL, status INTEGER NOT NULL, document_zst BYTES NOT NULL, text_id BIGINT, PRIMARY KEY (crawl_id, n)
  );
  CREATE INDEX crawl_document_by_text ON crawl_document (text_id) WHERE text_id IS NOT NULL;
  CREATE INDEX crawl_document_refused ON crawl_document (crawl_id, n) WHERE status >= 400;
  CREATE TABLE crawl_skip (
    crawl_id TEXT NOT NULL REFERENCES crawl (id) ON DELETE CASCADE, url TEXT NOT NULL, reason TEXT NOT NULL,
    PRIMARY KEY (crawl_id, url)
  );
  CREATE INDEX crawl_skip_by_reason ON crawl_skip (crawl_id, reason);

  -- Events of webhooks, which are leased by the queue of their crawl.
  CREATE TABLE delivery (
    id TEXT PRIMARY KEY, crawl_id TEXT NOT NULL, type TEXT NOT NULL, url TEXT NOT NULL, headers TEXT NOT NULL,
    body_zst BYTES NOT NULL, created_at BIGINT NOT NULL, state TEXT NOT NULL, turn INTEGER NOT NULL DEFAULT 1,
    next_at BIGINT NOT NULL, tries INTEGER NOT NULL DEFAULT 0, first_tried_at BIGINT, why TEXT, ended_at BIGINT
  );
  CREATE INDEX delivery_by_crawl ON delivery (crawl_id, state);
  CREATE INDEX delivery_by_age ON delivery (created_at);
  CREATE INDEX delivery_waiting ON delivery (crawl_id, turn, next_at, id) WHERE state = 'due';
  CREATE INDEX delivery_missed ON delivery (crawl_id, turn, first_tried_at) WHERE state = 'due' AND tries > 0;
  CREATE TABLE delivery_queue (
    crawl_id TEXT PRIMARY KEY, next_at BIGINT NOT NULL, paused_until BIGINT NOT NULL DEFAULT 0, worker_id TEXT,
    lease_until BIGINT
  );

  -- A check is a workflow of its monitor. Two checks at a time would compare with the same snapshot.
  CREATE TABLE monitor (
    id TEXT PRIMARY KEY, team_id TEXT NOT NULL, key_name TEXT, name TEXT NOT NULL, status TEXT NOT NULL,
    settings_zst BYTES NOT NULL, next_at BIGINT, created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL
  );
  CREATE INDEX monitor_by_team ON monitor (team_id, created_at, id);
  CREATE INDEX monitor_due ON monitor (next_at) WHERE next_at IS NOT NULL;
  CREATE TABLE workflow (
    id TEXT PRIMARY KEY, kind TEXT NOT NULL, team_id TEXT NOT NULL, key_name TEXT, target TEXT, created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL, completed_at BIGINT, status TEXT NOT NULL,
    request_zst BYTES NOT NULL, progress_zst BYTES, result_zst BYTES, error_code TEXT, error TEXT,
    warnings TEXT NOT NULL, credits DOUBLE PRECISION NOT NULL DEFAULT 0, attempt INTEGER NOT NULL DEFAULT 0,
    worker_id TEXT, lease_until BIGINT, monitor_id TEXT
  );
  CREATE INDEX workflow_processing ON workflow (created_at, id) WHERE status = 'processing';
  CREATE INDEX workflow_by_expiry ON workflow (expires_at);
  CREATE INDEX workflow_by_monitor ON workflow (monitor_id, created_at, id) WHERE monitor_id IS NOT NULL;
  CREATE UNIQUE INDEX workflow_of_monitor_processing ON workflow (monitor_id) WHERE status = 'processing';
  CREATE TABLE workflow_step (
    workflow_id TEXT NOT NULL REFERENCES workflow (id) ON DELETE CASCADE, name TEXT NOT NULL, value_zst BYTES NOT NULL,
    PRIMARY KEY (workflow_id, name)
  );

  -- Live browsers, and the servers that run them. server_time and database_time: the last renewal by the clock of the
  -- server and by that of the database.
  CREATE TABLE browser_session (
    id TEXT PRIMARY KEY, kind TEXT NOT NULL, team_id TEXT NOT NULL, key_name TEXT, created_at BIGINT NOT NULL,
    renewed_at BIGINT NOT NULL, last_activity_at BIGINT NOT NULL, expires_at BIGINT NOT NULL, is_viewed BOOLEAN NOT NULL,
    ended_at BIGINT, why TEXT, credits DOUBLE PRECISION NOT NULL, node_id TEXT
  );
  CREATE INDEX browser_session_by_team ON browser_session (team_id, created_at, id);
  CREATE INDEX browser_session_live ON browser_session (renewed_at) WHERE ended_at IS NULL;
  CREATE INDEX browser_session_by_end ON browser_session (ended_at);
  CREATE TABLE node (
    id TEXT PRIMARY KEY, role TEXT NOT NULL, url TEXT, started_at BIGINT NOT NULL, lease_until BIGINT NOT NULL, facts TEXT,
    server_time BIGINT, database_time BIGINT
  );

  -- Contains a row while another database is copied into this one.
  CREATE TABLE copying (worker_id TEXT NOT NULL, lease_until BIGINT NOT NULL);
`

const textTables = ['cache_made', 'crawl_document', 'job']

/** Creates the SQL that is added for each table that refers to kept texts. */
export const perTextTable = (make: (table: string) => string): string => textTables.map(make).join('\n')

/** Deletes the text that a changed or deleted row referred to, unless another row refers to it. */
export const dropText = `DELETE FROM kept_text WHERE id = old.text_id
  AND ${textTables.map((table) => `NOT EXISTS (SELECT 1 FROM ${table} WHERE text_id = old.text_id)`).join(' AND ')};`

const word = /\b(?:NUMBERED_KEY|NUMBER_KEY|BYTES|PLAIN_TEXT|BUSY)\b/g

/** Placeholders for syntax that differs between databases. */
export type DialectWords = {
  /** Integer primary key that the database assigns. */
  NUMBERED_KEY: string
  /** Primary key that holds the number of a row in another table. */
  NUMBER_KEY: string
  BYTES: string
  /** Text sorted and compared by bytes, regardless of the database's locale. */
  PLAIN_TEXT: string
  /** Storage options of a frequently updated table. */
  BUSY: string
}

export const tablesIn = (words: DialectWords): string =>
  tables.replaceAll(word, (name) => words[name as keyof DialectWords])

/** Error for a database of another version of this program; it is left unchanged. */
export class OtherSchema extends Error {
  override readonly name = 'OtherSchema'
  readonly isNewer: boolean
  constructor(version: number) {
    super(`its schema is version ${version}, this program knows ${schemaVersion}`)
    this.isNewer = version > schemaVersion
  }
}
