import { parentPort } from 'node:worker_threads'
import { createIdleMemory } from '../../engine/store/idle-memory.ts'
import { AppError, fail, packThrown, type Thrown } from '../../kernel/error.ts'
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
/** Input with empty lists in place of its long ones, whose items the main thread requests in order. */
type InputAnswer = {
  kind: 'input'
  lists: { name: string; length: number }[]
  file?: SentFile | undefined
} & ReadInput
export type BodyAnswer = InputAnswer | { kind: 'items'; items: readonly unknown[] } | { kind: 'failed'; thrown: Thrown }

/** Bytes of the file that a field of the input contains as base64. They are transferred, not copied. */
export type SentFile = { field: string; bytes: Bytes }

/** Maximum size of a slice. The main thread needs about a millisecond to receive one. */
const maxSlice = { items: 2000, characters: 500_000 }

const router = withV1(createRouter(operations))
/** Long lists of the last input that the main thread has not received completely. */
let waiting: unknown[][] = []

function read(body: LargeBody): BodyAnswer {
  const match = router(body.method, new URL(body.url))
  if (!match || 'allowed' in match) return fail('NOT_FOUND')
  const sent = inputFrom(match, body.bytes)
  const { operation } = match
  const { input, warning } = body.handling === 'strict' ? { input: sent } : readInput(operation, sent)
  const notes = warning === undefined ? [] : [warning]
  const field = operation.upload?.field
  // An input with a `path` is checked after the file at that path has been read into it.
  if (operation.upload && typeof input['path'] === 'string') return withFile(answer(input, notes, false), field)
  const warn = (note: string) => void notes.push(note)
  try {
    const checked = checkedInput(operation, input, { warn, handling: body.handling })
    return withFile(answer(checked, notes, true), field)
  } catch (thrown) {
    throw notes.length > 0 && thrown instanceof AppError ? thrown.with({ warning: notes.join(' ') }) : thrown
  }
}

function withFile(result: InputAnswer, field: string | undefined): InputAnswer {
  const file = field === undefined ? undefined : result.input[field]
  if (field === undefined || !isRecord(file)) return result
  const { base64: content, ...rest } = file
  if (typeof content !== 'string' && !(content instanceof FileBytes)) return result
  return { ...result, input: { ...result.input, [field]: rest }, file: { field, bytes: bytesOf(content) } }
}

const isLong = (value: unknown): value is unknown[] => Array.isArray(value) && value.length > maxSlice.items

function answer(whole: object, notes: readonly string[], isChecked: boolean): InputAnswer {
  const entries = Object.entries(whole)
  const lists = entries.flatMap(([name, value]) => (isLong(value) ? [{ name, length: value.length }] : []))
  waiting = entries.flatMap(([, value]) => (isLong(value) ? [value] : []))
  const input = Object.fromEntries(entries.map(([name, value]) => [name, isLong(value) ? [] : value]))
  return { kind: 'input', input, lists, notes, isChecked }
}

/** Number of items of the first waiting list that the main thread has received. */
let received = 0

/** Returns the next slice of the first waiting list. */
function more(): BodyAnswer {
  const list = waiting[0] ?? []
  const from = received
  let characters = 0
  while (received < list.length && received - from < maxSlice.items && characters < maxSlice.characters) {
    const item = list[received]
    characters += typeof item === 'string' ? item.length : 1
    received += 1
  }
  const items = list.slice(from, received)
  if (received === list.length) {
    waiting = waiting.slice(1)
    received = 0
  }
  return { kind: 'items', items }
}

function answerTo(request: BodyRequest): BodyAnswer {
  if (request.kind === 'more') return more()
  received = 0
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
