import type { Crawls, PageOutcome } from '../../../../contracts/crawl.ts'
import type { Condition, Db, Statement } from '../db/db.ts'
import { chargeAll } from '../ledger.ts'
import { insertDeliveryIf } from './deliveries.ts'
import { insertDocument } from './document.ts'
import { type Ended, finish, isClosedAs } from './frontier-finish.ts'
import { pageState } from './page-state.ts'
import { pauseHost } from './shared-hosts.ts'

type Finished = Awaited<ReturnType<Crawls['finish']>>
type WithDocument = Ended & { outcome: Extract<PageOutcome, { kind: 'document' }> }

/**
 * Writes the outcomes of visits. Most are documents that took no other page's place: those of one worker are closed, priced
 * and charged by statements for all of them, in one transaction. Where it fails each is written by itself, as the others are.
 */
export function finishTogether(db: Db, now: number, ended: readonly Ended[]): Promise<Finished>[] {
  const alike = Map.groupBy(ended.filter(isPlain), ({ workerId }) => workerId)
  const written = new Map<Ended, Promise<Finished>>()
  for (const [workerId, some] of alike) {
    const closing = closeAll(db, now, workerId, some)
    for (const one of some)
      written.set(
        one,
        closing.then(
          (closed) => (closed.has(one.page.seq) ? 'finished' : 'lost'),
          () => finish(db, now, one),
        ),
      )
  }
  return ended.map((one) => written.get(one) ?? finish(db, now, one))
}

const isPlain = (ended: Ended): ended is WithDocument =>
  ended.outcome.kind === 'document' && ended.outcome.redirectedTo === undefined

/** The numbers of the pages that were still leased to the worker: of the others nothing is written. */
async function closeAll(
  db: Db,
  now: number,
  workerId: string,
  ended: readonly WithDocument[],
): Promise<ReadonlySet<number>> {
  const closingMark = crypto.randomUUID()
  const statements: Statement[] = [
    {
      sql: `UPDATE crawl_page SET state = ${pageState.done}, worker_id = NULL, closing_mark = ?, ended_at = ?
        WHERE seq IN (SELECT CAST(value AS BIGINT) FROM json_each(?)) AND state = ${pageState.active} AND worker_id = ? RETURNING seq`,
      params: [closingMark, now, JSON.stringify(ended.map(({ page }) => page.seq)), workerId],
    },
  ]
  for (const { page, outcome } of ended) {
    const isClosed = isClosedAs({ page, closingMark }, pageState.done)
    statements.push(...insertDocument(page, outcome.document, isClosed))
    if (outcome.delivery) statements.push(insertDeliveryIf(outcome.delivery, now, isClosed))
  }
  const crawls = Map.groupBy(ended, ({ page }) => page.crawlId)
  statements.push(...[...crawls].map(([crawlId, some]) => addUp(crawlId, some, closingMark, now)))
  const hosts = Map.groupBy(ended, ({ page }) => JSON.stringify([page.crawlId, page.host]))
  statements.push(...[...hosts.values()].flatMap(([first]) => (first ? pauseHost(first.page, now) : [])))
  statements.push(...chargeAll(chargesOf(ended, now), isClosedCharge(closingMark)))
  const [closed] = await db.transaction(statements)
  return new Set(closed?.rows.map(({ seq }) => Number(seq)))
}

const chargesOf = (ended: readonly WithDocument[], createdAt: number) =>
  ended
    .filter(({ outcome }) => outcome.credits > 0)
    .map(({ page: { seq, id, teamId, keyName, kind }, outcome: { credits } }) => ({
      jobId: id,
      teamId,
      keyName,
      endpoint: kind,
      createdAt,
      credits,
      seq,
    }))

const isClosedCharge = (closingMark: string): Condition => ({
  sql: `EXISTS (SELECT 1 FROM crawl_page
    WHERE seq = CAST(charge.value ->> 'seq' AS BIGINT) AND closing_mark = ? AND state = ${pageState.done})`,
  params: [closingMark],
})

/** What all these pages of a crawl cost, and its delay, which counts from the end of a visit. */
function addUp(crawlId: string, ended: readonly WithDocument[], closingMark: string, now: number): Statement {
  const isClosed = isClosedCharge(closingMark)
  return {
    sql: `UPDATE crawl SET next_at = CASE WHEN delay_ms > 0 THEN ? + delay_ms ELSE next_at END,
      credits = credits + coalesce((SELECT sum(CAST(charge.value ->> 'credits' AS DOUBLE PRECISION))
        FROM json_each(?) AS charge WHERE ${isClosed.sql}), 0) WHERE id = ?`,
    params: [now, JSON.stringify(chargesOf(ended, now)), ...isClosed.params, crawlId],
  }
}
