import { describe, expect, test } from 'vitest'
import type { TeamTerms } from '../../src/contracts/account-ports.ts'
import { aCrawl, aWorkflow, page } from './fixtures.ts'
import { aMonitor } from './monitors.ts'
import { opened, type OpenStore } from './store-under-test.ts'

const terms: TeamTerms = {
  maxConcurrency: 4,
  monthlyCredits: null,
  requestsPerMinute: { '*': 60, crawl: 5 },
  permissions: ['ignoreRobotsTxt'],
  webhookSecret: 'a long secret',
}
const key = { name: 'laptop', teamId: 'acme', permissions: [] }

type TeamStores = 'teams' | 'keys' | 'refusals' | 'workflows' | 'monitors' | 'crawls'

/** A job and a monitor of `acme`, which has one key, and of another team. */
async function atWork(open: OpenStore<TeamStores>) {
  const stores = await opened(open)
  const { teams, keys, workflows, monitors, crawls } = stores.store
  for (const id of ['acme', 'other']) {
    await keys.add({ ...key, name: id, teamId: id })
    await workflows.start(aWorkflow({ id, teamId: id }))
    await crawls.start(aCrawl({ id, teamId: id }), [page('/')])
    await monitors.add(aMonitor({ id: `monitor of ${id}`, teamId: id }))
  }
  await workflows.claim({ workerId: 'me', count: 10, leaseMs: 1000 })
  return { ...stores, teams, keys, workflows, monitors, crawls }
}

/** The contract of every store of teams. */
export function describeTeams(open: OpenStore<TeamStores>): void {
  describe('the work of a team', () => {
    test('ends with the team, even if no process works on it; that of other teams continues', async () => {
      const { teams, keys, workflows, monitors, crawls, clock, another } = await atWork(open)
      await teams.add('acme', terms)
      await teams.remove('acme')
      expect(await workflows.find('acme')).toMatchObject({ status: 'cancelled' })
      expect(await workflows.find('other')).toMatchObject({ status: 'processing' })
      expect(await workflows.renew('me', ['acme', 'other'], 1000)).toEqual(['other'])
      expect(await crawls.find('acme')).toMatchObject({ status: 'cancelled', counts: { waiting: 0, dropped: 1 } })
      expect((await crawls.running()).map(({ id }) => id)).toEqual(['other'])
      expect(await monitors.find('monitor of acme')).toBeUndefined()
      expect(await monitors.find('monitor of other')).toMatchObject({ status: 'active' })
      expect(await teams.stateOf('acme')).toEqual({ stoppedAt: Infinity })
      expect(await teams.list()).toEqual([])
      // A call that is still running starts nothing more.
      await workflows.start(aWorkflow({ id: 'late', teamId: 'acme' }))
      expect(await workflows.find('late')).toBeUndefined()
      // Work left by the removed team does not become that of a new one.
      const stoppedAt = clock.now()
      clock.advance(1000)
      await keys.add(key)
      expect(await teams.stateOf('acme')).toEqual({ stoppedAt })
      await teams.add('acme', terms)
      expect(await (await another()).teams.stateOf('acme')).toEqual({ ...terms, stoppedAt })
      expect((await teams.find('acme'))?.terms).toEqual(terms)
    })

    test('ends with its last key, and its monitors are paused', async () => {
      const { teams, keys, workflows, monitors, clock } = await atWork(open)
      await teams.add('acme', terms)
      await keys.add(key)
      expect(await keys.revoke('acme')).toEqual({ stoppedTeam: undefined })
      expect(await workflows.find('acme')).toMatchObject({ status: 'processing' })
      expect(await keys.revoke('laptop')).toEqual({ stoppedTeam: 'acme' })
      expect(await workflows.find('acme')).toMatchObject({ status: 'cancelled' })
      expect(await monitors.find('monitor of acme')).toMatchObject({ status: 'paused', nextAt: null })
      expect(await teams.stateOf('acme')).toEqual({ ...terms, stoppedAt: Infinity })
      await keys.add(key)
      await teams.change('acme', { maxConcurrency: 1 })
      expect(await teams.stateOf('acme')).toEqual({ ...terms, maxConcurrency: 1, stoppedAt: clock.now() })
    })

    test('pauses while the team is disabled, and then continues', async () => {
      const { teams, workflows, monitors, clock } = await atWork(open)
      await teams.add('acme', { disabled: true })
      clock.advance(3_600_000)
      expect(await workflows.renew('me', ['acme', 'other'], 1000)).toEqual(['other'])
      clock.advance(1000)
      const claim = async () => (await workflows.claim({ workerId: 'you', count: 10, leaseMs: 1 })).map(({ id }) => id)
      const due = async () => (await monitors.due(10)).map(({ teamId }) => teamId)
      expect([await claim(), await due(), (await monitors.upcoming()).active]).toEqual([['other'], ['other'], 1])
      await teams.change('acme', { disabled: false })
      expect([await claim(), await due()]).toEqual([['acme'], expect.arrayContaining(['acme', 'other'])])
    })
  })

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

    test('is changed only in the given terms; undefined restores the settings', async () => {
      const { store } = await opened(open)
      await store.teams.add('acme', terms)
      const changed = await store.teams.change('acme', { monthlyCredits: 10, webhookSecret: undefined })
      expect(changed.terms).toEqual({ ...terms, monthlyCredits: 10, webhookSecret: undefined })
      const { webhookSecret: _, ...left } = terms
      expect((await store.teams.find('acme'))?.terms).toStrictEqual({ ...left, monthlyCredits: 10 })
    })

    test('keeps concurrent changes of two processes', async () => {
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

    test('is removed together with its keys and refused calls, and no other team’s', async () => {
      const { store, clock } = await opened(open)
      await store.teams.add('acme', terms)
      const refusal = { at: clock.now(), operation: 'scrape', code: 'BAD_REQUEST', status: 400, message: 'No.' }
      for (const id of ['acme', 'other']) await store.refusals.note(id, { ...refusal, faults: [], given: {} })
      const { key: its } = await store.keys.add(key)
      const { key: others } = await store.keys.add({ ...key, name: 'theirs', teamId: 'other' })
      await store.teams.remove('acme')
      expect(await store.teams.find('acme')).toBeUndefined()
      expect(await store.keys.find(its)).toBeUndefined()
      expect(await store.keys.find(others)).toMatchObject({ name: 'theirs' })
      expect(await store.refusals.list('acme')).toEqual([])
      expect(await store.refusals.list('other')).toHaveLength(1)
    })

    test('is refused if its id is taken, and the first is unchanged', async () => {
      const { store } = await opened(open)
      await store.teams.add('acme', terms)
      await expect(store.teams.add('acme', {})).rejects.toMatchObject({ code: 'BAD_REQUEST' })
      expect((await store.teams.find('acme'))?.terms).toEqual(terms)
    })

    test.each(['', 'x'.repeat(65), 'two words', 'a:b', 'two\nlines', 'local'])('%j is refused', async (id) => {
      const { store } = await opened(open)
      await expect(store.teams.add(id, {})).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    })

    test('can be neither changed nor removed if it is unknown', async () => {
      const { store } = await opened(open)
      const { key: its } = await store.keys.add(key)
      for (const tried of [store.teams.change('acme', {}), store.teams.remove('other'), store.teams.remove('acme')])
        await expect(tried).rejects.toMatchObject({ code: 'BAD_REQUEST' })
      expect(await store.keys.find(its)).toMatchObject({ teamId: 'acme' })
    })
  })
}
