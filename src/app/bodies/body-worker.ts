import { parentPort } from 'node:worker_threads'
import { createIdleMemory } from '../../engine/store/idle-memory.ts'
import { AppError, fail } from '../../kernel/error.ts'
import { readInput } from '../../kernel/lenient/reader.ts'
import { createRouter } from '../../kernel/route.ts'
import { checkedInput } from '../../middleware/validate.ts'
import { operations } from '../../operations/index.ts'
import { inputFrom } from '../../surfaces/http/body/input.ts'
import type { LargeBody, ReadInput } from '../../surfaces/http/body/large.ts'
import { withV1 } from '../../surfaces/v1/v1.ts'

export type BodyRequest = ({ kind: 'read' } & LargeBody) | { kind: 'more' }
export type BodyAnswer =
  /** Without its long lists, whose items are asked for in their order. */
  | ({ kind: 'input'; lists: { name: string; length: number }[] } & ReadInput)
  | { kind: 'items'; items: readonly unknown[] }
  | { kind: 'refused'; error: ConstructorParameters<typeof AppError>[1] & { code: string } }
  | { kind: 'failed'; cause: string }

/** A slice takes the other side about a millisecond. */
const most = { items: 2000, characters: 500_000 }

const router = withV1(createRouter(operations))
let waiting: unknown[][] = []

function read(body: LargeBody): BodyAnswer {
  const match = router(body.method, new URL(body.url))
  if (!match || 'allowed' in match) return fail('NOT_FOUND')
  const sent = inputFrom(match, body.bytes)
  // The text that was made of them is garbage already; bytes are not, for as long as somebody holds them.
  body.bytes.buffer.transfer(0)
  const { operation } = match
  const { input: meant, warning } = body.handling === 'strict' ? { input: sent } : readInput(operation, sent)
  const notes = warning === undefined ? [] : [warning]
  // A file of the machine is read first, and then the input is another.
  if (operation.upload && typeof meant['path'] === 'string') return answer(meant, notes, false)
  const warn = (note: string) => void notes.push(note)
  return answer(checkedInput(operation, meant, { warn, handling: body.handling }), notes, true)
}

const isLong = (value: unknown): value is unknown[] => Array.isArray(value) && value.length > most.items

function answer(found: object, notes: readonly string[], isChecked: boolean): BodyAnswer {
  const entries = Object.entries(found)
  const lists = entries.flatMap(([name, value]) => (isLong(value) ? [{ name, length: value.length }] : []))
  waiting = entries.flatMap(([, value]) => (isLong(value) ? [value] : []))
  const input = Object.fromEntries(entries.map(([name, value]) => [name, isLong(value) ? [] : value]))
  return { kind: 'input', input, lists, notes, isChecked }
}

let taken = 0

/** The next items of the list whose turn it is. */
function more(): BodyAnswer {
  const list = waiting[0] ?? []
  const from = taken
  let characters = 0
  while (taken < list.length && taken - from < most.items && characters < most.characters) {
    const item = list[taken]
    characters += typeof item === 'string' ? item.length : 1
    taken += 1
  }
  const items = list.slice(from, taken)
  if (taken === list.length) {
    waiting = waiting.slice(1)
    taken = 0
  }
  return { kind: 'items', items }
}

function answerTo(request: BodyRequest): BodyAnswer {
  if (request.kind === 'more') return more()
  taken = 0
  try {
    return read(request)
  } catch (thrown) {
    if (!(thrown instanceof AppError)) return { kind: 'failed', cause: String(thrown) }
    const { code, status, message, hint, details } = thrown
    return { kind: 'refused', error: { code, status, message, hint, details } }
  }
}

const memory = createIdleMemory()

parentPort?.on('message', (request: BodyRequest) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has no origin
  parentPort?.postMessage(answerTo(request))
  if (waiting.length === 0) memory.rest()
})
