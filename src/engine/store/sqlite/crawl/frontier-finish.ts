import type { ClaimedPage, Crawls, PageOutcome } from '../../../../contracts/crawl.ts'
import { type Db, packed, type Statement } from '../db/db.ts'
import { chargeOnce, type Condition } from '../jobs.ts'
import { insertDeliveryIf } from './deliveries.ts'
import { keyHash, skipOf } from './frontier-add.ts'
import { states } from './results.ts'

type Of<K extends PageOutcome['kind']> = Extract<PageOutcome, { kind: K }>
/** Whose page it is, and the mark that this end of it leaves on the row. */
type End = { page: ClaimedPage; owner: string; mark: string; now: number }

/**
 * Writes what became of a page, its price and its webhook event, all or nothing, and only if the page is still the
 * owner's: whoever lost its lease has lost the page with it.
 */
export async function finish(
  db: Db,
  now: number,
  page: ClaimedPage,
  owner: string,
  outcome: PageOutcome,
): ReturnType<Crawls['finish']> {
  const end = { page, owner, mark: crypto.randomUUID(), now }
  const outcomes = await db.transaction(statementsOf(end, outcome))
  const [ended] = outcomes.flatMap(({ rows }) => rows)
  if (!ended) return 'lost'
  return outcome.kind === 'document' && ended.state === states.dropped ? 'duplicate' : 'finished'
}

function statementsOf(end: End, outcome: PageOutcome): Statement[] {
  switch (outcome.kind) {
    case 'document':
      return documentOf(end, outcome)
    case 'failed':
      return failureOf(end, outcome)
    case 'retry':
      return retryOf(end, outcome)
    default:
      return [
        endOf(end, String(states.dropped)),
        skipOf(end.page.crawlId, { url: end.page.url, reason: outcome.reason }),
        ...pauseOf(end),
      ]
  }
}

/** The first statement takes the place where the page stands; a page that comes second to its place is dropped. */
function documentOf(end: End, { document, credits, standsAt, delivery }: Of<'document'>): Statement[] {
  const { page, now } = end
  const { crawlId, id, url } = page
  const json = JSON.stringify(document)
  const finished = markedAs(end, states.done)
  const place = standsAt && takePlace(end, standsAt)
  const holdsPlace = standsAt && {
    sql: 'EXISTS (SELECT 1 FROM crawl_page WHERE crawl_id = ? AND key_hash = ? AND state = 5 AND id = ?)',
    params: [crawlId, keyHash(standsAt.key), id],
  }
  return [
    ...(place ? [place] : []),
    holdsPlace
      ? endOf(end, `CASE WHEN ${holdsPlace.sql} THEN 2 ELSE 4 END`, holdsPlace.params)
      : endOf(end, String(states.done)),
    {
      sql: `INSERT INTO crawl_document (crawl_id, n, page_id, bytes, document_zst)
        SELECT ?, (SELECT done - 1 FROM crawl WHERE id = ?), ?, ?, ? WHERE ${finished.sql}`,
      params: [crawlId, crawlId, id, Buffer.byteLength(json), packed(json), ...finished.params],
    },
    ...chargesOf(end, credits, finished),
    ...(delivery ? [insertDeliveryIf(delivery, now, finished)] : []),
    {
      sql: `INSERT INTO crawl_skip (crawl_id, url, reason) SELECT ?, ?, 'duplicate'
        WHERE EXISTS (SELECT 1 FROM crawl_page WHERE seq = ? AND owner = ? AND state = 4) ON CONFLICT DO NOTHING`,
      params: [crawlId, url, page.seq, end.mark],
    },
    ...pauseOf(end),
  ]
}

function failureOf(end: End, { code, message, delivery }: Of<'failed'>): Statement[] {
  const finished = markedAs(end, states.failed)
  return [
    endOf(end, String(states.failed)),
    {
      sql: `UPDATE crawl_page SET error_code = ?, error = ? WHERE seq = ? AND owner = ?`,
      params: [code, message, end.page.seq, end.mark],
    },
    ...(delivery ? [insertDeliveryIf(delivery, end.now, finished)] : []),
    ...pauseOf(end),
  ]
}

function retryOf(end: End, { at, trouble = 'of the host' }: Of<'retry'>): Statement[] {
  const { page } = end
  const returned = markedAs(end, states.waiting)
  const hostWaits = {
    sql: `UPDATE crawl_host SET next_at = max(next_at, ?) WHERE crawl_id = ? AND host = ? AND ${returned.sql}`,
    params: [at, page.crawlId, page.host, ...returned.params],
  }
  return [
    endOf(end, String(states.waiting)),
    {
      sql: 'UPDATE crawl_page SET not_before = ?, retries = retries + 1 WHERE seq = ? AND owner = ?',
      params: [at, page.seq, end.mark],
    },
    ...(trouble === 'of the host' ? [hostWaits] : []),
    ...pauseOf(end),
  ]
}

const endOf = ({ page, owner, mark, now }: End, state: string, params: Condition['params'] = []): Statement => ({
  sql: `UPDATE crawl_page SET state = ${state}, owner = ?, ended_at = ? WHERE seq = ? AND state = 1 AND owner = ?
    RETURNING state`,
  params: [...params, mark, now, page.seq, owner],
})

const markedAs = ({ page, mark }: End, state: number): Condition => ({
  sql: `EXISTS (SELECT 1 FROM crawl_page WHERE seq = ? AND owner = ? AND state = ${state})`,
  params: [page.seq, mark],
})

const takePlace = ({ page, owner }: End, { key, url }: { key: string; url: string }): Statement => ({
  sql: `INSERT INTO crawl_page (id, crawl_id, key_hash, url, host, depth, source, state)
    SELECT id, crawl_id, ?, ?, host, depth, source, 5 FROM crawl_page WHERE seq = ? AND state = 1 AND owner = ?
    ON CONFLICT DO NOTHING`,
  params: [keyHash(key), url, page.seq, owner],
})

function chargesOf({ page, now }: End, credits: number, finished: Condition): Statement[] {
  if (credits === 0) return []
  const { sql, params } = finished
  return [
    {
      sql: `UPDATE crawl SET credits = credits + ? WHERE id = ? AND ${sql}`,
      params: [credits, page.crawlId, ...params],
    },
    ...chargeOnce({ jobId: page.id, createdAt: now, credits, teamId: page.teamId, keyName: page.keyName }, finished),
  ]
}

/** The crawl's own delay, and the gap its host asks for, count from the end of a visit. */
function pauseOf({ page: { crawlId, host }, now }: End): Statement[] {
  return [
    { sql: 'UPDATE crawl SET next_at = ? + delay_ms WHERE id = ? AND delay_ms > 0', params: [now, crawlId] },
    {
      sql: `UPDATE crawl_host SET next_at = max(next_at, ? + gap_ms) WHERE crawl_id = ? AND host = ? AND gap_ms > 0`,
      params: [now, crawlId, host],
    },
  ]
}
