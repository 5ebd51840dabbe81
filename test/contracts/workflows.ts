import { describe, expect, test } from 'vitest'
import type { WorkflowEnd } from '../../src/contracts/workflow.ts'
import { aDelivery, aWorkflow } from './fixtures.ts'
import { opened, type OpenStore } from './store-under-test.ts'

const leaseMs = 30_000
const dayMs = 86_400_000
const completed: WorkflowEnd = { status: 'completed', result: { answer: '🕸' }, error: null, warnings: ['a note'] }

/** The contract of every store of workflows. */
export function describeWorkflows(open: OpenStore<'workflows' | 'usage' | 'deliveries'>): void {
  async function world() {
    const stores = await opened(open)
    const { workflows, usage, deliveries } = stores.store
    const claim = (workerId: string, count = 10) => workflows.claim({ workerId, count, leaseMs })
    return {
      ...stores,
      workflows,
      usage,
      deliveries,
      claim,
      creditsUsed: () => usage.since('team', 0),
      async startOne() {
        await workflows.start(aWorkflow())
        const [claimed] = await claim('me')
        if (!claimed) throw new Error('nothing to claim')
        return claimed
      },
    }
  }

  describe('a workflow', () => {
    test('is found unchanged, and is listed as running', async () => {
      const { workflows } = await world()
      const started = aWorkflow()
      await workflows.start(started)
      const found = {
        ...started,
        completedAt: null,
        status: 'processing',
        progress: null,
        result: null,
        error: null,
        warnings: [],
        credits: 0,
      }
      expect(await workflows.find(started.id)).toEqual(found)
      expect(await workflows.running()).toEqual([found])
      expect(await workflows.running('team')).toEqual([found])
      expect(await workflows.running('other')).toEqual([])
      expect(await workflows.find('unknown')).toBeUndefined()
    })

    test('queues one event for its start and one for its cancellation, for its team', async () => {
      const { workflows, deliveries } = await world()
      const { id, ...rest } = aWorkflow()
      const event = (type: string) => aDelivery({ crawlId: id, type: `extract.${type}` })
      const [started, cancelled] = [event('started'), event('cancelled')]
      await workflows.start({ id, ...rest }, started)
      await workflows.start({ id, ...rest }, event('started'))
      expect(await workflows.cancel(id, cancelled)).toBe(true)
      expect(await workflows.cancel(id, event('cancelled'))).toBe(false)
      expect((await deliveries.look(id, 10)).due.map((each) => each.id)).toEqual([started.id, cancelled.id])
      expect(await deliveries.claim('me', 10, leaseMs)).toMatchObject([{ crawlId: id, teamId: 'team' }])
    })

    test('keeps its result for a day after its end', async () => {
      const { workflows, startOne, clock } = await world()
      const claimed = await startOne()
      clock.advance(5000)
      expect(await workflows.finish(claimed, completed)).toBe(true)
      expect(await workflows.find(claimed.id)).toMatchObject({
        ...completed,
        completedAt: clock.now(),
        expiresAt: clock.now() + dayMs,
      })
      expect(await workflows.running()).toEqual([])
      clock.advance(dayMs)
      expect(await workflows.find(claimed.id)).toBeUndefined()
    })

    test('ends once, with one webhook event', async () => {
      const { workflows, startOne, deliveries } = await world()
      const claimed = await startOne()
      const delivery = aDelivery({ crawlId: claimed.id })
      expect(await workflows.finish(claimed, completed, [delivery])).toBe(true)
      expect(await workflows.finish(claimed, { ...completed, result: {} }, [aDelivery()])).toBe(false)
      expect(await workflows.find(claimed.id)).toMatchObject({ result: completed.result })
      expect((await deliveries.look(claimed.id, 10)).due).toMatchObject([{ id: delivery.id }])
    })

    test('accepts nothing once it is cancelled', async () => {
      const { workflows, startOne } = await world()
      const claimed = await startOne()
      expect(await workflows.cancel(claimed.id)).toBe(true)
      expect(await workflows.cancel(claimed.id)).toBe(false)
      expect(await workflows.renew('me', [claimed.id], leaseMs)).toEqual([])
      expect(await workflows.endStep(claimed, { name: 'late', value: 1, credits: 1 })).toBe(false)
      expect(await workflows.report(claimed, { done: 1 })).toBe(false)
      expect(await workflows.finish(claimed, completed)).toBe(false)
      expect(await workflows.find(claimed.id)).toMatchObject({ status: 'cancelled', result: null, credits: 0 })
    })
  })

  describe('a claim of workflows', () => {
    test('takes the oldest first, up to the requested number, each for one worker', async () => {
      const { workflows, claim } = await world()
      const all = Array.from({ length: 30 }, (_, nth) => aWorkflow({ createdAt: 1000 + nth, expiresAt: 9e15 }))
      for (const each of all.toReversed()) await workflows.start(each)
      expect((await claim('me', 3)).map(({ id }) => id)).toEqual(all.slice(0, 3).map(({ id }) => id))
      const others = await Promise.all(Array.from({ length: 12 }, (_, nth) => claim(`other-${nth}`, 3)))
      expect(
        others
          .flat()
          .map(({ id }) => id)
          .toSorted(),
      ).toEqual(
        all
          .slice(3)
          .map(({ id }) => id)
          .toSorted(),
      )
    })

    test('takes over a workflow whose lease has ended, and the former worker can write no more', async () => {
      const { workflows, startOne, claim, clock, creditsUsed } = await world()
      const lost = await startOne()
      clock.advance(leaseMs - 1)
      expect(await claim('other')).toEqual([])
      clock.advance(1)
      const [taken] = await claim('other')
      expect(taken).toMatchObject({ id: lost.id, attempt: 2 })
      expect(await workflows.endStep(lost, { name: 'page', value: 'old', credits: 1 })).toBe(false)
      expect(await workflows.finish(lost, completed)).toBe(false)
      expect(await workflows.step(lost.id, 'page')).toBeUndefined()
      expect(await creditsUsed()).toBe(0)
      expect(taken && (await workflows.finish(taken, completed))).toBe(true)
    })

    test('takes over a released workflow immediately, even for the same worker', async () => {
      const { workflows, startOne, claim } = await world()
      const first = await startOne()
      expect(await workflows.workers()).toEqual(['me'])
      await workflows.release('me')
      expect(await workflows.workers()).toEqual([])
      const [again] = await claim('me')
      expect(again?.attempt).toBe(2)
      expect(await workflows.endStep(first, { name: 'page', value: 'old', credits: 0 })).toBe(false)
    })

    test('is extended by a renewal that names it, while its worker holds it', async () => {
      const { workflows, startOne, claim, clock } = await world()
      const [kept, left] = [await startOne(), await startOne()]
      clock.advance(leaseMs - 1)
      expect(await workflows.renew('me', [kept.id], leaseMs)).toEqual([kept.id])
      expect(await workflows.renew('other', [left.id], leaseMs)).toEqual([])
      clock.advance(1)
      expect(await claim('other')).toMatchObject([{ id: left.id }])
      expect(await workflows.renew('me', [left.id], leaseMs)).toEqual([])
      expect(await workflows.renew('me', [], leaseMs)).toEqual([])
    })
  })

  describe('a step', () => {
    test('is kept with its charge once it has ended, even after a restart', async () => {
      const { workflows, startOne, restart, creditsUsed } = await world()
      const claimed = await startOne()
      const value = { text: 'naïve 🕸', list: [1, null] }
      expect(await workflows.endStep(claimed, { name: 'page 1', value, credits: 2 })).toBe(true)
      expect(await workflows.endStep(claimed, { name: 'nothing', value: null, credits: 0 })).toBe(true)
      expect(await creditsUsed()).toBe(2)
      const later = (await restart()).workflows
      expect(await later.step(claimed.id, 'page 1')).toEqual({ value })
      expect(await later.step(claimed.id, 'nothing')).toEqual({ value: null })
      expect(await later.step(claimed.id, 'page 2')).toBeUndefined()
      expect(await later.find(claimed.id)).toMatchObject({ credits: 2 })
    })

    test('is charged once, even if it ends twice; the end of its workflow removes it, but not its charge', async () => {
      const { workflows, startOne, creditsUsed } = await world()
      const claimed = await startOne()
      await workflows.endStep(claimed, { name: 'page', value: 1, credits: 2 })
      await workflows.endStep(claimed, { name: 'page', value: 2, credits: 2 })
      expect(await creditsUsed()).toBe(2)
      expect(await workflows.find(claimed.id)).toMatchObject({ credits: 2 })
      await workflows.finish(claimed, completed)
      expect(await workflows.step(claimed.id, 'page')).toBeUndefined()
      expect(await creditsUsed()).toBe(2)
    })
  })
}
