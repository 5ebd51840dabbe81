import type { Log } from '../../../../kernel/log.ts'
import type { Clock } from '../../../../contracts/ports.ts'

/** Value of a column. */
export type Value = string | number | null | Uint8Array
export type Row = Readonly<Record<string, Value>>

/** Text or bytes that the driver compresses with zstd before storing, outside the caller's thread. */
export type Packed = { readonly packed: string | Uint8Array }
export type Param = Value | Packed

type Query = { readonly sql: string; readonly params?: readonly Param[] }

/**
 * SQL in SQLite's dialect, with `?` for each parameter in order. `unless`: a SELECT; if it finds a row, the statement
 * would change nothing, so a driver with cheap reads can skip packing its parameters.
 */
export type Statement = Query & { readonly unless?: Query }

/**
 * SQL that must be true for a statement to have an effect. The statements of a transaction are sent to the database
 * thread as one list, so no code can run between them: conditions must be repeated in each statement as SQL.
 */
export type Condition = { readonly sql: string; readonly params: readonly Param[] }

/** `rows` of a SELECT or RETURNING, `changes` for all other statements. */
export type Outcome = { rows: Row[]; changes: number }

/**
 * A database with plain data as input and output, so it can run in another thread.
 * A column named `…_zst` contains zstd frames, or gzip if bytes were received as such; the driver unpacks both.
 * Every call rejects with an Error if the database fails.
 */
export type Db = {
  all(sql: string, params?: readonly Param[]): Promise<Row[]>
  /** Returns the number of changed rows. */
  run(sql: string, params?: readonly Param[]): Promise<number>
  /**
   * Returns the rows of several SELECTs from one snapshot: concurrent writes of any process are visible in all of them
   * or in none.
   */
  snapshot(statements: readonly Statement[]): Promise<Row[][]>
  /**
   * Runs all statements or none. The write lock is taken at the start, so what a statement reads cannot change
   * meanwhile.
   */
  transaction(statements: readonly Statement[]): Promise<Outcome[]>
  /**
   * Same as `transaction`, for many long statements. Each part is created and sent in its own turn of the event loop.
   * The transaction starts once the last part has arrived.
   */
  transactionInParts(parts: Iterable<readonly Statement[]>): Promise<Outcome[]>
  /** Frees one slice of unused space in the file; true while there is more. */
  compact(): Promise<boolean>
  /** Finishes earlier calls, then closes the file. Later calls reject. */
  close(): Promise<void>
}

export type Work =
  | { kind: 'statement'; statement: Statement }
  | { kind: 'transaction'; statements: readonly Statement[] }
  | { kind: 'snapshot'; statements: readonly Statement[] }
  | { kind: 'compact' | 'close' }
/** Statements that precede those of a transaction. */
export type Parts = Iterable<readonly Statement[]>

/** Implements the calls of a database on top of a function that runs work items in order. */
export function callsOver(ask: (work: Work, parts?: Parts) => Promise<Outcome[]>): Omit<Db, 'close'> {
  const askOne = async (sql: string, params: readonly Param[] = []): Promise<Outcome> => {
    const [outcome] = await ask({ kind: 'statement', statement: { sql, params } })
    return outcome ?? { rows: [], changes: 0 }
  }
  return {
    all: async (sql, params) => (await askOne(sql, params)).rows,
    run: async (sql, params) => (await askOne(sql, params)).changes,
    snapshot: async (statements) => (await ask({ kind: 'snapshot', statements })).map(({ rows }) => rows),
    transaction: (statements) => ask({ kind: 'transaction', statements }),
    transactionInParts: (parts) => ask({ kind: 'transaction', statements: [] }, parts),
    compact: async () => (await ask({ kind: 'compact' }))[0]?.changes === 1,
  }
}

export const packed = (content: string | Uint8Array): Packed => ({ packed: content })

export const dayMs = 86_400_000
/** Jobs that never ended are deleted this long after their expiry. */
export const abandonedMs = 30 * dayMs

/** Returns days since the epoch (UTC). */
export const dayOf = (ms: number): number => Math.floor(ms / dayMs)

/** Returns the text of a column, '' for null. */
export function text(value: Value | undefined): string {
  if (value instanceof Uint8Array) return new TextDecoder().decode(value)
  return value === null || value === undefined ? '' : String(value)
}

export const nullableText = (value: Value | undefined): string | null => (value === null ? null : text(value))
export const nullableNumber = (value: Value | undefined): number | null => (value === null ? null : Number(value))
export const bytes = (value: Value | undefined): Uint8Array =>
  value instanceof Uint8Array ? value : new Uint8Array(Buffer.from(text(value)))

/**
 * Returns an enumerated value of a column. Fails for other values, which only a newer version of the program writes.
 */
export function oneOf<T extends string>(values: readonly T[], value: Value | undefined): T {
  const stored = text(value)
  const known = values.find((each) => each === stored)
  if (known === undefined) throw new Error(`A column has an unknown value: ${stored}.`)
  return known
}

/** Parses the JSON object or list of a column. */
export function jsonObject(value: Value | undefined): object {
  const parsed: unknown = JSON.parse(text(value))
  if (typeof parsed !== 'object' || parsed === null) throw new Error('A JSON column is not an object or a list.')
  return parsed
}

export const nullableJson = (value: Value | undefined): object | null => (value === null ? null : jsonObject(value))
export const jsonTexts = (value: Value | undefined): string[] => Object.values(jsonObject(value)).map(String)
export const jsonRecord = (value: Value | undefined): Record<string, string> =>
  Object.fromEntries(Object.entries(jsonObject(value)).map(([name, each]) => [name, String(each)]))

const sweepMs = 60_000

/** Rows of a table that match a condition. `key`: its key columns, with commas between them. */
type Selection = Condition & { table: string; key: string }
/** Rows to delete after expiry, at most `slice` at a time. `after`: cleanup outside the database. */
export type Expired = {
  slice: number
  rows(now: number): readonly Selection[]
  after?: (() => Promise<void>) | undefined
}
/** When `closing` aborts, a running round ends after its current statement. */
export type SweepTools = { db: Db; clock: Clock; log: Log; closing: AbortSignal }

/**
 * Deletes old rows in slices, at most one round a minute, so no caller waits for a long delete.
 * `nudge` starts a round if one is due and returns immediately; a failed round is logged and repeated later.
 */
export function createSweep(
  tools: SweepTools,
  ...expired: readonly Expired[]
): { nudge(): void; idle(): Promise<void> } {
  let lastAt = -Infinity
  let round = Promise.resolve()
  return {
    nudge() {
      const now = tools.clock.now()
      if (now - lastAt < sweepMs) return
      lastAt = now
      round = round
        .then(() => sweepAll(tools, expired, now))
        .catch((cause: unknown) => tools.log.warn('old rows could not be deleted', { cause }))
    },
    idle: () => round,
  }
}

async function sweepAll({ db, closing }: SweepTools, expired: readonly Expired[], now: number): Promise<void> {
  for (const { slice, rows, after } of expired) {
    for (const { table, key, sql, params } of rows(now)) {
      const deleteSlice = `DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${table} WHERE ${sql} LIMIT ?)`
      while (!closing.aborted && (await db.run(deleteSlice, [...params, slice])) === slice);
    }
    await after?.()
  }
  while (!closing.aborted && (await db.compact()));
}
