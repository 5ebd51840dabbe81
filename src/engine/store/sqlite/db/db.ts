/** What a column can hold. */
export type Value = string | number | null | Uint8Array
export type Row = Readonly<Record<string, Value>>

/** Text or bytes that the driver packs with zstd, away from the caller's thread, before they are stored. */
export type Packed = { readonly packed: string | Uint8Array }
export type Param = Value | Packed

/** SQL in the common subset of SQLite and Postgres, with `?` for each parameter in turn. */
export type Statement = { readonly sql: string; readonly params?: readonly Param[] }

/** `rows` of a SELECT or RETURNING, `changes` of anything else. */
export type Outcome = { rows: Row[]; changes: number }

/**
 * A database as plain data in and out, so that it can live in another thread or on another machine.
 * A column named `…_zst` is unpacked by the driver and arrives as the bytes that were packed.
 * Every call rejects with an Error when the database cannot do what it was asked.
 */
export type Db = {
  all(sql: string, params?: readonly Param[]): Promise<Row[]>
  /** How many rows changed. */
  run(sql: string, params?: readonly Param[]): Promise<number>
  /** All statements or none; the write lock is taken at the start. */
  transaction(statements: readonly Statement[]): Promise<Outcome[]>
  /** Gives one slice of freed space back to the disk; true while there is more to give. */
  compact(): Promise<boolean>
  /** Answers what is under way, then lets go of the file. Later calls reject. */
  close(): Promise<void>
}

export const packed = (content: string | Uint8Array): Packed => ({ packed: content })

/** The text of a column, '' where it is null. */
export function text(value: Value | undefined): string {
  if (value instanceof Uint8Array) return new TextDecoder().decode(value)
  return value === null || value === undefined ? '' : String(value)
}

export const nullableText = (value: Value | undefined): string | null => (value === null ? null : text(value))
export const bytes = (value: Value | undefined): Uint8Array =>
  value instanceof Uint8Array ? value : new Uint8Array(Buffer.from(text(value)))
