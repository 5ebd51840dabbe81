import { AppError } from '../../../kernel/error.ts'
import type { Db, Statement } from '../sqlite/db/db.ts'
import { hasDied, newWorkerId } from '../worker-id.ts'
import { copiedTables } from './tables.ts'

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
