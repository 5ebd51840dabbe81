/** What a column can hold. */
export type Value = string | number | null | Uint8Array
export type Row = Readonly<Record<string, Value>>

/** Text or bytes that the driver compresses with zstd, off the caller's thread, before they are stored. */
export type Packed = { readonly packed: string | Uint8Array }
export type Param = Value | Packed

/** SQL as SQLite understands it, with `?` for each parameter in turn. */
export type Statement = { readonly sql: string; readonly params?: readonly Param[] }

/**
 * SQL that must be true for a statement to do anything. The statements of a transaction cross to the database thread as
 * one list, so that no code can run between two of them: what would be an `if` there is repeated in each as SQL.
 */
export type Condition = { readonly sql: string; readonly params: readonly Param[] }

/** `rows` of a SELECT or RETURNING, `changes` of anything else. */
export type Outcome = { rows: Row[]; changes: number }

/**
 * A SQLite database with plain data in and out, so that it can live in another thread.
 * A column named `…_zst` is decompressed by the driver and arrives as bytes.
 * Every call rejects with an Error when the database cannot do what it was asked.
 */
export type Db = {
  all(sql: string, params?: readonly Param[]): Promise<Row[]>
  /** How many rows changed. */
  run(sql: string, params?: readonly Param[]): Promise<number>
  /** The rows of several SELECTs, all of one moment: what is written meanwhile, by any process, is in all of them or in none. */
  snapshot(statements: readonly Statement[]): Promise<Row[][]>
  /** All statements or none. The write lock is taken at the start, so that what a statement reads cannot change under it. */
  transaction(statements: readonly Statement[]): Promise<Outcome[]>
  /** Gives one slice of freed space back to the disk; true while there is more to give. */
  compact(): Promise<boolean>
  /** Finishes what was asked before, then closes the file. Later calls reject. */
  close(): Promise<void>
}

export const packed = (content: string | Uint8Array): Packed => ({ packed: content })
