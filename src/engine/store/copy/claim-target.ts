import { AppError } from '../../../kernel/error.ts'
import type { Db, Statement } from '../sqlite/db/db.ts'
import { hasDied, newWorkerId } from '../worker-id.ts'

/** Marker of a copy in progress. It remains after a failed copy. */
export type Claim = {
  /** Returns the statement that renews the claim; part of each slice's transaction. */
  renewal(): Statement
  /** Fails if another copy has taken over the target. */
  check(renewed: number | undefined): void
  /** Marks the copy as complete. */
  finish(): Promise<void>
}
type Target = { db: Db; emptying(tables: readonly string[]): readonly Statement[] }

/** Many times as long as one slice takes. */
const leaseMs = 120_000

export const refuse = (message: string, hint: string): never => {
  throw new AppError('COPY_REFUSED', { status: 409, message, hint })
}

/**
 * Claims a target for one copy. Data of an earlier, failed copy is deleted. A target that contains other data, or that
 * another copy writes to, is refused and left unchanged.
 */
export async function claimTarget({ db, emptying }: Target, clock: { now(): number }): Promise<Claim> {
  const workerId = newWorkerId()
  const [earlier] = await db.all('SELECT worker_id, lease_until FROM copying')
  const isOver = earlier && (hasDied(String(earlier.worker_id)) || Number(earlier.lease_until) <= clock.now())
  if (!earlier) await refuseHeld(db)
  if (earlier && !isOver)
    refuse('Another copy into this target is under way.', 'If it failed on another machine, try again in two minutes.')
  const [, claimed] = await db.transaction([
    { sql: 'DELETE FROM copying WHERE worker_id = ?', params: [earlier?.worker_id ?? ''] },
    {
      sql: 'INSERT INTO copying (worker_id, lease_until) SELECT ?, ? WHERE NOT EXISTS (SELECT 1 FROM copying) RETURNING worker_id',
      params: [workerId, clock.now() + leaseMs],
    },
  ])
  if (claimed?.rows.length !== 1) refuse('Another copy into this target has just begun.', 'Let it end.')
  if (earlier) await db.transaction(emptying(['shared_host', ...copiedTables.map(({ name }) => name), 'page_entry']))
  return {
    renewal: () => ({
      sql: 'UPDATE copying SET lease_until = ? WHERE worker_id = ?',
      params: [clock.now() + leaseMs, workerId],
    }),
    check(renewed) {
      if (renewed !== 1) refuse('Another copy has taken the target over.', 'Let it end.')
    },
    finish: async () => void (await db.run('DELETE FROM copying WHERE worker_id = ?', [workerId])),
  }
}

async function refuseHeld(db: Db): Promise<void> {
  for (const { name } of copiedTables) {
    const [found] = await db.all(`SELECT COUNT(*) AS rows_there FROM ${name}`)
    if (Number(found?.rows_there) > 0)
      refuse(`The target already holds data (${name}: ${Number(found?.rows_there)} rows).`, 'Copy into an empty one.')
  }
}

/** A table to copy: its key columns, and the number of rows per slice. */
export type CopiedTable = { name: string; key: readonly string[]; slice: number }

const few = 20
const many = 500
const t = (name: string, key: string, slice = many): CopiedTable => ({ name, key: key.split(' '), slice })

/** Tables in order of their references. Tables with large rows use small slices. */
export const copiedTables: readonly CopiedTable[] = [
  t('kept_text', 'id', few),
  t('cache_page', 'id'),
  t('cache_body', 'page_id', few),
  t('cache_made', 'page_id variant part', few),
  t('job', 'id', few),
  t('activity', 'team_id created_at id'),
  t('ledger', 'job_id'),
  t('usage_day', 'team_id day key_name'),
  t('usage_month', 'team_id month key_name endpoint'),
  t('model_month', 'team_id month key_name task model'),
  t('team', 'id'),
  t('api_key', 'name'),
  t('host_trait', 'host'),
  t('crawl', 'id', few),
  t('crawl_page', 'seq'),
  t('crawl_host', 'crawl_id host'),
  t('crawl_document', 'crawl_id n', few),
  t('crawl_skip', 'crawl_id url'),
  t('delivery', 'id', few),
  t('delivery_queue', 'crawl_id'),
  t('snapshot', 'team_id url tag', few),
  t('linked_file', 'id', few),
  t('browser_session', 'id'),
  t('workflow', 'id', few),
  t('workflow_step', 'workflow_id name', few),
  t('monitor', 'id'),
  t('keyed_call', 'team_id key_digest', few),
  t('refusal', 'team_id digest'),
]

/**
 * Tables whose counters are changed by triggers of later tables; they are written again afterwards, with their original
 * values.
 */
export const countedTables: readonly string[] = ['kept_text', 'crawl', 'crawl_host', 'delivery_queue']

/**
 * Tables not copied: leases of running programs and copies, and derived data (the index is rebuilt from the pages,
 * shared hosts by triggers).
 */
export const leftTables: readonly string[] = [
  'quota_worker',
  'node',
  'slot',
  'credit_hold',
  'call_count',
  'page_entry',
  'copying',
  'shared_host',
]
