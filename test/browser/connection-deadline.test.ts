import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { withDeadline } from '../../src/util/async.ts'

const step = { step: 'The screenshot', ms: 1000 }

describe('work with a deadline', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  test('returns its result', async () => {
    await expect(withDeadline(step, undefined, async () => 'done')).resolves.toBe('done')
    await expect(withDeadline(step, undefined, () => Promise.reject(new Error('mine')))).rejects.toThrow('mine')
    expect(vi.getTimerCount()).toBe(0)
  })

  test('that never settles is rejected and aborted on time', async () => {
    let own: AbortSignal | undefined
    const ended = withDeadline(step, undefined, (signal) => {
      own = signal
      return new Promise(() => {})
    })
    const rejection = expect(ended).rejects.toMatchObject({
      name: 'DeadlineError',
      step: 'The screenshot',
      ms: 1000,
      message: 'The screenshot did not end within 1000 ms',
    })
    vi.advanceTimersByTime(999)
    expect(own?.aborted).toBe(false)
    vi.advanceTimersByTime(1)
    await rejection
    expect(own?.reason).toMatchObject({ step: 'The screenshot' })
  })

  test("ends with the caller's signal", async () => {
    const caller = new AbortController()
    let own: AbortSignal | undefined
    const ended = withDeadline(step, caller.signal, (signal) => {
      own = signal
      return new Promise(() => {})
    })
    caller.abort(new Error('cancelled'))
    await expect(ended).rejects.toThrow('cancelled')
    expect(own?.aborted).toBe(true)
    expect(vi.getTimerCount()).toBe(0)
  })

  test('does not start after the caller has aborted', async () => {
    const work = vi.fn<() => Promise<void>>()
    await expect(withDeadline(step, AbortSignal.abort(new Error('gone')), work)).rejects.toThrow('gone')
    expect(work).not.toHaveBeenCalled()
  })
})
