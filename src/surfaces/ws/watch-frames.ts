import { isFinished, type JobState } from '../../kernel/job-state.ts'

/** What goes over the wire, one JSON object a message. */
export type Frame =
  | { type: 'catchup' | 'status' | 'done'; data: JobState & { success: true } }
  | { type: 'document'; data: object }
  | { type: 'error'; error: string; code?: string }

/** How far the job is, with results from number `skip` on. */
export type ReadJob = (skip: number) => Promise<JobState>
export type Rest = (ms: number) => Promise<void>

const maxStateChars = 10 * 1024 * 1024
const pauseMs = 250
const longPauseMs = 1000
const patienceMs = 60_000

/**
 * A job as it goes on: where it is now, each result that comes, the end. Clients of the public service take a `catchup`
 * or `status` whose status is final for the end and its `data` for all there is, so no status is final while results are
 * still to come, and the last one holds them again. They take every `done` for a success: `status` before it tells better.
 */
export async function* framesOf(read: ReadJob, rest: Rest): AsyncGenerator<Frame, void> {
  const first = await readAll(read)
  const isAll = isFinished(first) && first.data.length >= first.completed
  yield framed('catchup', isAll ? first : { ...first, status: 'scraping' })
  const last = isAll ? first : yield* further(read, rest, first.data.length)
  if (last.status === 'failed') yield { type: 'error', error: last.error ?? 'The job failed.' }
  if (!isAll) yield framed('status', await readAll(read))
  yield framed('done', { ...last, data: [] })
}

const framed = (type: 'catchup' | 'status' | 'done', state: JobState): Frame => ({
  type,
  data: { success: true, ...state },
})

/** As many pages of results as one message may hold, at least one. */
async function readAll(read: ReadJob): Promise<JobState> {
  let state = await read(0)
  let data = [...state.data]
  let chars = charsOf(data)
  while (data.length < state.completed) {
    const next = await read(data.length)
    chars += charsOf(next.data)
    // The page is left out as a whole, so that `next` still leads to it.
    if (next.data.length === 0 || chars > maxStateChars) break
    data = data.concat(next.data)
    state = next
  }
  return { ...state, data }
}

const charsOf = (data: readonly object[]) => data.reduce((sum, document) => sum + JSON.stringify(document).length, 0)

/** Results from number `skip` on, until the job is over; answers its last state. */
async function* further(read: ReadJob, rest: Rest, skip: number): AsyncGenerator<Frame, JobState> {
  let seen = skip
  let quietMs = 0
  let wasOver = false
  for (;;) {
    const state = await read(seen)
    for (const data of state.data) yield { type: 'document', data }
    seen += state.data.length
    const isNews = state.data.length > 0
    // What a state counts may be newer than the results that came with it.
    if (isFinished(state) && (seen >= state.completed || (wasOver && !isNews))) return state
    wasOver = isFinished(state)
    quietMs = isNews ? 0 : quietMs
    if (isNews && seen < state.completed) continue
    const ms = quietMs < patienceMs ? pauseMs : longPauseMs
    await rest(ms)
    quietMs += ms
  }
}
