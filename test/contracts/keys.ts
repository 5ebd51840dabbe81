import { describe, expect, test } from 'vitest'
import { opened, type OpenStore } from './store-under-test.ts'

const owner = {
  name: 'laptop',
  teamId: 'team',
  permissions: ['ignoreRobotsTxt'] as const,
  limits: { readOnly: true, operations: ['scrape', 'map'] },
}

/** The contract of every store of API keys. */
export function describeKeys(open: OpenStore<'keys'>): void {
  describe('an API key', () => {
    test('finds its owner', async () => {
      const { store } = await opened(open)
      const { key } = await store.keys.add(owner)
      expect(key).toMatch(/^gsm-[\w-]{32}$/)
      expect(await store.keys.find(key)).toEqual(owner)
    })

    test.each(['', 'gsm-', 'gsm-'.padEnd(36, 'A'), 'laptop', '漢字'])('%j is refused', async (presented) => {
      const { store } = await opened(open)
      await store.keys.add(owner)
      expect(await store.keys.find(presented)).toBeUndefined()
    })

    test('is listed by name and beginning only', async () => {
      const { store, clock } = await opened(open)
      const { key } = await store.keys.add(owner)
      expect(await store.keys.list()).toEqual([
        { ...owner, prefix: key.slice(0, 8), createdAt: clock.now(), expiresAt: null, lastUsedAt: null },
      ])
    })

    test('is refused once it has expired, to the millisecond', async () => {
      const { store, clock } = await opened(open)
      const expiresAt = clock.now() + 1000
      const { key } = await store.keys.add({ ...owner, expiresAt })
      clock.advance(999)
      expect(await store.keys.find(key)).toEqual(owner)
      clock.advance(1)
      expect(await store.keys.find(key)).toBeUndefined()
      expect(await store.keys.list()).toMatchObject([{ expiresAt }])
    })

    test('is listed with its last use, which is recorded once a minute', async () => {
      const { store, clock } = await opened(open)
      const { key } = await store.keys.add(owner)
      const used: unknown[] = []
      for (const ms of [0, 59_999, 1]) {
        clock.advance(ms)
        await store.keys.find(key)
        used.push((await store.keys.list())[0]?.lastUsedAt)
      }
      const last = clock.now()
      expect(used).toEqual([last - 60_000, last - 60_000, last])
    })

    test('is refused once revoked, and its name is free again', async () => {
      const { store } = await opened(open)
      const { key } = await store.keys.add(owner)
      await store.keys.revoke('laptop')
      expect(await store.keys.find(key)).toBeUndefined()
      expect(await store.keys.list()).toEqual([])
      expect((await store.keys.add(owner)).key).not.toBe(key)
    })

    test('is valid in every process and after a restart', async () => {
      const { store, another, restart } = await opened(open)
      const other = await another()
      const { key } = await store.keys.add(owner)
      expect(await other.keys.find(key)).toEqual(owner)
      expect(await (await restart()).keys.find(key)).toEqual(owner)
    })
  })

  describe('the name of a key', () => {
    test('is refused if it is taken, and the first key stays valid', async () => {
      const { store } = await opened(open)
      const { key } = await store.keys.add(owner)
      await expect(store.keys.add({ ...owner, teamId: 'other' })).rejects.toMatchObject({
        code: 'BAD_REQUEST',
        message: 'There is already a key named "laptop".',
      })
      expect(await store.keys.find(key)).toEqual(owner)
    })

    test('is given to one of two processes that request it concurrently', async () => {
      const { store, another } = await opened(open)
      const other = await another()
      const added = await Promise.allSettled([store, other].map(({ keys }) => keys.add(owner)))
      expect(added.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
      expect(await other.keys.list()).toHaveLength(1)
    })

    test.each(['', 'x'.repeat(65), 'two\nlines'])('%j is refused', async (name) => {
      const { store } = await opened(open)
      await expect(store.keys.add({ ...owner, name })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    })

    test('cannot be revoked if no key has it', async () => {
      const { store } = await opened(open)
      await expect(store.keys.revoke('laptop')).rejects.toMatchObject({
        code: 'BAD_REQUEST',
        message: 'There is no key named "laptop".',
      })
    })
  })
}
