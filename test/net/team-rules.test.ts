import { request } from 'node:http'
import type { LookupFunction } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createTeamRules, type Reach } from '../../src/engine/net/team-rules.ts'
import { createFetcher } from '../../src/engine/net/http/client.ts'
import { createPoster } from '../../src/engine/net/http/api-client.ts'
import { createForwardProxies } from '../../src/engine/net/proxy/forward-proxy.ts'
import { siteForAll } from '../helpers/for-all.ts'
import { names } from './fetching.ts'

const site = siteForAll({
  routes: {
    '/hook': ({ response }) => void response.end('taken'),
    '/sent-to': ({ response, request: { url = '' } }) =>
      void response.writeHead(302, { location: at(url.slice(url.indexOf('?') + 1)) }).end(),
  },
})

const refusal = { code: 'SCRAPE_ADDRESS_REFUSED', status: 403 }

const redirecting = (host: string) => `http://shop.test:${site.port}/sent-to?${host}`
const at = (host: string) => `http://${host}:${site.port}/close-each`

/** Creates clients for these teams, each with its terms or only its private hosts. Changes of `teams` apply to the next request. */
function world(teams: Record<string, readonly string[] | Reach>, lookup: LookupFunction = names({})) {
  const ruleOf = createTeamRules([], async (teamId) => {
    const reach = teams[teamId] ?? {}
    return 'length' in reach ? { privateHosts: reach } : reach
  })
  const fetcher = createFetcher({ ruleOf, userAgent: 'test', lookup })
  const poster = createPoster({ ruleOf, userAgent: 'test', lookup })
  const proxies = createForwardProxies({ ruleOf, adHosts: { holds: () => false, size: 0 }, lookup })
  onTestFinished(async () => void (await Promise.all([fetcher.close(), proxies.close()])))
  const { signal } = new AbortController()
  return {
    proxies,
    fetch: (teamId: string, url = site.url('/plain')) =>
      fetcher.fetchPage({ teamId, url, headers: {}, skipTlsVerification: false, maxBytes: 1e6, signal }),
    post: (teamId: string, url = site.url('/hook')) =>
      poster.post({ teamId, url, headers: {}, body: '{}', timeoutMs: 10_000, signal }),
  }
}

describe('a private host of one team', () => {
  test('is reached by its requests only; another team cannot use its connections', async () => {
    const { fetch, post } = world({ red: [`127.0.0.1:${site.port}`] })
    expect((await fetch('red')).status).toBe(200)
    expect((await post('red')).status).toBe(200)
    const before = site.requests.length
    await expect(fetch('blue')).rejects.toMatchObject(refusal)
    await expect(fetch('')).rejects.toMatchObject(refusal)
    await expect(post('blue')).rejects.toMatchObject(refusal)
    expect(site.requests.length).toBe(before)
  })

  test('is closed as soon as it is withdrawn, including open connections', async () => {
    const teams: Record<string, readonly string[]> = { red: ['127.0.0.0/8'] }
    const { fetch, post } = world(teams)
    await Promise.all([fetch('red'), post('red')])
    teams['red'] = []
    await expect(fetch('red')).rejects.toMatchObject(refusal)
    await expect(post('red')).rejects.toMatchObject(refusal)
  })

  test('is not reached by a name that led elsewhere first, nor by one that resolves to it without being listed', async () => {
    const lookup = names({
      'rebind.example.com': [['127.0.0.1'], ['127.0.0.2']],
      'sneaky.example.com': [['127.0.0.2']],
      'wiki.corp': [['127.0.0.1']],
    })
    const teams = { red: ['127.0.0.1', 'wiki.corp'], blue: ['wiki.corp'] }
    const { fetch } = world(teams, lookup)
    expect((await fetch('red', at('rebind.example.com'))).status).toBe(200)
    await expect(fetch('red', at('rebind.example.com'))).rejects.toMatchObject(refusal)
    await expect(fetch('red', at('sneaky.example.com'))).rejects.toMatchObject(refusal)
    expect((await fetch('blue', at('wiki.corp'))).status).toBe(200)
    await expect(fetch('blue')).rejects.toMatchObject(refusal)
  })
})

