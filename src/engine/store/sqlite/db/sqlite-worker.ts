import { parentPort, workerData } from 'node:worker_threads'
import { packThrown } from '../../../../kernel/error.ts'
import { createIdleMemory } from '../../idle-memory.ts'
import type { Outcome, Statement } from './db.ts'
import { type LocalDb, openLocalDb } from './local-db.ts'
import { type Answer, buffersOf, OpenRefused, type Prelude, type Request } from './sqlite-wire.ts'

const post = (answer: Answer, transfer: ArrayBuffer[] = []) => parentPort?.postMessage(answer, transfer)

function sendOutcomes(id: number, outcomes: Outcome[]): void {
  const values = outcomes.flatMap(({ rows }) => rows.flatMap((row) => Object.values(row)))
  post({ id, outcomes }, buffersOf(values))
}

/** Statements received before their transaction, by its id. */
const early = new Map<number, Statement[]>()

function addPart(id: number, statements: readonly Statement[]): void {
  const parts = early.get(id) ?? []
  for (const statement of statements) parts.push(statement)
  early.set(id, parts)
}

/** Runs a transaction together with the statements received before. */
function ask(db: LocalDb, { id, ...work }: Exclude<Request, Prelude>): Promise<Outcome[]> {
  const parts = early.get(id)
  if (parts === undefined || work.kind !== 'transaction') return db.ask(work)
  early.delete(id)
  return db.ask({ ...work, statements: [...parts, ...work.statements] }, 'long')
}

async function reply(db: LocalDb, request: Request): Promise<void> {
  const { id } = request
  if (request.kind === 'part') return addPart(id, request.statements)
  if (request.kind === 'drop') return void early.delete(id)
  // If a result cannot be sent, send the error instead.
  await ask(db, request)
    .then((outcomes) => sendOutcomes(id, outcomes))
    .catch((thrown: unknown) => post({ id, thrown: packThrown(thrown) }))
  if (request.kind === 'close') parentPort?.close()
}

try {
  const db = await openLocalDb(String(workerData))
  const memory = createIdleMemory()
  parentPort?.on('message', (request: Request) => {
    void reply(db, request)
    memory.worked()
  })
} catch (thrown) {
  if (!(thrown instanceof OpenRefused)) throw thrown
  post({ refused: thrown.refusal, message: thrown.message })
}
