import { expect, test } from 'vitest'
import { follow } from '../../../src/cli/commands/crawl-command.ts'
import type { CrawlState, Followed } from '../../../src/cli/export/follow-crawl.ts'
import { type ErrorCode, failure } from '../../../src/kernel/error.ts'

const over: CrawlState = { status: 'completed', completed: 0, total: 0, creditsUsed: 0, data: [] }

/** Follows a crawl whose answers, or failures, are given; the last one stays. */
async function followed(answers: readonly (CrawlState | ErrorCode)[]) {
  const pauses: number[] = []
  let looks = 0
  const crawl: Followed = {
    state: async () => {
      const answer = answers[Math.min(looks, answers.length - 1)]!
      looks += 1
      if (typeof answer === 'string') throw failure(answer)
      return answer
    },
    write: async () => {},
    written: () => 0,
    polled: async () => {},
    pause: async (ms) => void pauses.push(ms),
  }
  const end = await follow(crawl, new AbortController().signal).catch((thrown: Error) => thrown)
  return { end, pauses, looks }
}

test('polls four times a second while nothing new arrives', async () => {
  const { end, pauses } = await followed([{ ...over, status: 'scraping' }, { ...over, status: 'scraping' }, over])
  expect(end).toBe(over)
  expect(pauses).toEqual([250, 250])
})

test('waits for a service that is briefly unreachable', async () => {
  const { end, pauses } = await followed(['REMOTE_UNAVAILABLE', 'QUEUE_FULL', over])
  expect(end).toBe(over)
  expect(pauses).toEqual([1000, 2000])
})

test('does not retry a permanent error', async () => {
  const { end, looks } = await followed(['JOB_NOT_FOUND', over])
  expect(end).toMatchObject({ code: 'JOB_NOT_FOUND' })
  expect(looks).toBe(1)
})
