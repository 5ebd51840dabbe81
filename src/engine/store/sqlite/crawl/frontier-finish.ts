import type { ClaimedPage, Crawls, FailureReason, PageOutcome } from '../../../../contracts/crawl-ports.ts'
import { packed, type Condition, type Db, type Statement } from '../db/db.ts'
import { chargeAll } from '../charges.ts'
import { insertDeliveryIf } from './deliveries.ts'
import { type Divided, divided, keepText, textId } from '../kept-text.ts'
import { pageState } from './results.ts'
import { hashKey, insertSkip } from './frontier-add.ts'
import { pauseHost } from './frontier.ts'

type OutcomeOf<K extends Outcome['kind']> = Extract<Outcome, { kind: K }>
type WithDocument = Extract<PageOutcome, { kind: 'document' }>
type Outcome = Exclude<PageOutcome, WithDocument> | (Omit<WithDocument, 'document'> & { document: NewDocument })
/** A finished visit whose outcome is not written yet. */
type Ended = { page: ClaimedPage; workerId: string; outcome: Outcome }

const endedAs = (page: ClaimedPage, workerId: string, outcome: PageOutcome): Ended => ({
  page,
  workerId,
  outcome: outcome.kind === 'document' ? { ...outcome, document: newDocument(outcome.document) } : outcome,
})

type Closing = Omit<Ended, 'outcome'> & {
  /**
   * Random mark. `closePage` writes it to the row if the lease is still valid; the later statements do nothing without
   * it.
   */
  closingMark: string
  now: number
}

/**
 * Writes the outcome of a visit, its charge and its webhook event in one transaction, and only while the page is leased
 * to the worker: a late writer changes nothing.
 */
async function finish(db: Db, now: number, { page, workerId, outcome }: Ended): ReturnType<Crawls['finish']> {
  const closing = { page, workerId, closingMark: crypto.randomUUID(), now }
  const outcomes = await db.transaction(statementsOf(closing, outcome))
  const [closed] = outcomes.flatMap(({ rows }) => rows)
  if (!closed) return 'lost'
  return outcome.kind === 'document' && closed.state === pageState.dropped ? 'duplicate' : 'finished'
}

function statementsOf(closing: Closing, outcome: Outcome): Statement[] {
  switch (outcome.kind) {
    case 'document':
      return closeWithDocument(closing, outcome)
    case 'failed':
      return closeAsFailed(closing, outcome)
    case 'retry':
      return returnForRetry(closing, outcome)
    case 'returned':
      return [
        closePage(closing, pageState.waiting),
        {
          sql: 'UPDATE crawl_page SET tries = tries - 1 WHERE seq = ? AND closing_mark = ?',
          params: [closing.page.seq, closing.closingMark],
        },
      ]
    default:
      return [
        closePage(closing, pageState.dropped),
        insertSkip(closing.page.crawlId, { url: closing.page.url, reason: outcome.reason }),
        ...(outcome.failure ? [noteFailure(closing, outcome.failure)] : []),
        ...pauseAfter(closing),
      ]
  }
}

/**
 * Closes a page with its document. A redirected page takes the URL it ended at; if another page already has that URL,
 * it is dropped as a duplicate.
 */
function closeWithDocument(
  closing: Closing,
  { document, credits, redirectedTo, delivery }: OutcomeOf<'document'>,
): Statement[] {
  const { page, closingMark, now } = closing
  const { crawlId, id, url } = page
  const isClosed = isClosedAs(closing, pageState.done)
  const isDropped = isClosedAs(closing, pageState.dropped)
  const reservation = redirectedTo && reserveTarget(closing, redirectedTo)
  const holdsTarget = redirectedTo && {
    sql: `EXISTS (SELECT 1 FROM crawl_page
      WHERE crawl_id = ? AND key_hash = ? AND state = ${pageState.redirectTarget} AND id = ?)`,
    params: [crawlId, hashKey(redirectedTo.key), id],
  }
  return [
    ...(reservation ? [reservation] : []),
    holdsTarget
      ? closePage(
          closing,
          `CASE WHEN ${holdsTarget.sql} THEN ${pageState.done} ELSE ${pageState.dropped} END`,
          holdsTarget.params,
        )
      : closePage(closing, pageState.done),
    ...insertDocument(page, document, isClosed),
    addUp(crawlId, [{ page, outcome: { credits } }], closingMark, now),
    ...chargeAll(chargesOf([{ page, outcome: { credits } }], now), isClosedCharge(closingMark)),
    ...(delivery ? [insertDeliveryIf(delivery, now, isClosed)] : []),
    {
      sql: `INSERT INTO crawl_skip (crawl_id, url, reason) SELECT ?, ?, 'duplicate'
        WHERE ${isDropped.sql} ON CONFLICT DO NOTHING`,
      params: [crawlId, url, ...isDropped.params],
    },
    ...pauseAfter(closing),
  ]
}

