import { describe, expect, test } from 'vitest'
import { type Refusal, refusalsKept } from '../../src/contracts/job-ports.ts'
import { opened, type OpenStore } from './store-under-test.ts'

/** The contract of every store of refused calls. */
export function describeRefusals(open: OpenStore<'refusals'>): void {
  async function world() {
    const stores = await opened(open)
    const aRefusal = (changes: Partial<Refusal> = {}): Refusal => ({
      at: stores.clock.now(),
      operation: 'search',
      code: 'BAD_REQUEST',
      status: 400,
      message: 'The request does not match the schema.',
      faults: [{ path: 'query', message: 'Too long' }],
      given: { query: 'a text of 600 characters', limit: 3 },
      ...changes,
    })
    return { ...stores, refusals: stores.store.refusals, aRefusal }
  }

  describe('a refused call', () => {
    test('is found by its team only, in every process and after a restart', async () => {
      const { refusals, aRefusal, another, restart } = await world()
      const refusal = aRefusal()
      await refusals.note('team', refusal)
      expect(await (await another()).refusals.list('team')).toEqual([refusal])
      const later = (await restart()).refusals
      expect(await later.list('team')).toEqual([refusal])
      expect(await later.list('other')).toEqual([])
    })

    test('is forgotten after a day', async () => {
      const { refusals, aRefusal, clock } = await world()
      await refusals.note('team', aRefusal())
      clock.advance(refusalsKept.ms - 1)
      expect(await refusals.list('team')).toHaveLength(1)
      clock.advance(1)
      expect(await refusals.list('team')).toEqual([])
    })

    test('made again is listed once, with its latest time', async () => {
      const { refusals, aRefusal, clock } = await world()
      await refusals.note('team', aRefusal())
      clock.advance(1000)
      const again = aRefusal()
      await refusals.note('team', again)
      await refusals.note('team', { ...again, at: again.at - 5000 })
      expect(await refusals.list('team')).toEqual([again])
    })

    test('is dropped for newer ones of its team, not for those of another', async () => {
      const { refusals, aRefusal, clock } = await world()
      await refusals.note('other', aRefusal())
      for (let limit = 0; limit <= refusalsKept.ofTeam; limit++) {
        clock.advance(1)
        await refusals.note('team', aRefusal({ given: { limit } }))
      }
      const kept = (await refusals.list('team')).map(({ given }) => given['limit'])
      expect(kept).toEqual(Array.from({ length: refusalsKept.ofTeam }, (_, at) => refusalsKept.ofTeam - at))
      expect(await refusals.list('other')).toHaveLength(1)
    })
  })
}
