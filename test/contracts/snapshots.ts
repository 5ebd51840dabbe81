import { describe, expect, test } from 'vitest'
import type { Snapshot } from '../../src/contracts/crawl-ports.ts'
import { opened, type OpenStore } from './store-under-test.ts'

const dayMs = 86_400_000
const url = 'https://example.com/'

/** The contract of every store of snapshots. */
export function describeSnapshots(open: OpenStore<'snapshots'>): void {
  async function world() {
    const stores = await opened(open)
    const aSnapshot = (changes: Partial<Snapshot> = {}): Snapshot => ({
      at: stores.clock.now(),
      markdown: '# Hello',
      isLinked: true,
      ...changes,
    })
    return { ...stores, snapshots: stores.store.snapshots, aSnapshot }
  }

  describe('a snapshot', () => {
    test.each<[string, Partial<Snapshot>]>([
      ['of a page', { markdown: 'naïve 🕸\0\r\n' }],
      ['of a page that is gone', { markdown: null }],
      ['of a page without text', { markdown: '' }],
      ['of a page that no link led to', { isLinked: false }],
      ['with what was extracted', { json: { price: [1, null, { a: '🕸' }] } }],
    ])('is found unchanged: %s', async (_, changes) => {
      const { snapshots, aSnapshot } = await world()
      await snapshots.keep('team', url, 'tag', aSnapshot(changes))
      expect(await snapshots.last('team', url, 'tag')).toEqual(aSnapshot(changes))
    })

    test.each<[string, [string, string, string]]>([
      ['team', ['other', url, 'tag']],
      ['address', ['team', `${url}a`, 'tag']],
      ['tag', ['team', url, '']],
    ])('is separate by %s', async (_, key) => {
      const { snapshots, aSnapshot } = await world()
      await snapshots.keep('team', url, 'tag', aSnapshot())
      expect(await snapshots.last(...key)).toBeUndefined()
      await snapshots.keep(...key, aSnapshot({ markdown: 'other' }))
      expect(await snapshots.last('team', url, 'tag')).toEqual(aSnapshot())
    })

    test('replaces an earlier one, but never a later one', async () => {
      const { snapshots, aSnapshot, clock } = await world()
      const later = clock.now() + 1
      await snapshots.keep('team', url, '', aSnapshot({ json: { a: 1 }, isLinked: false }))
      await snapshots.keep('team', url, '', aSnapshot({ at: later, markdown: null }))
      await snapshots.keep('team', url, '', aSnapshot({ markdown: 'late to come' }))
      expect(await snapshots.last('team', url, '')).toEqual({ at: later, markdown: null, isLinked: true })
      await snapshots.keep('team', url, '', aSnapshot({ at: later, markdown: 'of the same moment' }))
      expect(await snapshots.last('team', url, '')).toMatchObject({ markdown: 'of the same moment' })
    })

    test('stored concurrently by many is the latest of them', async () => {
      const { snapshots, aSnapshot, clock } = await world()
      const start = clock.now()
      const keep = (nth: number) =>
        snapshots.keep('team', url, '', aSnapshot({ at: start + (nth % 50), markdown: `${nth}` }))
      await Promise.all(Array.from({ length: 99 }, (_, nth) => keep(nth)))
      expect(await snapshots.last('team', url, '')).toMatchObject({ at: start + 49, markdown: '49' })
    })

    test('expires after four hundred days', async () => {
      const { snapshots, aSnapshot, clock } = await world()
      await snapshots.keep('team', url, '', aSnapshot())
      clock.advance(400 * dayMs - 1)
      expect(await snapshots.last('team', url, '')).toBeDefined()
      clock.advance(1)
      expect(await snapshots.last('team', url, '')).toBeUndefined()
    })

    test('survives a restart', async () => {
      const { store, restart, aSnapshot } = await world()
      await store.snapshots.keep('team', url, '', aSnapshot())
      const { snapshots } = await restart()
      expect(await snapshots.last('team', url, '')).toEqual(aSnapshot())
    })

    test('stored by one process is found by another', async () => {
      const { snapshots, another, aSnapshot, clock } = await world()
      const other = await another()
      await other.snapshots.keep('team', url, '', aSnapshot({ at: clock.now() + 1, markdown: 'later' }))
      await snapshots.keep('team', url, '', aSnapshot({ markdown: 'earlier' }))
      expect(await snapshots.last('team', url, '')).toMatchObject({ markdown: 'later' })
    })
  })
}