/** A result ready to be written. Its large texts are already bytes, which take less memory while the result waits. */
type NewDocument = Divided & { status: number }

const newDocument = (document: { metadata?: { statusCode?: number } }): NewDocument => ({
  ...divided(document),
  // A page without an HTTP status has 0.
  status: document.metadata?.statusCode ?? 0,
})

/** Appends the result of a page to those of its crawl, if the condition holds. */
function insertDocument(
  { crawlId, id }: ClaimedPage,
  { json, text: shared, size, status }: NewDocument,
  condition: Condition,
): Statement[] {
  return [
    ...(shared ? [keepText(shared, condition)] : []),
    {
      sql: `INSERT INTO crawl_document (crawl_id, n, page_id, bytes, status, document_zst, text_id)
        SELECT ?, (SELECT coalesce(max(n), -1) + 1 FROM crawl_document WHERE crawl_id = ?), ?, ?, ?, ?, ${textId}
        WHERE ${condition.sql}`,
      params: [crawlId, crawlId, id, size, status, packed(json), shared?.digest ?? null, ...condition.params],
    },
  ]
}

const noteFailure = ({ page, closingMark }: Closing, { code, message, attempts }: FailureReason): Statement => ({
  sql: 'UPDATE crawl_page SET error_code = ?, error = ?, attempts = ? WHERE seq = ? AND closing_mark = ?',
  params: [code, message, attempts ? JSON.stringify(attempts) : null, page.seq, closingMark],
})

function closeAsFailed(closing: Closing, { delivery, ...failure }: OutcomeOf<'failed'>): Statement[] {
  const isClosed = isClosedAs(closing, pageState.failed)
  return [
    closePage(closing, pageState.failed),
    noteFailure(closing, failure),
    ...(delivery ? [insertDeliveryIf(delivery, closing.now, isClosed)] : []),
    ...pauseAfter(closing),
  ]
}

function returnForRetry(closing: Closing, { at, scope = 'host' }: OutcomeOf<'retry'>): Statement[] {
  const { page } = closing
  const returned = isClosedAs(closing, pageState.waiting)
  const hostWaits = {
    sql: `UPDATE crawl_host SET next_at = max(next_at, ?) WHERE crawl_id = ? AND host = ? AND ${returned.sql}`,
    params: [at, page.crawlId, page.host, ...returned.params],
  }
  return [
    closePage(closing, pageState.waiting),
    {
      sql: 'UPDATE crawl_page SET not_before = ?, retries = retries + 1 WHERE seq = ? AND closing_mark = ?',
      params: [at, page.seq, closing.closingMark],
    },
    ...(scope === 'host' ? [hostWaits] : []),
    ...pauseAfter(closing),
  ]
}

/** Returns the statement that closes the page and returns its state, if the worker still holds the lease. */
const closePage = (
  { page, workerId, closingMark, now }: Closing,
  state: number | string,
  params: Condition['params'] = [],
): Statement => ({
  sql: `UPDATE crawl_page SET state = ${state}, worker_id = NULL, closing_mark = ?, ended_at = ?
    WHERE seq = ? AND state = ${pageState.active} AND worker_id = ? RETURNING state`,
  params: [...params, closingMark, now, page.seq, workerId],
})

const isClosedAs = ({ page, closingMark }: Pick<Closing, 'page' | 'closingMark'>, state: number): Condition => ({
  sql: `EXISTS (SELECT 1 FROM crawl_page WHERE seq = ? AND closing_mark = ? AND state = ${state})`,
  params: [page.seq, closingMark],
})

const reserveTarget = ({ page, workerId }: Closing, { key, url }: { key: string; url: string }): Statement => ({
  sql: `INSERT INTO crawl_page (id, crawl_id, key_hash, url, host, depth, source, state)
    SELECT id, crawl_id, ?, ?, host, depth, source, ${pageState.redirectTarget} FROM crawl_page
    WHERE seq = ? AND state = ${pageState.active} AND worker_id = ? ON CONFLICT DO NOTHING`,
  params: [hashKey(key), url, page.seq, workerId],
})

