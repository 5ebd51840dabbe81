import { describe, expect, test } from 'vitest'
import type { Monitor, WorkflowEnd } from '../../src/contracts/workflow.ts'
import { aWorkflow } from './fixtures.ts'
import { opened, type OpenStore } from './store-under-test.ts'

const minuteMs = 60_000
const start = Date.UTC(2026, 4, 20, 12)
const completed: WorkflowEnd = { status: 'completed', result: { pages: [] }, error: null, warnings: [] }

export const aMonitor = (changes: Partial<Monitor> = {}): Monitor => ({
  id: crypto.randomUUID(),
  teamId: 'team',
  keyName: 'laptop',
  name: 'Prices ÄÖ🕸',
  status: 'active',
  settings: { schedule: { cron: '* * * * *', timezone: 'UTC' } },
  nextAt: start + minuteMs,
  createdAt: start,
  updatedAt: start,
  ...changes,
})

const aCheck = (monitorId: string, createdAt = start) => ({
  monitorId,
  workflow: aWorkflow({ kind: 'monitor', request: { monitorId }, createdAt, expiresAt: createdAt + 90 * 86_400_000 }),
})

/** The contract of every store of monitors. */
export function describeMonitors(open: OpenStore<'monitors' | 'workflows' | 'usage'>): void {
  async function world(changes?: Partial<Monitor>) {
    const stores = await opened(open)
    const { monitors, workflows, usage } = stores.store
    const monitor = aMonitor(changes)
    await monitors.add(monitor)
    return {
      ...stores,
      monitors,
      workflows,
      usage,
      monitor,
      async finishAll() {
        for (const claimed of await workflows.claim({ workerId: 'me', count: 10, leaseMs: 1000 }))
          await workflows.finish(claimed, completed)
      },
    }
  }

  describe('a monitor', () => {
    test('is found unchanged, even after a restart, and is listed for its team only', async () => {
      const { monitor, restart } = await world()
      const { monitors } = await restart()
      expect(await monitors.find(monitor.id)).toEqual(monitor)
      expect(await monitors.find('unknown')).toBeUndefined()
      const later = aMonitor({ createdAt: start + 1 })
      await monitors.add(later)
      await monitors.add(aMonitor({ teamId: 'other' }))
      expect(await monitors.list('team', { offset: 0, limit: 10 })).toEqual({ monitors: [later, monitor], total: 2 })
      expect(await monitors.list('team', { offset: 1, limit: 10 })).toEqual({ monitors: [monitor], total: 2 })
    })

    test('can be changed, but not after it was removed', async () => {
      const { monitors, monitor } = await world()
      const changed: Monitor = {
        ...monitor,
        name: 'New',
        status: 'paused',
        settings: { a: 1 },
        nextAt: null,
        updatedAt: 9,
      }
      expect(await monitors.update(changed)).toBe(true)
      expect(await monitors.find(monitor.id)).toEqual(changed)
      expect(await monitors.remove(monitor.id)).toBe(true)
      expect(await monitors.remove(monitor.id)).toBe(false)
      expect(await monitors.update(changed)).toBe(false)
      expect(await monitors.find(monitor.id)).toBeUndefined()
    })

    test('is due at its time, the longest overdue first, unless it is paused', async () => {
      const { monitors, monitor, clock } = await world()
      const earlier = aMonitor({ nextAt: start + 1 })
      await monitors.add(earlier)
      await monitors.add(aMonitor({ nextAt: null, status: 'paused' }))
      expect(await monitors.due(10)).toEqual([])
      expect(await monitors.upcoming()).toEqual({ active: 2, nextAt: start + 1 })
      clock.advance(minuteMs)
      expect(await monitors.due(10)).toEqual([earlier, monitor])
      expect(await monitors.due(1)).toEqual([earlier])
    })
  })

  describe('a check', () => {
    test('starts once at the time of its monitor', async () => {
      const { monitors, monitor, another } = await world()
      const turn = { dueAt: start + minuteMs, nextAt: start + 2 * minuteMs }
      const second = (await another()).monitors
      const started = await Promise.all(
        [monitors, second, monitors].map((each) => each.begin({ ...aCheck(monitor.id), turn })),
      )
      expect(started.filter(Boolean)).toHaveLength(1)
      expect(await monitors.find(monitor.id)).toMatchObject({ nextAt: turn.nextAt })
      expect(await monitors.checks(monitor.id)).toHaveLength(1)
    })

    test('does not start while another runs, and is not made up for later', async () => {
      const { monitors, monitor, finishAll } = await world()
      expect(await monitors.begin(aCheck(monitor.id))).toBe(true)
      expect(await monitors.begin(aCheck(monitor.id))).toBe(false)
      const turn = { dueAt: start + minuteMs, nextAt: start + 2 * minuteMs }
      expect(await monitors.begin({ ...aCheck(monitor.id), turn })).toBe(false)
      expect(await monitors.find(monitor.id)).toMatchObject({ nextAt: turn.nextAt })
      await finishAll()
      expect(await monitors.begin(aCheck(monitor.id))).toBe(true)
    })

    test('is listed newest first without its result, until it expires', async () => {
      const { monitors, monitor, finishAll, workflows, clock } = await world()
      for (const at of [start, start + 1]) {
        await monitors.begin(aCheck(monitor.id, at))
        await finishAll()
      }
      const [newest, oldest] = await monitors.checks(monitor.id)
      expect([newest?.createdAt, oldest?.createdAt]).toEqual([start + 1, start])
      expect(newest).toMatchObject({ kind: 'monitor', status: 'completed', request: { monitorId: monitor.id } })
      expect(await workflows.find(newest?.id ?? '')).toMatchObject({ result: completed.result })
      expect(newest).not.toMatchObject({ result: completed.result })
      expect(await monitors.checks(monitor.id, 1)).toHaveLength(1)
      clock.advance(91 * 86_400_000)
      expect(await monitors.checks(monitor.id)).toEqual([])
    })

    test('is removed when there are two hundred newer ones', async () => {
      const { monitors, monitor, finishAll } = await world()
      for (let nth = 0; nth < 203; nth += 1) {
        await monitors.begin(aCheck(monitor.id, start + nth))
        await finishAll()
      }
      const kept = await monitors.checks(monitor.id)
      expect([kept.length, kept.at(-1)?.createdAt]).toEqual([200, start + 3])
    })

    test('is removed with its monitor, but not its cost', async () => {
      const { monitors, monitor, workflows, usage } = await world()
      await monitors.begin(aCheck(monitor.id))
      const [claimed] = await workflows.claim({ workerId: 'me', count: 1, leaseMs: 1000 })
      if (!claimed) throw new Error('nothing to claim')
      await workflows.endStep(claimed, { name: 'page', value: 1, credits: 2 })
      await monitors.remove(monitor.id)
      expect(await workflows.renew('me', [claimed.id], 1000)).toEqual([])
      expect(await workflows.finish(claimed, completed)).toBe(false)
      expect(await workflows.find(claimed.id)).toBeUndefined()
      expect(await usage.since('team', 0)).toBe(2)
      expect(await monitors.begin(aCheck(monitor.id))).toBe(false)
    })
  })
}
