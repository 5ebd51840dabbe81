import { describe, expect, test } from 'vitest'
import type { TeamTerms } from '../../src/contracts/account-ports.ts'
import { opened, type OpenStore } from './store-under-test.ts'

const terms: TeamTerms = {
  maxConcurrency: 4,
  monthlyCredits: null,
  requestsPerMinute: { '*': 60, crawl: 5 },
  permissions: ['ignoreRobotsTxt'],
  webhookSecret: 'a long secret',
}
const key = { name: 'laptop', teamId: 'acme', permissions: [] }

/** What every store of teams does. */
export function describeTeams(open: OpenStore<'teams' | 'keys' | 'refusals'>): void {
  describe('a team', () => {
    test('is found with its terms, in every process and after a restart', async () => {
      const { store, clock, another, restart } = await opened(open)
      const team = { id: 'acme', createdAt: clock.now(), terms }
      expect(await store.teams.add('acme', terms)).toEqual(team)
      expect(await store.teams.find('acme')).toEqual(team)
      expect(await (await another()).teams.find('acme')).toEqual(team)
      expect(await store.teams.find('other')).toBeUndefined()
      expect(await (await restart()).teams.find('acme')).toEqual(team)
    })

    test('changes in what is named; undefined is as in the settings again', async () => {
      const { store } = await opened(open)
      await store.teams.add('acme', terms)
      const changed = await store.teams.change('acme', { monthlyCredits: 10, webhookSecret: undefined })
      expect(changed.terms).toEqual({ ...terms, monthlyCredits: 10, webhookSecret: undefined })
      const { webhookSecret: _, ...left } = terms
      expect((await store.teams.find('acme'))?.terms).toStrictEqual({ ...left, monthlyCredits: 10 })
    })

    test('that two processes change at once keeps both changes', async () => {
      const { store, another } = await opened(open)
      const other = await another()
      await store.teams.add('acme', {})
      await Promise.all([
        store.teams.change('acme', { maxConcurrency: 2 }),
        other.teams.change('acme', { monthlyCredits: 5 }),
      ])
      expect((await store.teams.find('acme'))?.terms).toEqual({ maxConcurrency: 2, monthlyCredits: 5 })
    })

    test('is listed by id', async () => {
      const { store } = await opened(open)
      for (const id of ['b', 'c', 'a']) await store.teams.add(id, {})
      expect((await store.teams.list()).map(({ id }) => id)).toEqual(['a', 'b', 'c'])
    })

    test('is removed together with its keys, and no other team’s', async () => {
      const { store } = await opened(open)
      await store.teams.add('acme', terms)
      const { key: its } = await store.keys.add(key)
      const { key: others } = await store.keys.add({ ...key, name: 'theirs', teamId: 'other' })
      await store.teams.remove('acme')
      expect(await store.teams.find('acme')).toBeUndefined()
      expect(await store.keys.find(its)).toBeUndefined()
      expect(await store.keys.find(others)).toMatchObject({ name: 'theirs' })
    })

    test('takes its refused calls with it, and no other team’s', async () => {
      const { store, clock } = await opened(open)
      const refusal = { at: clock.now(), operation: 'scrape', code: 'BAD_REQUEST', status: 400, message: 'No.' }
      await store.teams.add('acme', terms)
      for (const id of ['acme', 'other']) await store.refusals.note(id, { ...refusal, faults: [], given: {} })
      await store.teams.remove('acme')
      expect(await store.refusals.list('acme')).toEqual([])
      expect(await store.refusals.list('other')).toHaveLength(1)
    })

    test('of an id that is taken is refused, and the first is unchanged', async () => {
      const { store } = await opened(open)
      await store.teams.add('acme', terms)
      await expect(store.teams.add('acme', {})).rejects.toMatchObject({ code: 'BAD_REQUEST' })
      expect((await store.teams.find('acme'))?.terms).toEqual(terms)
    })

    test.each(['', 'x'.repeat(65), 'two words', 'a:b', 'two\nlines', 'local'])('%j is refused', async (id) => {
      const { store } = await opened(open)
      await expect(store.teams.add(id, {})).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    })

    test('that nobody added can be neither changed nor removed', async () => {
      const { store } = await opened(open)
      const { key: its } = await store.keys.add(key)
      for (const tried of [store.teams.change('acme', {}), store.teams.remove('other'), store.teams.remove('acme')])
        await expect(tried).rejects.toMatchObject({ code: 'BAD_REQUEST' })
      expect(await store.keys.find(its)).toMatchObject({ teamId: 'acme' })
    })
  })
}
