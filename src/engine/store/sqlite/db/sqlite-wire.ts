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

/** Copies the bytes into a separate buffer that can be transferred to another thread. */
const copyOf = (view: Uint8Array): Own => new Uint8Array(view)
const fills = (view: Uint8Array): view is Own =>
  view.buffer instanceof ArrayBuffer && view.byteLength === view.buffer.byteLength

/** Copies the bytes of work before they are transferred, because the caller keeps the originals. */
export function movableWork(work: Work): Work {
  if (work.kind === 'statement') return { ...work, statement: movable(work.statement) }
  return 'statements' in work ? { ...work, statements: work.statements.map(movable) } : work
}

export function movable(statement: Statement): Statement {
  return { ...statement, params: (statement.params ?? []).map(ownParam) }
}

function ownParam(param: Param): Param {
  if (param instanceof Uint8Array) return copyOf(param)
  const inner = param !== null && typeof param === 'object' ? param.packed : undefined
  return inner instanceof Uint8Array ? { packed: copyOf(inner) } : param
}

/** Returns a value as plain bytes; copied only if it is part of a larger, shared buffer. */
export const tight = (view: Uint8Array): Uint8Array => (fills(view) ? new Uint8Array(view.buffer) : copyOf(view))

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
