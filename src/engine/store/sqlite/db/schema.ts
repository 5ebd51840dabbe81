import { digestSchema } from './schemas/digest-schema.ts'
import { firstSchema } from './schemas/first-schema.ts'
import { keptTextSchema } from './schemas/kept-text-schema.ts'
import { copyingSchema, nodeFactsSchema, nodeSchema, seedingSchema } from './schemas/shared-schemas.ts'
import { objectSchema } from './schemas/object-schema.ts'
import { refusalSchema } from './schemas/refusal-schema.ts'
import { sharedHostSchema } from './schemas/shared-host-schema.ts'
import { teamSchema } from './schemas/team-schema.ts'

/**
 * Each entry brings the schema from the version before to the next; entries are never edited, only added.
 * Times are ms since the epoch. The numbers in `state = …` are those of `pageState`.
 */
export const migrations: readonly string[] = [
  firstSchema,
  `CREATE TABLE host_trait (host TEXT PRIMARY KEY, empty_at BIGINT NOT NULL);`,
  `
  CREATE TABLE crawl (
    id TEXT PRIMARY KEY, team_id TEXT NOT NULL, key_name TEXT, kind TEXT NOT NULL, target TEXT NOT NULL,
    created_at BIGINT NOT NULL, expires_at BIGINT NOT NULL, completed_at BIGINT, status TEXT NOT NULL,
    idempotency_key TEXT, request_zst BLOB NOT NULL, page_limit BIGINT NOT NULL, max_concurrency INTEGER NOT NULL,
    delay_ms BIGINT NOT NULL, next_at BIGINT NOT NULL DEFAULT 0, is_kicked_off INTEGER NOT NULL,
    kick_owner TEXT, kick_until BIGINT, landed_url TEXT, error_code TEXT, error TEXT, warnings TEXT NOT NULL,
    waiting INTEGER NOT NULL DEFAULT 0, active INTEGER NOT NULL DEFAULT 0, done INTEGER NOT NULL DEFAULT 0,
    failed INTEGER NOT NULL DEFAULT 0, dropped INTEGER NOT NULL DEFAULT 0, credits DOUBLE PRECISION NOT NULL DEFAULT 0,
    UNIQUE (team_id, idempotency_key)
  );
  CREATE INDEX crawl_by_status ON crawl (status, created_at);
  CREATE INDEX crawl_by_expiry ON crawl (expires_at);

  CREATE TABLE crawl_page (
    seq INTEGER PRIMARY KEY, id TEXT NOT NULL, crawl_id TEXT NOT NULL REFERENCES crawl (id) ON DELETE CASCADE,
    key_hash BLOB NOT NULL, url TEXT NOT NULL, host TEXT NOT NULL, depth INTEGER NOT NULL, source TEXT NOT NULL,
    state INTEGER NOT NULL, tries INTEGER NOT NULL DEFAULT 0, retries INTEGER NOT NULL DEFAULT 0, not_before BIGINT NOT NULL DEFAULT 0,
    owner TEXT, lease_until BIGINT, ended_at BIGINT, error_code TEXT, error TEXT,
    UNIQUE (crawl_id, key_hash)
  );
  CREATE INDEX crawl_page_waiting ON crawl_page (crawl_id, host, depth, seq) WHERE state = 0;
  CREATE INDEX crawl_page_active ON crawl_page (crawl_id, depth) WHERE state = 1;
  CREATE INDEX crawl_page_leased ON crawl_page (owner, lease_until) WHERE state = 1;
  CREATE INDEX crawl_page_failed ON crawl_page (crawl_id, seq) WHERE state = 3;
  CREATE TABLE crawl_host (
    crawl_id TEXT NOT NULL REFERENCES crawl (id) ON DELETE CASCADE, host TEXT NOT NULL,
    waiting INTEGER NOT NULL DEFAULT 0, active INTEGER NOT NULL DEFAULT 0, next_at BIGINT NOT NULL DEFAULT 0,
    gap_ms BIGINT NOT NULL DEFAULT 0, PRIMARY KEY (crawl_id, host)
  );
  CREATE TABLE crawl_document (
    crawl_id TEXT NOT NULL REFERENCES crawl (id) ON DELETE CASCADE, n INTEGER NOT NULL, page_id TEXT NOT NULL UNIQUE,
    bytes BIGINT NOT NULL, document_zst BLOB NOT NULL, PRIMARY KEY (crawl_id, n)
  );
  CREATE TABLE crawl_skip (
    crawl_id TEXT NOT NULL REFERENCES crawl (id) ON DELETE CASCADE, url TEXT NOT NULL, reason TEXT NOT NULL,
    PRIMARY KEY (crawl_id, url)
  );
  CREATE INDEX crawl_skip_by_reason ON crawl_skip (crawl_id, reason);

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
  END;

  CREATE TABLE delivery (
    id TEXT PRIMARY KEY, crawl_id TEXT NOT NULL, type TEXT NOT NULL, url TEXT NOT NULL, headers TEXT NOT NULL,
    body_zst BLOB NOT NULL, created_at BIGINT NOT NULL, state TEXT NOT NULL, next_at BIGINT NOT NULL,
    tries INTEGER NOT NULL DEFAULT 0, owner TEXT, why TEXT, ended_at BIGINT
  );
  CREATE INDEX delivery_due ON delivery (next_at) WHERE state = 'due';
  CREATE INDEX delivery_in_turn ON delivery (crawl_id, next_at, id) WHERE state = 'due';
  CREATE INDEX delivery_held ON delivery (owner, crawl_id) WHERE state = 'due' AND owner IS NOT NULL;
  CREATE INDEX delivery_by_crawl ON delivery (crawl_id, state);
  CREATE INDEX delivery_by_age ON delivery (created_at);

  CREATE TABLE snapshot (
    team_id TEXT NOT NULL, url TEXT NOT NULL, tag TEXT NOT NULL, taken_at BIGINT NOT NULL, is_linked INTEGER NOT NULL,
    content_zst BLOB, json TEXT, PRIMARY KEY (team_id, url, tag)
  );
  CREATE INDEX snapshot_by_age ON snapshot (taken_at);
  `,
  `
  CREATE TABLE linked_file (
    id TEXT PRIMARY KEY, team_id TEXT NOT NULL, digest BLOB NOT NULL, media_type TEXT NOT NULL, bytes BLOB NOT NULL,
    expires_at BIGINT NOT NULL, UNIQUE (team_id, digest)
  );
  CREATE INDEX linked_file_by_expiry ON linked_file (expires_at);
  `,
  // The index of page texts is SQLite's own; rows of page_text go by a trigger, so that they leave with the page.
  `
  CREATE TABLE page_entry (
    page_id INTEGER PRIMARY KEY REFERENCES cache_page (id) ON DELETE CASCADE, team_id TEXT NOT NULL,
    host_key TEXT NOT NULL, path TEXT NOT NULL, url TEXT NOT NULL, title TEXT NOT NULL, description TEXT NOT NULL,
    fetched_at BIGINT NOT NULL
  );
  CREATE INDEX page_entry_by_place ON page_entry (team_id, host_key, path);
  CREATE VIRTUAL TABLE page_text USING fts5 (
    scope, url, title, body, content = '', contentless_delete = 1,
    tokenize = 'porter unicode61 remove_diacritics 2'
  );
  CREATE TRIGGER page_entry_gone AFTER DELETE ON page_entry BEGIN
    DELETE FROM page_text WHERE rowid = old.page_id;
  END;
  `,
  `
  ALTER TABLE job ADD COLUMN replay_zst BLOB;
  CREATE TABLE browser_session (
    id TEXT PRIMARY KEY, kind TEXT NOT NULL, team_id TEXT NOT NULL, key_name TEXT, created_at BIGINT NOT NULL,
    renewed_at BIGINT NOT NULL, last_activity_at BIGINT NOT NULL, expires_at BIGINT NOT NULL, is_viewed INTEGER NOT NULL,
    ended_at BIGINT, why TEXT, credits DOUBLE PRECISION NOT NULL
  );
  CREATE INDEX browser_session_by_team ON browser_session (team_id, created_at, id);
  CREATE INDEX browser_session_live ON browser_session (renewed_at) WHERE ended_at IS NULL;
  CREATE INDEX browser_session_by_end ON browser_session (ended_at);
  `,
  // Larger pieces of the index, eight of which are merged at a time instead of four: a sixth less CPU.
  `
  INSERT INTO page_text (page_text, rank) VALUES ('automerge', 8);
  INSERT INTO page_text (page_text, rank) VALUES ('pgsz', 16000);
  INSERT INTO page_text (page_text, rank) VALUES ('hashsize', 4194304);
  `,
  // Who has a lease, and what the end of a visit leaves on its page, were one column.
  `
  ALTER TABLE crawl_page RENAME COLUMN owner TO worker_id;
  ALTER TABLE crawl_page ADD COLUMN closing_mark TEXT;
  UPDATE crawl_page SET closing_mark = worker_id, worker_id = NULL WHERE state <> 1 AND worker_id IS NOT NULL;
  ALTER TABLE crawl_host RENAME COLUMN gap_ms TO crawl_delay_ms;
  ALTER TABLE crawl RENAME COLUMN kick_owner TO seeding_worker_id;
  ALTER TABLE crawl RENAME COLUMN kick_until TO seeding_lease_until;
  ALTER TABLE crawl RENAME COLUMN is_kicked_off TO is_seeded;
  ALTER TABLE crawl RENAME COLUMN landed_url TO final_url;
  ALTER TABLE delivery RENAME COLUMN owner TO worker_id;
  UPDATE delivery SET state = 'abandoned' WHERE state = 'given up';
  `,
  `
  CREATE TABLE workflow (
    id TEXT PRIMARY KEY, kind TEXT NOT NULL, team_id TEXT NOT NULL, key_name TEXT, target TEXT,
    created_at BIGINT NOT NULL, expires_at BIGINT NOT NULL, completed_at BIGINT, status TEXT NOT NULL,
    idempotency_key TEXT, request_zst BLOB NOT NULL, progress_zst BLOB, result_zst BLOB, error_code TEXT, error TEXT,
    warnings TEXT NOT NULL, credits DOUBLE PRECISION NOT NULL DEFAULT 0,
    attempt INTEGER NOT NULL DEFAULT 0, worker_id TEXT, lease_until BIGINT,
    UNIQUE (team_id, idempotency_key)
  );
  CREATE INDEX workflow_processing ON workflow (created_at, id) WHERE status = 'processing';
  CREATE INDEX workflow_by_expiry ON workflow (expires_at);
  CREATE TABLE workflow_step (
    workflow_id TEXT NOT NULL REFERENCES workflow (id) ON DELETE CASCADE, name TEXT NOT NULL, value_zst BLOB NOT NULL,
    PRIMARY KEY (workflow_id, name)
  );
  `,
  // Events are leased by the queue of their crawl, no longer one by one.
  `
  DROP INDEX delivery_due;
  DROP INDEX delivery_in_turn;
  DROP INDEX delivery_held;
  ALTER TABLE delivery ADD COLUMN turn INTEGER NOT NULL DEFAULT 1;
  ALTER TABLE delivery ADD COLUMN first_tried_at BIGINT;
  UPDATE delivery SET turn = CASE WHEN type LIKE '%.started' THEN 0 WHEN type LIKE '%.page' THEN 1 ELSE 2 END;
  UPDATE delivery SET next_at = created_at, tries = max(0, tries - 1) WHERE state = 'due' AND worker_id IS NOT NULL;
  UPDATE delivery SET first_tried_at = created_at WHERE state = 'due' AND tries > 0;
  ALTER TABLE delivery DROP COLUMN worker_id;
  CREATE INDEX delivery_waiting ON delivery (crawl_id, turn, next_at, id) WHERE state = 'due';
  CREATE INDEX delivery_missed ON delivery (crawl_id, turn, first_tried_at) WHERE state = 'due' AND tries > 0;
  CREATE TABLE delivery_queue (
    crawl_id TEXT PRIMARY KEY, next_at BIGINT NOT NULL, paused_until BIGINT NOT NULL DEFAULT 0,
    worker_id TEXT, lease_until BIGINT
  );
  INSERT INTO delivery_queue (crawl_id, next_at)
    SELECT crawl_id, min(next_at) FROM delivery WHERE state = 'due' GROUP BY crawl_id;
  CREATE TRIGGER delivery_added AFTER INSERT ON delivery WHEN new.state = 'due' BEGIN
    INSERT INTO delivery_queue (crawl_id, next_at) VALUES (new.crawl_id, new.next_at)
      ON CONFLICT (crawl_id) DO UPDATE SET next_at = min(next_at, excluded.next_at);
  END;
  `,
  `
  CREATE TABLE model_month (
    team_id TEXT NOT NULL, month INTEGER NOT NULL, key_name TEXT NOT NULL, task TEXT NOT NULL, model TEXT NOT NULL,
    calls BIGINT NOT NULL, input_tokens BIGINT NOT NULL, output_tokens BIGINT NOT NULL,
    PRIMARY KEY (team_id, month, key_name, task, model)
  );
  `,
  teamSchema,
  // What a worker has taken leaves with it.
  `
  CREATE TABLE quota_worker (id TEXT PRIMARY KEY, lease_until BIGINT NOT NULL);
  CREATE TABLE slot (
    seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, team_id TEXT NOT NULL,
    worker_id TEXT NOT NULL REFERENCES quota_worker (id) ON DELETE CASCADE, is_held INTEGER NOT NULL
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
  `,
  // A check is a workflow of its monitor; two at a time would compare with one snapshot.
  `
  CREATE TABLE monitor (
    id TEXT PRIMARY KEY, team_id TEXT NOT NULL, key_name TEXT, name TEXT NOT NULL, status TEXT NOT NULL,
    settings_zst BLOB NOT NULL, next_at BIGINT, created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL
  );
  CREATE INDEX monitor_by_team ON monitor (team_id, created_at, id);
  CREATE INDEX monitor_due ON monitor (next_at) WHERE next_at IS NOT NULL;
  ALTER TABLE workflow ADD COLUMN monitor_id TEXT;
  CREATE INDEX workflow_by_monitor ON workflow (monitor_id, created_at, id) WHERE monitor_id IS NOT NULL;
  CREATE UNIQUE INDEX workflow_of_monitor_processing ON workflow (monitor_id) WHERE status = 'processing';
  `,
  // Keys of jobs were columns of crawl and workflow, which stay empty. Neither key nor answer can be read from a row.
  `
  CREATE TABLE keyed_call (
    team_id TEXT NOT NULL, key_digest BLOB NOT NULL, asks_digest BLOB NOT NULL, job_id TEXT NOT NULL,
    claim_id TEXT NOT NULL UNIQUE, worker_id TEXT NOT NULL, is_answered INTEGER NOT NULL, answer BLOB,
    expires_at BIGINT NOT NULL, PRIMARY KEY (team_id, key_digest)
  );
  CREATE INDEX keyed_call_by_expiry ON keyed_call (expires_at);
  `,
  // Months by key and endpoint; of what was charged before, no endpoint is known.
  `
  CREATE TABLE usage_month (
    team_id TEXT NOT NULL, month INTEGER NOT NULL, key_name TEXT NOT NULL, endpoint TEXT NOT NULL,
    credits DOUBLE PRECISION NOT NULL, PRIMARY KEY (team_id, month, key_name, endpoint)
  );
  INSERT INTO usage_month (team_id, month, key_name, endpoint, credits)
    SELECT team_id, month, key_name, '', SUM(credits) FROM usage_day GROUP BY team_id, month, key_name;
  `,
  digestSchema,
  keptTextSchema,
  refusalSchema,
  copyingSchema,
  nodeSchema,
  nodeFactsSchema,
  sharedHostSchema,
  seedingSchema,
  objectSchema,
]
