import { callsOver, type Db, type Outcome, type Parts, type Statement, type Work } from '../sqlite/db/db.ts'
import type { Connection, Sent } from './connection.ts'
import { reach } from './reach.ts'
import { isLost, refusal } from './refusals.ts'

/**
 * Who writes holds a lock until it has committed, so that, as in SQLite, nothing that a statement reads can change under it. It is
 * the lock of a schema: programs that keep their data in another do not wait.
 */
const beginWriting = `BEGIN; SELECT pg_advisory_xact_lock(hashtext('gossamer'), hashtext(current_schema()))`
const beginReading = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY'

/**
 * A PostgreSQL database behind one connection, made by the first call and again after it was lost. Calls are carried out in
 * their order. Where the server is not there for a few seconds they wait for it; then they fail with DATABASE_UNAVAILABLE.
 * @param url `postgres://user:password@host/database`
 */
export function openPostgres(url: string): Db {
  const { connected, current } = reach(url)
  let line: Promise<unknown> = Promise.resolve()
  let closed = false

  /** A call is sent once the one before it was; it is answered outside of the line. */
  const inTurn = async (send: (to: Connection) => Promise<Sent>): Promise<Outcome[]> => {
    const sent = line.then(async () => send(await connected()))
    line = sent.catch(() => {})
    return (await sent).answer
  }
  const ask = async (work: Work, parts?: Parts): Promise<Outcome[]> => {
    if (closed) throw new Error('The store is closed.')
    const send = senderOf(work, parts)
    if (send === undefined) return []
    try {
      return await inTurn(send).catch((thrown: unknown) => {
        // A generator has given its parts away.
        if (parts === undefined && (isUnprepared(thrown) || (isLost(thrown) && isRepeatable(work)))) return inTurn(send)
        throw thrown
      })
    } catch (thrown) {
      throw refusal(thrown)
    }
  }
  return {
    ...callsOver(ask),
    async close() {
      if (closed) return
      closed = true
      await line
      const last = await current()?.catch(() => undefined)
      await (await last?.one({ sql: 'SELECT 1' }))?.answer.catch(() => {})
      await last?.close()
    },
  }
}

/** Undefined where there is nothing to do: PostgreSQL gives space back by itself, and nothing waits for company. */
function senderOf(work: Work, parts?: Parts): ((to: Connection) => Promise<Sent>) | undefined {
  if (work.kind === 'statement') {
    const { statement } = work
    return (to) => (isRead(statement) ? to.one(statement) : to.all(beginWriting, [[statement]]))
  }
  if (work.kind === 'snapshot') return (to) => to.all(beginReading, [work.statements])
  if (work.kind === 'transaction') return (to) => to.all(beginWriting, parts ?? [work.statements])
  return undefined
}

const isRead = ({ sql }: Statement): boolean => /^\s*SELECT\b/i.test(sql)

/** What only reads may be asked again; of what writes nobody knows whether it was done. */
const isRepeatable = (work: Work): boolean =>
  work.kind === 'snapshot' || (work.kind === 'statement' && isRead(work.statement))

/** The statement should have been prepared by one in an earlier transaction, which was undone. */
const isUnprepared = (thrown: unknown): boolean =>
  thrown instanceof Error && 'code' in thrown && thrown.code === '26000'
