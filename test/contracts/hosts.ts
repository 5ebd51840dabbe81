import { describe, expect, test } from 'vitest'
import { opened, type OpenStore } from './store-under-test.ts'

const host = 'app.test'
const weekMs = 7 * 86_400_000

/** The contract of every store of host traits. */
export function describeHosts(open: OpenStore<'hosts'>): void {
  describe('hosts', () => {
    test('need a browser after three empty pages in a row, not before', async () => {
      const { store } = await opened(open)
      const { hosts } = store
      for (const outcome of ['empty', 'empty', 'whole', 'empty', 'empty'] as const) {
        await hosts.note(host, outcome)
        expect(await hosts.needsBrowser(host)).toBe(false)
      }
      await hosts.note(host, 'empty')
      expect(await hosts.needsBrowser(host)).toBe(true)
      expect(await hosts.needsBrowser('other.test')).toBe(false)
    })

    test('are tried without a browser now and then, and need no browser after a full page', async () => {
      const { store } = await opened(open)
      const { hosts } = store
      for (let page = 0; page < 3; page++) await hosts.note(host, 'empty')
      const answers = []
      for (let visit = 0; visit < 16; visit++) answers.push(await hosts.needsBrowser(host))
      expect(answers.filter((needs) => !needs)).toHaveLength(2)
      await hosts.note(host, 'whole')
      expect(await hosts.needsBrowser(host)).toBe(false)
    })

    test('are remembered after a restart, for a week', async () => {
      const { store, clock, restart } = await opened(open)
      for (let page = 0; page < 3; page++) await store.hosts.note(host, 'empty')
      const { hosts } = await restart()
      expect(await hosts.needsBrowser(host)).toBe(true)
      clock.advance(weekMs)
      expect(await hosts.needsBrowser(host)).toBe(false)
    })

    test('need a browser again after three more empty pages once a week has passed', async () => {
      const { store, clock } = await opened(open)
      const { hosts } = store
      for (let page = 0; page < 3; page++) await hosts.note(host, 'empty')
      clock.advance(weekMs)
      for (let page = 0; page < 3; page++) {
        expect(await hosts.needsBrowser(host)).toBe(false)
        await hosts.note(host, 'empty')
      }
      expect(await hosts.needsBrowser(host)).toBe(true)
    })

    test('get no browser for an hour after three pages in a row that stayed empty in a browser', async () => {
      const { store, clock } = await opened(open)
      const { hosts } = store
      for (const outcome of ['not filled', 'not filled', 'filled', 'not filled', 'not filled', 'whole'] as const) {
        await hosts.note(host, outcome)
        expect(await hosts.addsNothing(host)).toBe(false)
      }
      await hosts.note(host, 'not filled')
      expect(await hosts.addsNothing(host)).toBe(true)
      expect(await hosts.addsNothing('other.test')).toBe(false)
      expect(await hosts.needsBrowser(host)).toBe(false)
      clock.advance(3_600_000)
      expect(await hosts.addsNothing(host)).toBe(false)
    })

    test('that sent a full page are forgotten', async () => {
      const { store, restart } = await opened(open)
      for (let page = 0; page < 3; page++) await store.hosts.note(host, 'empty')
      await store.hosts.note(host, 'whole')
      const { hosts } = await restart()
      expect(await hosts.needsBrowser(host)).toBe(false)
    })
  })
}
