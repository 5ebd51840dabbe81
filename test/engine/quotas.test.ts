import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { TeamLimits } from '../../src/contracts/account-ports.ts'
import { createTeamQuotas } from '../../src/engine/account/team-quotas.ts'
import type { Quotas } from '../../src/engine/store/store.ts'
import { failure } from '../../src/kernel/error.ts'
import { logBook } from '../contracts/fixtures.ts'
import { failureOf } from '../helpers/fakes.ts'
import { forTest } from '../helpers/for-all.ts'
import { tempDir, tempStore } from '../store/kit.ts'

const never = new AbortController().signal
const usual: TeamLimits = {
  maxConcurrency: 1,
  maxSessions: undefined,
  requestsPerMinute: {},
  monthlyCredits: 5,
  unsandboxedCode: true,
  disabled: false,
  stoppedAt: -Infinity,
}

/** Accounts as two processes on one folder have them. */
async function setting(limits: Partial<TeamLimits> = {}, broken?: (quotas: Quotas) => Partial<Quotas>) {
  const dir = await tempDir()
  const clock = { now: Date.now }
  const open = async () => {
    const { store } = await tempStore({ dir, clock })
    const calls: string[] = []
    const account = forTest(
      createTeamQuotas({
        quotas: async () => {
          calls.push('quotas')
          return { ...store.quotas, ...broken?.(store.quotas) }
        },
        usage: store.usage,
        limitsOf: async () => ({ ...usual, ...limits }),
        maxWaiting: 2,
        clock,
        log: logBook().log,
      }),
    )
    return { account, calls, store }
  }
  return { dir, limits, one: await open(), two: await open() }
}

describe('a slot', () => {
  test('released by one process goes to a waiting call of another', async () => {
    const { one, two } = await setting()
    const first = await one.account.take('acme', never)
    expect(first.hasWaited).toBe(false)
    const second = two.account.take('acme', never)
    await expect.poll(() => one.account.load('acme')).toEqual({ active: 1, waiting: 1 })
    first.release()
    expect((await second).hasWaited).toBe(true)
    expect(await one.account.load('acme')).toEqual({ active: 1, waiting: 0 })
  })

  test('is refused if too many wait in all processes, but not to work without a call', async () => {
    const { one, two } = await setting()
    const gone = new AbortController()
    const first = await one.account.take('acme', never)
    const waiting = [one, two].map(({ account }) => account.take('acme', gone.signal).catch(() => {}))
    await expect.poll(() => one.account.load('acme')).toEqual({ active: 1, waiting: 2 })
    expect(await failureOf(two.account.take('acme', never))).toMatchObject({
      code: 'QUEUE_FULL',
      details: { maxConcurrency: 1, maxWaiting: 2 },
    })
    const entered = two.account.enter('acme', never)
    gone.abort()
    await Promise.all(waiting)
    first.release()
    ;(await entered)()
    await expect.poll(() => one.account.load('acme')).toEqual({ active: 0, waiting: 0 })
  })

  test('is released by a call that was aborted while it waited', async () => {
    const { one } = await setting()
    const gone = new AbortController()
    const first = await one.account.take('acme', never)
    const second = one.account.take('acme', gone.signal)
    await expect.poll(() => one.account.load('acme')).toEqual({ active: 1, waiting: 1 })
    gone.abort(new Error('gone'))
    expect(String(await failureOf(second))).toContain('gone')
    first.release()
    await expect.poll(() => one.account.load('acme')).toEqual({ active: 0, waiting: 0 })
    expect(await failureOf(one.account.take('acme', gone.signal))).toBeDefined()
    expect(await one.account.load('acme')).toEqual({ active: 0, waiting: 0 })
  })

  test('and credits of a killed process are free again without waiting for its lease', async () => {
    const { dir, one } = await setting()
    const child = spawn(process.execPath, [join(import.meta.dirname, '../store/programs/take-slot.ts'), dir, 'acme'])
    onTestFinished(() => void child.kill('SIGKILL'))
    await once(child.stdout, 'data')
    const hold = { jobId: 'mine', teamId: 'acme', credits: 1, monthlyCredits: 1 }
    expect(await one.account.holdCredits(hold)).toBeUndefined()
    const waiting = one.account.take('acme', never)
    await expect.poll(() => one.account.load('acme')).toEqual({ active: 1, waiting: 1 })
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect((await waiting).hasWaited).toBe(true)
    expect(await one.account.holdCredits(hold)).toBeDefined()
  })
})

test('the rate limit applies to the endpoint, otherwise to all endpoints; without limits there is none', async () => {
  const { one, two } = await setting({ requestsPerMinute: { '*': 100, crawl: 2 } })
  expect(await one.account.countCall('acme', 'scrape')).toMatchObject({ limit: 100, isCounted: true })
  await one.account.countCall('acme', 'crawl')
  expect(await two.account.countCall('acme', 'crawl')).toMatchObject({ limit: 2, resetMs: expect.any(Number) })
  expect(await (await setting()).one.account.countCall('acme', 'scrape')).toBeUndefined()
})

const full = async () => Promise.reject(failure('STORAGE_FULL'))

const disk = () => ({ join: full, countCall: full, holdCredits: full })

describe('on a full disk', () => {
  test('slots are counted in this process', async () => {
    const { one } = await setting({}, disk)
    const first = await one.account.take('acme', never)
    const events: string[] = []
    const second = one.account.take('acme', never).then(() => events.push('entered'))
    await setTimeout(50)
    events.push('released')
    first.release()
    await second
    expect(events).toEqual(['released', 'entered'])
  })

  test('calls are not counted, and recorded credits stay', async () => {
    const { one } = await setting({ requestsPerMinute: { '*': 1 } }, disk)
    for (const _ of [1, 2]) expect(await one.account.countCall('acme', 'scrape')).toMatchObject({ isCounted: true })
    const hold = { jobId: 'a', teamId: 'acme', monthlyCredits: 5 }
    expect(await one.account.holdCredits({ ...hold, credits: 5 })).toBeDefined()
    expect(await one.account.holdCredits({ ...hold, credits: 6 })).toBeUndefined()
  })
})
