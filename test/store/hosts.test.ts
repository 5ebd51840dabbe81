import { expect, test } from 'vitest'
import { tempDir, tempStore } from './kit.ts'

const host = 'app.test'

test('takes a host for one made by scripts after three such pages in a row, not before', async () => {
  const { store } = await tempStore()
  const { hosts } = store
  for (const came of ['empty', 'empty', 'whole', 'empty', 'empty'] as const) {
    await hosts.note(host, came)
    expect(await hosts.needsBrowser(host)).toBe(false)
  }
  await hosts.note(host, 'empty')
  expect(await hosts.needsBrowser(host)).toBe(true)
  expect(await hosts.needsBrowser('other.test')).toBe(false)
})

test('tries such a host without a browser now and then, and believes what comes', async () => {
  const { store } = await tempStore()
  const { hosts } = store
  for (let page = 0; page < 3; page++) await hosts.note(host, 'empty')
  const asked = []
  for (let visit = 0; visit < 16; visit++) asked.push(await hosts.needsBrowser(host))
  expect(asked.filter((needs) => !needs)).toHaveLength(2)
  await hosts.note(host, 'whole')
  expect(await hosts.needsBrowser(host)).toBe(false)
})

test('remembers it beyond the process, for a week', async () => {
  const dir = await tempDir()
  const first = await tempStore({ dir })
  for (let page = 0; page < 3; page++) await first.store.hosts.note(host, 'empty')
  await first.store.close()
  const { store, clock } = await tempStore({ dir })
  expect(await store.hosts.needsBrowser(host)).toBe(true)
  clock.advance(7 * 86_400_000)
  expect(await store.hosts.needsBrowser(host)).toBe(false)
})
