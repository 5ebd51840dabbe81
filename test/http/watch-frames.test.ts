import { describe, expect, it } from 'vitest'
import type { JobState } from '../../src/kernel/operation.ts'
import { type Frame, framesOf } from '../../src/surfaces/ws/watch.ts'

const document = (at: number, size = 10) => ({ markdown: `${at} `.padEnd(size, 'x') })
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at)

/** A pace without waits, which reports each requested rest. */
const paceOf = (rest: (ms: number) => void = () => {}) => ({
  rest: async (ms: number) => rest(ms),
  wholeTurn: async () => () => {},
})

type Job = { status: string; done: number; error?: string; pageSize?: number; size?: number }

/** Watches a job whose state advances by one step at each rest, up to the last step. */
async function watched(steps: readonly Job[]) {
  const rests: number[] = []
  const reads: number[] = []
  const job = () => steps[Math.min(rests.length, steps.length - 1)]!
  const read = async (skip: number): Promise<JobState> => {
    reads.push(skip)
    const { status, done, error, pageSize = 100, size } = job()
    const data = range(skip, Math.min(done, skip + pageSize)).map((at) => document(at, size))
    return { status, completed: done, total: 500, data, ...(error !== undefined && { error }) }
  }
  const frames: Frame[] = []
  for await (const frame of framesOf(
    read,
    paceOf((ms) => rests.push(ms)),
  ))
    frames.push(frame)
  return { frames, rests, reads }
}

/** One line per frame: its type, the status and its number of results. */
const brief = (frames: readonly Frame[]) =>
  frames.map((frame) => {
    if (frame.type === 'error') return `error ${frame.error}`
    if (frame.type === 'document') return `document ${(frame.data as { markdown: string }).markdown.split(' ')[0]}`
    return `${frame.type} ${frame.data.status} ${frame.data.data.length}`
  })

describe('a completed job', () => {
  it('is sent whole in the catch-up', async () => {
    const { frames, rests } = await watched([{ status: 'completed', done: 250 }])
    expect(brief(frames)).toEqual(['catchup completed 250', 'done completed 0'])
    expect(frames[0]?.type === 'catchup' && frames[0].data).toMatchObject({ success: true, total: 500 })
    expect(rests).toEqual([])
  })

  it('with more pages than a message contains is reported complete only after all pages', async () => {
    const { frames } = await watched([{ status: 'completed', done: 7, pageSize: 2, size: 2.4 * 1024 * 1024 }])
    expect(brief(frames)).toEqual([
      'catchup scraping 4',
      'document 4',
      'document 5',
      'document 6',
      'status completed 4',
      'done completed 0',
    ])
  })
})

describe('a running job', () => {
  it.each(['completed', 'cancelled'])('sends each result once, then the status %s', async (status) => {
    const { frames } = await watched([
      { status: 'scraping', done: 2 },
      { status: 'scraping', done: 3 },
      { status: 'scraping', done: 3 },
      { status, done: 4 },
    ])
    expect(brief(frames)).toEqual([
      'catchup scraping 2',
      'document 2',
      'document 3',
      `status ${status} 4`,
      `done ${status} 0`,
    ])
  })

  it('is polled four times a second, and once a second after a minute without news', async () => {
    const still = Array.from({ length: 260 }, () => ({ status: 'scraping', done: 1 }))
    const { rests } = await watched([...still, { status: 'scraping', done: 2 }, { status: 'completed', done: 2 }])
    expect(rests.slice(0, 240).every((ms) => ms === 250)).toBe(true)
    expect(rests.slice(240, 260).every((ms) => ms === 1000)).toBe(true)
    expect(rests.slice(260)).toEqual([250])
  })
})

it('a state that counts more pages than its results is read again', async () => {
  const states: JobState[] = [
    { status: 'scraping', completed: 0, total: 1, data: [] },
    { status: 'completed', completed: 1, total: 1, data: [] },
    { status: 'completed', completed: 1, total: 1, data: [{ markdown: '0 x' }] },
  ]
  const frames: Frame[] = []
  for await (const frame of framesOf(async () => (states.length > 1 ? states.shift() : states[0])!, paceOf()))
    frames.push(frame)
  expect(brief(frames)).toEqual(['catchup scraping 0', 'document 0', 'status completed 1', 'done completed 0'])
})

const readDone = async (): Promise<JobState> => ({
  status: 'completed',
  completed: 1,
  total: 1,
  data: [{ markdown: 'x' }],
})

it('the slot for a whole job in memory is released when the message is sent or its reader leaves', async () => {
  let held = 0
  const pace = { ...paceOf(), wholeTurn: async () => (held++, () => void held--) }
  const frames = framesOf(readDone, pace)
  expect((await frames.next()).value).toMatchObject({ type: 'catchup' })
  expect(held).toBe(1)
  expect((await frames.next()).value).toMatchObject({ type: 'done' })
  expect(held).toBe(0)
  const left = framesOf(readDone, pace)
  await left.next()
  await left.return()
  expect(held).toBe(0)
})