/** Starts the delay of the crawl and the crawl delay of the host, which are measured from the end of a visit. */
const pauseAfter = ({ page, now }: Closing): Statement[] => [
  { sql: 'UPDATE crawl SET next_at = ? + delay_ms WHERE id = ? AND delay_ms > 0', params: [now, page.crawlId] },
  ...pauseHost(page, now),
]

type Plain = Ended & { outcome: OutcomeOf<'document'> }
type Priced = { page: ClaimedPage; outcome: { credits: number } }

/**
 * Writes the outcomes of visits. Most are documents without a redirect: those of one worker are closed, priced and
 * charged by shared statements in one transaction. If that fails, each is written by itself, like all other outcomes.
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

const isPlain = (ended: Ended): ended is Plain =>
  ended.outcome.kind === 'document' && ended.outcome.redirectedTo === undefined

/** Returns the numbers of the pages that were still leased to the worker; nothing is written for the others. */
async function closeAll(db: Db, now: number, workerId: string, ended: readonly Plain[]): Promise<ReadonlySet<number>> {
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

const chargesOf = (ended: readonly Priced[], createdAt: number) =>
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

/** Adds the credits of these pages to their crawl, and starts its delay, which is measured from the end of a visit. */
function addUp(crawlId: string, ended: readonly Priced[], closingMark: string, now: number): Statement {
  const isClosed = isClosedCharge(closingMark)
  return {
    sql: `UPDATE crawl SET next_at = CASE WHEN delay_ms > 0 THEN ? + delay_ms ELSE next_at END,
      credits = credits + coalesce((SELECT sum(CAST(charge.value ->> 'credits' AS DOUBLE PRECISION))
        FROM json_each(?) AS charge WHERE ${isClosed.sql}), 0) WHERE id = ?`,
    params: [now, JSON.stringify(chargesOf(ended, now)), ...isClosed.params, crawlId],
  }
}

type Finished = Awaited<ReturnType<Crawls['finish']>>
type Waiting = { ended: Ended; settle(written: Promise<Finished>): void }

/** Maximum number of outcomes per group, so other writers do not wait long. */
const maxTogether = 32
/** Maximum wait of an outcome: if the process dies, the visits that ended within this time are repeated. */
const maxWaitMs = 200

/**
 * Writes outcomes of visits in groups. While an outcome waits, its worker already claims the next page. An outcome is
 * written immediately if no other page is being visited, the group is full, or other visits depend on it.
 */
export function groupOutcomes(
  claim: Crawls['claim'],
  write: (ended: readonly Ended[]) => readonly Promise<Finished>[],
): Pick<Crawls, 'claim' | 'finish'> & { flush(): void } {
  let claimed = 0
  const unwritten = new Set<number>()
  const waiting: Waiting[] = []
  let timer: NodeJS.Timeout | undefined
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    const together = waiting.splice(0)
    if (together.length === 0) return
    const written = write(together.map(({ ended }) => ended))
    together.forEach(({ settle }, at) => settle(written[at] ?? Promise.resolve('lost')))
  }
  return {
    flush,
    async claim(request) {
      const pages = await claim({ ...request, unwritten: [...unwritten] })
      claimed += pages.length
      return pages
    },
    // Not async: an async function holds its arguments, and with them the texts of the page, until it ends.
    finish(page, workerId, outcome) {
      const { promise, resolve } = Promise.withResolvers<Finished>()
      waiting.push({ ended: endedAs(page, workerId, outcome), settle: resolve })
      const { seq } = page
      unwritten.add(seq)
      const isAlone = claimed <= unwritten.size
      if (isAlone || waiting.length >= maxTogether || delaysOthers(page, outcome)) flush()
      else timer ??= setTimeout(flush, maxWaitMs)
      return promise.finally(() => {
        unwritten.delete(seq)
        claimed = Math.max(0, claimed - 1)
      })
    },
  }
}

/** True if the outcome starts a pause of the host, or returns the page to the frontier. */
const delaysOthers = ({ crawlDelayMs }: ClaimedPage, { kind }: PageOutcome): boolean =>
  crawlDelayMs > 0 || kind === 'retry' || kind === 'returned'
