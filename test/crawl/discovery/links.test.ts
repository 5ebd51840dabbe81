import { expect, test } from 'vitest'
import type { Ports } from '../../../src/contracts/ports.ts'
import { createLinks, leadsOf } from '../../../src/engine/crawl/crawl-links.ts'
import { failure } from '../../../src/kernel/error.ts'

/** Store of crawls; while `isAway` is set, writes fail like those of a database that restarts. */
function storeOf() {
  const store = { isAway: false, added: [] as string[], skipped: [] as string[] }
  const write = (list: string[], some: readonly { url: string }[]) => {
    if (store.isAway) throw failure('DATABASE_UNAVAILABLE')
    list.push(...some.map(({ url }) => url))
    return some.length
  }
  const crawls = {
    add: async (_: string, pages: readonly { url: string }[]) => write(store.added, pages),
    skip: async (_: string, skipped: readonly { url: string }[]) => void write(store.skipped, skipped),
  }
  return { store, ports: { crawls } as unknown as Pick<Ports, 'crawls'> }
}

const inScope = {
  judge: (url: string, depth: number) =>
    url.startsWith('https://a.example/')
      ? { page: { url, key: url, host: 'a.example', depth } }
      : { skipped: 'outOfScope' as const },
  keyOf: (url: string) => url,
} as unknown as Parameters<typeof createLinks>[1]['scope']

const linksOver = (ports: Pick<Ports, 'crawls'>, isStartVisited: boolean) =>
  createLinks(ports, { crawlId: 'one', scope: inScope, robots: undefined, isStartVisited })

test('links of a page that is visited again after a store outage are kept', async () => {
  const { store, ports } = storeOf()
  const links = linksOver(ports, true)
  const found = ['https://a.example/1', 'https://a.example/2']
  store.isAway = true
  await expect(links.take(found, 1, 'link')).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' })
  store.isAway = false
  expect(await links.take(found, 1, 'link')).toBe(2)
  expect(await links.take(found, 1, 'link')).toBe(0)
  expect(store.added).toEqual(found)
})

test('links deferred until the start page is known survive a store outage', async () => {
  const { store, ports } = storeOf()
  const links = linksOver(ports, false)
  await links.take(['https://a.example/1', 'https://b.example/1'], 1, 'link')
  expect(store).toMatchObject({ added: ['https://a.example/1'], skipped: [] })
  store.isAway = true
  await expect(links.releaseDeferred()).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' })
  store.isAway = false
  await links.releaseDeferred()
  expect(store.skipped).toEqual(['https://b.example/1'])
})

test.each([
  ['</2>; rel="next"', ['https://a.example/2']],
  ['<?p=1>; rel=prev, <?p=3>; title="a, b"; rel="next last"', ['https://a.example/x?p=1', 'https://a.example/x?p=3']],
  ['<https://a.example/y>; rel="canonical"', ['https://a.example/y']],
  ['</style.css>; rel=preload; as=style, </feed>; rel="alternate"', []],
  ['<https://api.example/>; rel="https://api.w.org/next"', []],
  ['nothing', []],
])('the Link header %s leads to %j', (link, expected) => {
  const leads = leadsOf({ url: 'https://a.example/x', headers: { link } }, {})
  expect(leads.map(({ url }) => url)).toEqual(expected)
})
