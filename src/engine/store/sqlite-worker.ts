import { setTimeout as pause } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import type { Outcome } from './db.ts'
import { migrate, NewerSchema } from './migrate.ts'
import { openSqliteFile, type SqliteFile } from './sqlite-file.ts'
import { buffersOf, type Answer, type Refusal, type Request } from './sqlite-wire.ts'

/** Codes of SQLite (sqlite.org/rescode.html). */
const busy = 5
const corruptCodes = new Set([11, 26])
const giveUpAfterMs = 10_000
const reopenAfterMs = 50

const post = (answer: Answer, transfer: ArrayBuffer[] = []) => parentPort?.postMessage(answer, transfer)
const codeOf = (thrown: unknown): number => Number((thrown as { errcode?: unknown }).errcode ?? 0) & 0xff
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
  if (request.kind === 'compact') return [{ rows: [], changes: Number(file.compact()) }]
  file.close()
  return []
}

function reply(file: SqliteFile, request: Request): void {
  try {
    const outcomes = outcomesOf(file, request)
    const values = outcomes.flatMap(({ rows }) => rows.flatMap((row) => Object.values(row)))
    post({ id: request.id, outcomes }, buffersOf(values))
  } catch (thrown) {
    post({ id: request.id, failed: messageOf(thrown) })
  }
  if (request.kind === 'close') parentPort?.close()
}

try {
  const file = await openPatiently(String(workerData))
  parentPort?.on('message', (request: Request) => reply(file, request))
} catch (thrown) {
  post({ refused: refusalOf(thrown), message: messageOf(thrown) })
}
