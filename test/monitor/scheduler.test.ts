import { expect, test, vi } from 'vitest'
import type { Monitor } from '../../src/contracts/workflow.ts'
import { createScheduler } from '../../src/engine/monitor/scheduler.ts'
import { logBook } from '../contracts/fixtures.ts'
import { opened } from '../contracts/store-under-test.ts'
import { forTest } from '../helpers/for-all.ts'
import { openSqliteStore } from '../store/sqlite-under-test.ts'

const minuteMs = 60_000
const schedule = { cron: '* * * * *', timezone: 'UTC' }

/** A store with one monitor that is due in a minute, and schedulers on it, each like one of another process. */
async function world() {
  const made = await opened(openSqliteStore)
  const { clock, store } = made
  const { log, lines } = logBook()
  const monitor: Monitor = {
    id: '00000000-0000-4000-8000-000000000001',
    teamId: 'team',
    keyName: null,
    name: 'Prices',
    status: 'active',
    settings: { schedule, targets: [], condition: null, webhook: null, retentionDays: 30, goal: null },
    nextAt: clock.now() + minuteMs,
    createdAt: clock.now(),
    updatedAt: clock.now(),
  }
  await store.monitors.add(monitor)
  const scheduler = async () => {
    const { monitors } = await made.another()
    const wakes = { count: 0 }
    const workflowRunner = { wake: () => void (wakes.count += 1) }
    const running = forTest(createScheduler({ monitors, clock, workflowRunner }, log))
    return { ...running, wakes }
  }
  const { monitors, workflows } = store
  return {
    clock,
    monitor,
    monitors,
    lines,
    scheduler,
    checks: () => monitors.checks(monitor.id),
    async finishAll() {
      const end = { status: 'completed', result: {}, error: null, warnings: [] } as const
      for (const each of await workflows.claim({ workerId: 'me', count: 10, leaseMs: 1 }))
        await workflows.finish(each, end)
    },
  }
}

test('a check starts when it is due, not before, and so does the next', async () => {
  const { scheduler, clock, checks, finishAll, monitor } = await world()
  const running = await scheduler()
  running.wake()
  clock.advance(minuteMs - 1)
  running.wake()
  expect(running.wakes.count).toBe(0)
  clock.advance(1)
  running.wake()
  await vi.waitFor(async () => expect(await checks()).toHaveLength(1), 20_000)
  expect(running.wakes.count).toBe(1)
  expect(await checks()).toMatchObject([{ request: { trigger: 'scheduled', scheduledFor: monitor.nextAt } }])
  await finishAll()
  clock.advance(minuteMs)
  running.wake()
  await vi.waitFor(async () => expect(await checks()).toHaveLength(2), 20_000)
})

test('checks missed while no process ran are replaced by a single one', async () => {
  const { scheduler, clock, checks, monitors, monitor } = await world()
  clock.advance(100 * minuteMs)
  const running = await scheduler()
  running.wake()
  await vi.waitFor(async () => expect(await checks()).toHaveLength(1), 20_000)
  const { nextAt } = (await monitors.find(monitor.id)) ?? {}
  expect(nextAt).toBe(Math.floor(clock.now() / minuteMs + 1) * minuteMs)
  running.wake()
  await running.close()
  expect(await checks()).toHaveLength(1)
})

test('two processes start a check once', async () => {
  const { scheduler, clock, checks, lines } = await world()
  const both = [await scheduler(), await scheduler()]
  clock.advance(minuteMs)
  for (const each of both) each.wake()
  await vi.waitFor(async () => expect(await checks()).toHaveLength(1), 20_000)
  await Promise.all(both.map((each) => each.close()))
  expect(lines.filter(({ event }) => event === 'monitor check started')).toHaveLength(1)
})

test('a check that is due while another is still running is skipped', async () => {
  const { scheduler, clock, checks, monitors, monitor } = await world()
  const running = await scheduler()
  for (const turn of [1, 2]) {
    clock.advance(minuteMs)
    running.wake()
    const after = clock.now() + minuteMs
    await vi.waitFor(async () => expect((await monitors.find(monitor.id))?.nextAt, String(turn)).toBe(after), 20_000)
  }
  expect(await checks()).toHaveLength(1)
})

test('a monitor whose next time cannot be computed does not delay others', async () => {
  const { scheduler, clock, checks, monitors, monitor, lines } = await world()
  const broken = { ...monitor, id: '00000000-0000-4000-8000-000000000000', settings: { schedule: { cron: 'never' } } }
  await monitors.add({ ...broken, nextAt: clock.now() })
  clock.advance(minuteMs)
  const running = await scheduler()
  running.wake()
  await vi.waitFor(async () => expect(await checks()).toHaveLength(1), 20_000)
  expect(lines.filter(({ level }) => level === 'error').map(({ event }) => event)).toContain(
    'monitor check could not be started',
  )
})

test('a time that was computed while the clock was ahead is recomputed, whether it is set back before or after the start', async () => {
  const { scheduler, clock, monitors, monitor } = await world()
  const nextAt = async () => (await monitors.find(monitor.id))?.nextAt
  const yearMs = 365 * 24 * 60 * minuteMs
  const first = await scheduler()
  clock.advance(yearMs)
  first.wake()
  await vi.waitFor(async () => expect(await nextAt()).toBeGreaterThan(clock.now()), 20_000)
  clock.advance(-yearMs)
  first.wake()
  await vi.waitFor(async () => expect(await nextAt()).toBe(monitor.nextAt), 20_000)
  await monitors.reschedule(monitor, clock.now() + yearMs)
  ;(await scheduler()).wake()
  await vi.waitFor(async () => expect(await nextAt()).toBe(monitor.nextAt), 20_000)
})
