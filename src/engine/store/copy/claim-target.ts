import { AppError } from '../../../kernel/error.ts'
import type { Db, Statement } from '../sqlite/db/db.ts'
import { hasDied, newWorkerId } from '../worker-id.ts'

/** The mark of a copy under way. It stays with what a copy leaves behind that does not come to its end. */
export type Claim = {
  /** Written with each slice. */
  renewal(): Statement
  /** Fails where another copy has taken the target over. */
  check(renewed: number | undefined): void
  /** All is there. */
  finish(): Promise<void>
}
type Target = { db: Db; emptying(tables: readonly string[]): readonly Statement[] }

/** Many times as long as a slice takes. */
const leaseMs = 120_000

export const refuse = (message: string, hint: string): never => {
  throw new AppError('COPY_REFUSED', { status: 409, message, hint })
}

/**
 * Takes a target for one copy. What an earlier one left there that failed is deleted; a target that holds anything else, or
 * that another copy writes to, is refused as it is.
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

/** A table as it is copied: the columns that tell its rows apart, and how many rows go at once. */
export type CopiedTable = { name: string; key: readonly string[]; slice: number }

const few = 20
const many = 500
const t = (name: string, key: string, slice = many): CopiedTable => ({ name, key: key.split(' '), slice })

/** What is copied, so that a row comes after those it refers to. A few at a time where rows may be large. */
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

/** Their triggers count rows of others, which came after them; they are written once more, as they were. */
export const countedTables: readonly string[] = ['kept_text', 'crawl', 'crawl_host', 'delivery_queue']

/** Leases of running programs and of copies, which are left behind, and what is made anew: the index from the pages, shared hosts by triggers. */
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