describe('a team that is limited to domains', () => {
  const lookup = names({
    'shop.test': [['127.0.0.1']],
    'api.shop.test': [['127.0.0.1']],
    'admin.shop.test': [['127.0.0.1']],
    'notshop.test': [['127.0.0.1']],
    'cdn.test': [['127.0.0.1']],
  })
  const privateHosts = ['127.0.0.1', 'shop.test', 'api.shop.test', 'admin.shop.test', 'notshop.test', 'cdn.test']
  const allowDomains = ['shop.test']

  test('reaches them and their subdomains, and nothing else, also by an address, a redirect or a webhook', async () => {
    const { fetch, post } = world({ red: { privateHosts, allowDomains, denyDomains: ['admin.shop.test'] } }, lookup)
    expect((await fetch('red', at('shop.test'))).status).toBe(200)
    expect((await fetch('red', at('api.shop.test'))).status).toBe(200)
    expect((await fetch('red', redirecting('api.shop.test'))).status).toBe(200)
    const before = site.requests.length
    for (const host of ['admin.shop.test', 'notshop.test', '127.0.0.1', 'cdn.test'])
      await expect(fetch('red', at(host))).rejects.toMatchObject(refusal)
    await expect(post('red', at('notshop.test'))).rejects.toMatchObject(refusal)
    expect(site.requests.length).toBe(before)
    await expect(fetch('red', redirecting('notshop.test'))).rejects.toMatchObject(refusal)
    expect(site.requests.length).toBe(before + 1)
  })

  test('may be denied some by name or by the address that a name leads to, and reaches all others', async () => {
    const { fetch } = world(
      { red: { privateHosts, denyDomains: ['shop.test'] }, blue: { privateHosts, denyDomains: ['127.0.0.0/8'] } },
      lookup,
    )
    await expect(fetch('red', at('api.shop.test'))).rejects.toMatchObject(refusal)
    expect((await fetch('red', at('cdn.test'))).status).toBe(200)
    await expect(fetch('blue', at('cdn.test'))).rejects.toMatchObject(refusal)
  })

  test('connects to hosts for resources from a browser, but fetches no document there', async () => {
    const { fetch, proxies } = world({ red: { privateHosts, allowDomains, resourceDomains: ['cdn.test'] } }, lookup)
    await expect(fetch('red', at('cdn.test'))).rejects.toMatchObject(refusal)
    const proxy = await proxies.proxyFor({ teamId: 'red', blockAds: true })
    const statusOf = (host: string) =>
      new Promise((resolve) => {
        const [name, port] = proxy.server.split(':')
        request({ host: name, port, path: at(host) }, (got) =>
          got.resume().once('end', () => resolve(got.statusCode)),
        ).end()
      })
    expect(await statusOf('cdn.test')).toBe(200)
    expect(await statusOf('notshop.test')).toBe(502)
    expect([proxy.mayOpen?.(at('shop.test')), proxy.mayOpen?.(at('cdn.test'))]).toEqual([true, false])
  })
})

describe('the forward proxy of a browser', () => {
  test('differs between teams with different rules, and is shared by teams with the same', async () => {
    const { proxies } = world({ red: ['10.0.0.1'], crimson: ['10.0.0.1'] })
    const serverOf = async (teamId: string) => (await proxies.proxyFor({ teamId, blockAds: true })).server
    expect(await serverOf('red')).toBe(await serverOf('crimson'))
    expect(await serverOf('blue')).toBe(await serverOf('green'))
    expect(await serverOf('red')).not.toBe(await serverOf('blue'))
  })

  test('hides from a team why another could not connect', async () => {
    const { proxies } = world({ red: ['10.0.0.1'] })
    const [red, blue] = await Promise.all(['red', 'blue'].map((teamId) => proxies.proxyFor({ teamId, blockAds: true })))
    const [host, port] = blue?.server.split(':') ?? []
    await new Promise((resolve) => {
      request({ host, port, path: site.url('/plain') }, (got) => got.resume().once('end', resolve)).end()
    })
    expect(blue?.errorOf(site.url('/plain'))).toMatchObject(refusal)
    expect(red?.errorOf(site.url('/plain'))).toBeUndefined()
  })
})
