import { request } from 'node:http'
import type { LookupFunction } from 'node:net'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createTeamRules } from '../../src/engine/net/team-rules.ts'
import { createFetcher } from '../../src/engine/net/http/client.ts'
import { createPoster } from '../../src/engine/net/http/post.ts'
import { createForwardProxies } from '../../src/engine/net/proxy/forward-proxy.ts'
import { type Site, startSite } from '../helpers/site.ts'
import { names } from './fetching.ts'

let site: Site
beforeAll(async () => {
  site = await startSite({ routes: { '/hook': ({ response }) => void response.end('taken') } })
})
afterAll(() => site.close())

const refusal = { code: 'SCRAPE_ADDRESS_REFUSED', status: 403 }

const at = (host: string) => `http://${host}:${site.port}/close-each`

/** Teams by the private hosts that they have; what is set in the object holds from the next request on. */
function world(teams: Record<string, readonly string[]>, lookup: LookupFunction = names({})) {
  const ruleOf = createTeamRules([], async (teamId) => teams[teamId] ?? [])
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

describe('the forward proxy of a browser', () => {
  test('is shared by teams with the same private hosts, and separate for others', async () => {
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
