import { expect, test } from 'vitest'
import { createApp, localTeam } from '../../src/app/app.ts'
import { readConfig } from '../../src/app/read-config.ts'
import { createLog } from '../../src/kernel/log.ts'
import { scrape as scrapeOperation } from '../../src/operations/scrape.ts'
import type { Document } from '../../src/schema/scrape/document.ts'
import { failureOf } from '../helpers/fakes.ts'
import { forAll, folderForAll } from '../helpers/for-all.ts'
import { startProxy, startWalledSite } from './wall-site.ts'

const folder = folderForAll()
const enhanced = forAll(() => startProxy('user:secret'))
const basic = forAll(startProxy)
const site = forAll(() => startWalledSite(enhanced, basic))
const app = forAll(() => {
  const env = {
    GOSSAMER_DATA_DIR: folder.path,
    GOSSAMER_ALLOW_HOSTS: site.place,
    GOSSAMER_PROXIES: `${basic.address},enhanced:${enhanced.address}`,
  }
  return createApp(
    readConfig({}, env),
    createLog('silent', () => {}),
  )
})

/** Scrapes each path with another team, whose usage is the price of that scrape. */
async function scrape(path: string, more: object = {}) {
  const team = { ...localTeam, id: path }
  const used = async () => (await app.store()).usage.since(team.id, 0)
  const before = await used()
  const ctx = app.newCtx({ team, signal: new AbortController().signal, baseUrl: '' })
  const input = { url: `http://${site.place}${path}`, timeout: 90_000, ...more }
  const { data } = (await app.invoke(scrapeOperation, input, ctx)) as { data: Document }
  return { ...data, billed: (await used()) - before }
}

// The tests run concurrently, because a browser waits 8 s for each wall.
const together = { concurrent: true }

test('a wall that refuses only the basic proxy is passed by the enhanced pool', together, async () => {
  const { markdown, metadata, warning, billed } = await scrape('/guarded')
  expect(markdown).toContain('The moon pulls the sea')
  expect(metadata).toMatchObject({ statusCode: 200, proxyUsed: 'stealth', cacheState: 'miss', creditsUsed: 5 })
  expect({ warning, billed }).toEqual({ warning: undefined, billed: 5 })
  const visitors = site.visitorsOf('/guarded')
  expect(visitors[0]).toBe('basic')
  expect(visitors.at(-1)).toBe('enhanced')
  expect(visitors).not.toContain('itself')
})

test('proxy: enhanced uses that pool immediately, and proxy: basic never', together, async () => {
  const through = await scrape('/guarded?again', { proxy: 'enhanced', maxAge: 0 })
  expect(through.metadata).toMatchObject({ statusCode: 200, proxyUsed: 'stealth', creditsUsed: 5 })
  expect(new Set(site.visitorsOf('/guarded?again'))).toEqual(new Set(['enhanced']))

  const refused = await scrape('/guarded?again', { proxy: 'basic', maxAge: 0 })
  expect(refused.metadata).toMatchObject({ statusCode: 403, proxyUsed: 'basic', creditsUsed: 0 })
  expect(site.visitorsOf('/guarded?again').at(-1)).toBe('basic')
})

test('a persistent wall returns success with a warning, costs nothing and is not cached', together, async () => {
  const first = await scrape('/stays')
  expect(first.metadata).toMatchObject({ statusCode: 403, proxyUsed: 'basic', cacheState: 'miss', creditsUsed: 0 })
  expect(first.warning).toMatch(/bot challenge \(Cloudflare\).*nothing is billed/)
  expect(first.billed).toBe(0)
  expect(new Set(site.visitorsOf('/stays'))).toEqual(new Set(['basic', 'enhanced']))
  expect(await failureOf(scrape('/stays', { minAge: 1 }))).toMatchObject({ code: 'SCRAPE_NO_CACHED_DATA' })
})
