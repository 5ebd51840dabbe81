import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type ProgressNote, startProgress } from '../../src/surfaces/mcp/server-options.ts'

describe('the progress of a call', () => {
  let notes: ProgressNote[]
  let call: ReturnType<typeof startProgress>
  beforeEach(() => {
    vi.useFakeTimers()
    notes = []
    call = startProgress((note) => notes.push(note), { heartbeatMs: 15_000, gapMs: 250 })
  })
  afterEach(() => {
    call.stop()
    vi.useRealTimers()
  })

  it('is reported at least every 15 seconds', () => {
    vi.advanceTimersByTime(60_000)
    expect(notes).toHaveLength(4)
    call.progress(1, 4, 'first')
    vi.advanceTimersByTime(14_999)
    expect(notes).toHaveLength(5)
    vi.advanceTimersByTime(1)
    expect(notes.at(-1)).toMatchObject({ total: 4, message: 'first' })
  })

  it('is reported immediately, then at most once per interval with the newest value', () => {
    for (let done = 1; done <= 100; done++) call.progress(done, 100, `page ${done}`)
    expect(notes).toEqual([{ progress: 1, total: 100, message: 'page 1' }])
    vi.advanceTimersByTime(250)
    expect(notes).toHaveLength(2)
    expect(notes[1]).toEqual({ progress: 100, total: 100, message: 'page 100' })
  })

  it('ends with the call', () => {
    call.progress(1, 2, 'one')
    call.progress(2, 2, 'two')
    call.stop()
    call.progress(3, 3, 'late')
    vi.advanceTimersByTime(60_000)
    expect(notes).toHaveLength(1)
  })
})
