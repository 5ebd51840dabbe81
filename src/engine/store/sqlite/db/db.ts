import type { Log } from '../../../../kernel/log.ts'
import type { Clock } from '../../../../contracts/ports.ts'

/** What a column can hold. */
export type Value = string | number | null | Uint8Array
export type Row = Readonly<Record<string, Value>>

/** Text or bytes that the driver compresses with zstd, off the caller's thread, before they are stored. */
export type Packed = { readonly packed: string | Uint8Array }
export type Param = Value | Packed

type Query = { readonly sql: string; readonly params?: readonly Param[] }

/**
 * SQL as SQLite understands it, with `?` for each parameter in turn. `unless`: a SELECT; where it finds a row, the statement
 * would change nothing, so that a driver to which asking is cheap need not pack its parameters.
 */
export type Statement = Query & { readonly unless?: Query }

/**
 * SQL that must be true for a statement to do anything. The statements of a transaction cross to the database thread as
 * one list, so that no code can run between two of them: what would be an `if` there is repeated in each as SQL.
 */
export type Condition = { readonly sql: string; readonly params: readonly Param[] }

/**
 * `now`: in its turn. `soon`: within 25 ms, together with others of this kind and in their order. It is answered when it is
 * on the disk as any other, but what is asked for after it may be done before it.
 */
export type When = 'now' | 'soon'

/** `rows` of a SELECT or RETURNING, `changes` of anything else. */
export type Outcome = { rows: Row[]; changes: number }

/**
 * A SQLite database with plain data in and out, so that it can live in another thread.
 * A column named `…_zst` holds frames of zstd, or gzips where bytes came as such; the driver unpacks both.
 * Every call rejects with an Error when the database cannot do what it was asked.
 */
export type Db = {
  all(sql: string, params?: readonly Param[]): Promise<Row[]>
  /** How many rows changed. */
  run(sql: string, params?: readonly Param[]): Promise<number>
  /** The rows of several SELECTs, all of one moment: what is written meanwhile, by any process, is in all of them or in none. */
  snapshot(statements: readonly Statement[]): Promise<Row[][]>
  /** All statements or none. The write lock is taken at the start, so that what a statement reads cannot change under it. */
  transaction(statements: readonly Statement[], when?: When): Promise<Outcome[]>
  /** What is to be written soon takes its turn now, before whatever is asked for next. */
  hasten(): Promise<void>
  /**
   * The same for statements that are many and long. Each part is made and sent in a turn of the event loop of its own; all are
   * carried out once the last one has come.
   */
  transactionInParts(parts: Iterable<readonly Statement[]>): Promise<Outcome[]>
  /** Gives one slice of freed space back to the disk; true while there is more to give. */
  compact(): Promise<boolean>
  /** Finishes what was asked before, then closes the file. Later calls reject. */
  close(): Promise<void>
}

/** What a database is asked to carry out. */
export type Work =
  | { kind: 'statement'; statement: Statement }
  | { kind: 'transaction'; statements: readonly Statement[]; when?: When }
  | { kind: 'snapshot'; statements: readonly Statement[] }
  | { kind: 'compact' | 'hasten' | 'close' }
/** Statements that stand before those of a transaction. */
export type Parts = Iterable<readonly Statement[]>

/** The calls of a database over what carries out one piece of work after another. */
export function callsOver(ask: (work: Work, parts?: Parts) => Promise<Outcome[]>): Omit<Db, 'close'> {
  const askOne = async (sql: string, params: readonly Param[] = []): Promise<Outcome> => {
    const [outcome] = await ask({ kind: 'statement', statement: { sql, params } })
    return outcome ?? { rows: [], changes: 0 }
  }
  return {
    all: async (sql, params) => (await askOne(sql, params)).rows,
    run: async (sql, params) => (await askOne(sql, params)).changes,
    snapshot: async (statements) => (await ask({ kind: 'snapshot', statements })).map(({ rows }) => rows),
    transaction: (statements, when = 'now') => ask({ kind: 'transaction', statements, when }),
    hasten: async () => void (await ask({ kind: 'hasten' })),
    transactionInParts: (parts) => ask({ kind: 'transaction', statements: [] }, parts),
    compact: async () => (await ask({ kind: 'compact' }))[0]?.changes === 1,
  }
}

export const packed = (content: string | Uint8Array): Packed => ({ packed: content })

export const dayMs = 86_400_000

/** Days since the epoch (UTC). */
export const dayOf = (ms: number): number => Math.floor(ms / dayMs)

/** Calendar months (UTC) since the year 0, so that the next month is always one more. */
export function monthOf(ms: number): number {
  const date = new Date(ms)
  return date.getUTCFullYear() * 12 + date.getUTCMonth()
}

export const startOfMonth = (month: number): number => Date.UTC(Math.floor(month / 12), month % 12)

/** The text of a column, '' where it is null. */
export function text(value: Value | undefined): string {
  if (value instanceof Uint8Array) return new TextDecoder().decode(value)
  return value === null || value === undefined ? '' : String(value)
}

export const nullableText = (value: Value | undefined): string | null => (value === null ? null : text(value))
export const nullableNumber = (value: Value | undefined): number | null => (value === null ? null : Number(value))
export const bytes = (value: Value | undefined): Uint8Array =>
  value instanceof Uint8Array ? value : new Uint8Array(Buffer.from(text(value)))

/** The text of a column that holds one of some words. Fails where it holds another: only a newer program writes that. */
export function oneOf<T extends string>(words: readonly T[], value: Value | undefined): T {
  const held = text(value)
  const known = words.find((word) => word === held)
  if (known === undefined) throw new Error(`A column holds an unknown word: ${held}.`)
  return known
}

/** The JSON object or list of a column. */
export function jsonObject(value: Value | undefined): object {
  const parsed: unknown = JSON.parse(text(value))
  if (typeof parsed !== 'object' || parsed === null) throw new Error('A JSON column holds no object.')
  return parsed
}

export const nullableJson = (value: Value | undefined): object | null => (value === null ? null : jsonObject(value))
export const jsonTexts = (value: Value | undefined): string[] => Object.values(jsonObject(value)).map(String)
export const jsonRecord = (value: Value | undefined): Record<string, string> =>
  Object.fromEntries(Object.entries(jsonObject(value)).map(([name, each]) => [name, String(each)]))

const everyMs = 60_000

/** Rows that outlived their use; each statement deletes at most `slice` of them. `after`: what is then to be done elsewhere. */
export type Expired = {
  slice: number
  statements(now: number): readonly Statement[]
  after?: (() => Promise<void>) | undefined
}
/** `closing` ends a round early. */
export type SweepTools = { db: Db; clock: Clock; log: Log; closing: AbortSignal }

/**
 * Deletes old rows in slices, at most one round a minute, so that no caller waits for a long delete.
 * `nudge` starts a round if one is due and returns at once; a failed round is logged and comes again.
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
      if (now - lastAt < everyMs) return
      lastAt = now
      round = round
        .then(() => sweepAll(tools, expired, now))
        .catch((cause: unknown) => tools.log.warn('old rows could not be deleted', { cause }))
    },
    idle: () => round,
  }
}

async function sweepAll({ db, closing }: SweepTools, expired: readonly Expired[], now: number): Promise<void> {
  for (const { slice, statements, after } of expired) {
    for (const { sql, params } of statements(now)) {
      while (!closing.aborted && (await db.run(sql, params)) === slice);
    }
    await after?.()
  }
  while (!closing.aborted && (await db.compact()));
}
