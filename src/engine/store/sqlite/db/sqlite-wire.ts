import type { Thrown } from '../../../../kernel/error.ts'
import type { Outcome, Param, Statement, Value, Work } from './db.ts'

/** Why a database file could not be opened. */
export type Refusal = 'corrupt' | 'newer' | 'older' | 'unusable'

/** The database file cannot be used; `refusal` says in which way. */
export class OpenRefused extends Error {
  override readonly name = 'OpenRefused'
  readonly refusal: Refusal
  constructor(refusal: Refusal, message: string) {
    super(message)
    this.refusal = refusal
  }
}

/** Statements that stand before those of the transaction with the same id; `drop`: it will not come. Neither is answered. */
export type Prelude = { kind: 'part'; statements: readonly Statement[] } | { kind: 'drop' }
export type Request = { id: number } & (Work | Prelude)

export type Answer =
  | { id: number; outcomes: Outcome[] }
  | { id: number; thrown: Thrown }
  | { refused: Refusal; message: string }

type Own = Uint8Array<ArrayBuffer>

/** A copy of the bytes in a buffer of their own, which may be handed to another thread. */
const copyOf = (view: Uint8Array): Own => new Uint8Array(view)
const fills = (view: Uint8Array): view is Own =>
  view.buffer instanceof ArrayBuffer && view.byteLength === view.buffer.byteLength

/** The same work with bytes of its own: the caller keeps his, so they are copied before they move. */
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

/** A value made for this answer alone, as plain bytes: copied only where it is part of a larger, shared buffer. */
export const tight = (view: Uint8Array): Uint8Array => (fills(view) ? new Uint8Array(view.buffer) : copyOf(view))

/** Below it a copy costs less than a move, and moving a hundred thousand of them would take minutes. */
const leastMovedBytes = 4096

/** Buffers that change threads instead of being copied once more. */
export function buffersOf(values: Iterable<Param | Value>): ArrayBuffer[] {
  const found = new Set<ArrayBuffer>()
  for (const value of values) {
    const view = value !== null && typeof value === 'object' && 'packed' in value ? value.packed : value
    if (view instanceof Uint8Array && view.byteLength >= leastMovedBytes && fills(view)) found.add(view.buffer)
  }
  return [...found]
}
