import type { Progress } from '../../kernel/ctx.ts'

export type ProgressTiming = {
  /** A sign of life at least this often, so that clients do not give up; their usual limit is 60 s. */
  heartbeatMs: number
  /** No two notes closer than this; the newest one waits. */
  gapMs: number
}
export const progressTiming: ProgressTiming = { heartbeatMs: 9_000, gapMs: 250 }

export type ProgressNote = { progress: number; total?: number; message?: string }

/** Progress must grow with every note; one without news grows by this. */
const step = 0.001

/**
 * Forwards the progress of one call, not too often and never too seldom, with strictly growing numbers.
 * After `stop` nothing is sent any more.
 */
export function startProgress(
  send: (note: ProgressNote) => void,
  timing: ProgressTiming = progressTiming,
): { progress: Progress; stop(): void } {
  let latest: ProgressNote = { progress: 0, message: 'Working' }
  let sent = -step
  let sentAt = -Infinity
  let timer: NodeJS.Timeout | undefined

  const wait = (ms: number) => {
    clearTimeout(timer)
    timer = setTimeout(sendLatest, ms)
    timer.unref()
  }
  const sendLatest = () => {
    sent = Math.max(latest.progress, sent + step)
    sentAt = performance.now()
    send({ ...latest, progress: sent })
    wait(timing.heartbeatMs)
  }
  wait(timing.heartbeatMs)
  let isStopped = false
  return {
    progress: (done, total, message) => {
      if (isStopped) return
      latest = { progress: done, ...(total !== undefined && { total }), ...(message !== '' && { message }) }
      const left = sentAt + timing.gapMs - performance.now()
      if (left > 0) wait(left)
      else sendLatest()
    },
    stop: () => {
      isStopped = true
      clearTimeout(timer)
    },
  }
}
