import { parentPort } from 'node:worker_threads'
import { createIdleMemory } from '../../engine/store/idle-memory.ts'
import { fail, packThrown, type Thrown } from '../../kernel/error.ts'
import { readInput } from '../../kernel/lenient/read-leniently.ts'
import { createRouter } from '../../kernel/route.ts'
import { checkedInput } from '../../middleware/check-input.ts'
import { operations } from '../../operations/index.ts'
import { inputFrom } from '../../surfaces/http/body/input.ts'
import { isRecord } from '../../util/json.ts'
import { type Bytes, bytesOf, FileBytes } from '../../util/file-bytes.ts'
import type { LargeBody, ReadInput } from '../../surfaces/http/body/read-input.ts'
import { withV1 } from '../../surfaces/v1.ts'

export type BodyRequest = ({ kind: 'read' } & LargeBody) | { kind: 'more' }
/** Without its long lists, whose items are requested in order. */
type InputAnswer = {
  kind: 'input'
  lists: { name: string; length: number }[]
  file?: SentFile | undefined
} & ReadInput
export type BodyAnswer = InputAnswer | { kind: 'items'; items: readonly unknown[] } | { kind: 'failed'; thrown: Thrown }

/** The bytes of the file in a field of the input, instead of its base64. They are transferred, not copied. */
export type SentFile = { field: string; bytes: Bytes }

/** The main thread takes about a millisecond for a slice. */
const most = { items: 2000, characters: 500_000 }

const router = withV1(createRouter(operations))
let waiting: unknown[][] = []

function read(body: LargeBody): BodyAnswer {
  const match = router(body.method, new URL(body.url))
  if (!match || 'allowed' in match) return fail('NOT_FOUND')
  const sent = inputFrom(match, body.bytes)
  const { operation } = match
  const { input: meant, warning } = body.handling === 'strict' ? { input: sent } : readInput(operation, sent)
  const notes = warning === undefined ? [] : [warning]
  // A file of the machine is read first, which changes the input.
  const field = operation.upload?.field
  if (operation.upload && typeof meant['path'] === 'string') return withFile(answer(meant, notes, false), field)
  const warn = (note: string) => void notes.push(note)
  const checked = checkedInput(operation, meant, { warn, handling: body.handling })
  return withFile(answer(checked, notes, true), field)
}

function withFile(found: InputAnswer, field: string | undefined): InputAnswer {
  const sent = field === undefined ? undefined : found.input[field]
  if (field === undefined || !isRecord(sent)) return found
  const { base64: content, ...rest } = sent
  if (typeof content !== 'string' && !(content instanceof FileBytes)) return found
  return { ...found, input: { ...found.input, [field]: rest }, file: { field, bytes: bytesOf(content) } }
}

const isLong = (value: unknown): value is unknown[] => Array.isArray(value) && value.length > most.items

function answer(found: object, notes: readonly string[], isChecked: boolean): InputAnswer {
  const entries = Object.entries(found)
  const lists = entries.flatMap(([name, value]) => (isLong(value) ? [{ name, length: value.length }] : []))
  waiting = entries.flatMap(([, value]) => (isLong(value) ? [value] : []))
  const input = Object.fromEntries(entries.map(([name, value]) => [name, isLong(value) ? [] : value]))
  return { kind: 'input', input, lists, notes, isChecked }
}

let taken = 0

/** The next items of the current list. */
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
    return { kind: 'failed', thrown: packThrown(thrown) }
  }
}

const memory = createIdleMemory()

parentPort?.on('message', (request: BodyRequest) => {
  const response = answerTo(request)
  const moved = response.kind === 'input' && response.file ? [response.file.bytes.buffer] : []
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has no origin
  parentPort?.postMessage(response, moved)
  if (waiting.length === 0) memory.rest()
})
