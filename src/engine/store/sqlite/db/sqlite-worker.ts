import { setTimeout as pause } from 'node:timers/promises'
import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { createIdleMemory } from '../../idle-memory.ts'
import type { Outcome } from './db.ts'
import { migrate, NewerSchema } from './migrate.ts'
import { openSqliteFile, type SqliteFile } from './sqlite-file.ts'
import { type Answer, buffersOf, type Refusal, type Request } from './sqlite-wire.ts'

/** Codes of SQLite (sqlite.org/rescode.html). */
const busy = 5
const full = 13
const corruptCodes = new Set([11, 26])
const giveUpAfterMs = 10_000
const reopenAfterMs = 50
/** Few enough that neither who asked first nor another process that wants to write waits for long. */
const maxTogether = 16

const post = (answer: Answer, transfer: ArrayBuffer[] = []) => parentPort?.postMessage(answer, transfer)
const codeOf = (thrown: unknown): number =>
  thrown instanceof Error && 'errcode' in thrown ? Number(thrown.errcode) & 0xff : 0
const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown))

function refusalOf(thrown: unknown): Refusal {
  if (thrown instanceof NewerSchema) return 'newer'
  return corruptCodes.has(codeOf(thrown)) ? 'corrupt' : 'unusable'
}

/** SQLite does not wait for a lock while a fresh file is switched to WAL by several processes at once, so we do. */
async function openPatiently(path: string): Promise<SqliteFile> {
  const giveUpAt = performance.now() + giveUpAfterMs
  for (;;) {
    try {
      return openSqliteFile(path, migrate)
    } catch (thrown) {
      if (codeOf(thrown) !== busy || performance.now() > giveUpAt) throw thrown
    }
    await pause(reopenAfterMs)
  }
}

function outcomesOf(file: SqliteFile, request: Request): Outcome[] {
  if (request.kind === 'statement') return [file.execute(request.statement)]
  if (request.kind === 'transaction') return file.transaction(request.statements)
  if (request.kind === 'snapshot') return file.snapshot(request.statements)
  if (request.kind === 'compact') return [{ rows: [], changes: Number(file.compact()) }]
  file.close()
  return []
}

function tell(id: number, outcomes: Outcome[]): void {
  const values = outcomes.flatMap(({ rows }) => rows.flatMap((row) => Object.values(row)))
  post({ id, outcomes }, buffersOf(values))
}

function reply(file: SqliteFile, request: Request): void {
  try {
    tell(request.id, outcomesOf(file, request))
  } catch (thrown) {
    post({ id: request.id, failed: messageOf(thrown), isFull: codeOf(thrown) === full })
  }
  if (request.kind === 'close') parentPort?.close()
}

type Transaction = Request & { kind: 'transaction' }
const isTransaction = (request: Request): request is Transaction => request.kind === 'transaction'

/** What is there already, the given one first; transactions that come one after the other are one list. */
function queued(first: Request): Request[][] {
  const groups = [[first]]
  for (let count = 1, before = first; count < maxTogether; count++) {
    const next = receiveMessageOnPort(parentPort as MessagePort)?.message as Request | undefined
    if (!next) break
    if (isTransaction(before) && isTransaction(next)) groups.at(-1)?.push(next)
    else groups.push([next])
    before = next
  }
  return groups
}

/** Answers are given when all is on the disk. Where one of them cannot be written, each is tried by itself. */
function replyTogether(file: SqliteFile, requests: readonly Request[]): void {
  const transactions = requests.filter(isTransaction)
  if (transactions.length < 2) return requests.forEach((request) => reply(file, request))
  let outcomes
  try {
    outcomes = file.together(transactions.map(({ statements }) => statements))
  } catch {
    return requests.forEach((request) => reply(file, request))
  }
  transactions.forEach(({ id }, at) => tell(id, outcomes[at] ?? []))
}

try {
  const file = await openPatiently(String(workerData))
  const memory = createIdleMemory()
  parentPort?.on('message', (request: Request) => {
    queued(request).forEach((group) => replyTogether(file, group))
    memory.worked()
  })
} catch (thrown) {
  post({ refused: refusalOf(thrown), message: messageOf(thrown) })
}
