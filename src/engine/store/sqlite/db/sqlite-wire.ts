import type { Thrown } from '../../../../kernel/error.ts'
import type { Outcome, Param, Statement, Value, Work } from './db.ts'

/** Reason why a database file could not be opened; `foreign`: it is not a database, `damaged`: it was one. */
export type Refusal = 'foreign' | 'damaged' | 'locked' | 'newer' | 'older' | 'unusable'

/** Details of DATABASE_UNAVAILABLE for a file locked by another program. */
export const lockedByOther = {
  message: 'Another program has locked the database.',
  hint: 'Call again in a minute; running jobs continue by themselves. If it persists, ask the operator to end the program that uses the data folder, such as a backup or a database viewer.',
}

/** Error for an unusable database file; `refusal` is the reason. */
export class OpenRefused extends Error {
  override readonly name = 'OpenRefused'
  readonly refusal: Refusal
  constructor(refusal: Refusal, message: string) {
    super(message)
    this.refusal = refusal
  }
}

/**
 * Statements that precede those of the transaction with the same id; `drop`: that transaction will not follow. Neither
 * is answered.
 */
export type Prelude = { kind: 'part'; statements: readonly Statement[] } | { kind: 'drop' }
export type Request = { id: number } & (Work | Prelude)

export type Answer =
  | { id: number; outcomes: Outcome[] }
  | { id: number; thrown: Thrown }
  | { refused: Refusal; message: string }

type Own = Uint8Array<ArrayBuffer>

const fills = (view: Uint8Array): view is Own =>
  view.buffer instanceof ArrayBuffer && view.byteLength === view.buffer.byteLength

/** Returns a value as plain bytes; copied only if it is part of a larger, shared buffer. */
export const tight = (view: Uint8Array): Uint8Array => new Uint8Array(fills(view) ? view.buffer : view)

/** Below this size a copy is cheaper than a transfer; transferring a hundred thousand buffers would take minutes. */
const minMovedBytes = 4096

/** Returns the buffers to transfer instead of copying. */
export function buffersOf(values: Iterable<Param | Value>): ArrayBuffer[] {
  const found = new Set<ArrayBuffer>()
  for (const value of values) {
    const view = value !== null && typeof value === 'object' && 'packed' in value ? value.packed : value
    if (view instanceof Uint8Array && view.byteLength >= minMovedBytes && fills(view)) found.add(view.buffer)
  }
  return [...found]
}
