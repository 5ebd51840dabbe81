import type { Worker } from 'node:worker_threads'
import { failure, unpackThrown } from '../../kernel/error.ts'
import type { Handling } from '../../kernel/ctx.ts'
import type { ReadElsewhere } from '../../surfaces/http/body/read-input.ts'
import { createFairSemaphore } from '../../util/semaphore.ts'
import { createCrew, ask, startThread, threadUrl } from '../../util/threads.ts'
import { FileBytes } from '../../util/file-bytes.ts'
import type { BodyAnswer, BodyRequest, SentFile } from './body-worker.ts'

/** Idle time after which the thread ends. */
const idleMs = 10_000
/** Enough for a body of 64 MB, which is in memory as bytes, text and values at the same time. */
const maxThreadMb = 512
/**
 * The young generation is small: the values of a body are in use until the response, so a larger generation would only
 * delay collections.
 */
const youngMb = 12

export type BodyThread = { read: ReadElsewhere; threads(): number; close(): Promise<void> }

/**
 * A worker thread that reads large bodies one after the other, alternating between teams; the first body starts it.
 * Long lists are returned in slices, between which the main thread does other work.
 */
export function createBodyThread(usual: Handling): BodyThread {
  const turns = createFairSemaphore({ usual: 1, reserved: 0 })
  const url = threadUrl('body-worker', import.meta.url)
  const crew = createCrew({ start: () => startThread(url, { heapMb: maxThreadMb, youngMb }), idleMs })

  return {
    async read({ bytes, handling = usual, ...address }, teamId, signal) {
      const release = await turns.acquire(teamId, signal)
      const thread = crew.wake() ?? crew.start()
      try {
        const request: BodyRequest = { kind: 'read', ...address, handling, bytes }
        return await withLists(thread, await askFor(thread, request, [bytes.buffer]), signal)
      } finally {
        crew.rest(thread)
        release()
      }
    },
    threads: crew.count,
    close: crew.close,
  }
}

/** Returns the input with its long lists, requested from the thread slice by slice. */
async function withLists(thread: Worker, answer: BodyAnswer, signal: AbortSignal) {
  if (answer.kind !== 'input') throw thrownIn(answer)
  const { input, lists, notes, isChecked, file } = answer
  for (const { name, length } of lists) {
    const items: unknown[] = []
    input[name] = items
    while (items.length < length) {
      signal.throwIfAborted()
      const slice = await askFor(thread, { kind: 'more' })
      if (slice.kind !== 'items') throw thrownIn(slice)
      for (const item of slice.items) items.push(item)
    }
  }
  return { input: file ? withFile(input, file) : input, notes, isChecked }
}

const withFile = (input: Record<string, unknown>, { field, bytes }: SentFile) => ({
  ...input,
  [field]: { ...(input[field] as object), base64: new FileBytes(bytes) },
})

const thrownIn = (answer: BodyAnswer): Error =>
  answer.kind === 'failed'
    ? unpackThrown(answer.thrown)
    : new Error('The thread that reads bodies gave no such answer.')

const askFor = (thread: Worker, request: BodyRequest, moved?: ArrayBuffer[]): Promise<BodyAnswer> =>
  ask(thread, request, { moved, outOfMemory: tooLarge, lost })

const lost = 'The thread that reads bodies ended without an answer.'
const tooLarge = (cause: Error) =>
  failure('BAD_REQUEST', { message: 'The JSON of the body takes too much memory.', cause })
