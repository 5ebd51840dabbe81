import { describe, expect, test } from 'vitest'
import { failure } from '../../src/kernel/error.ts'
import { failureOf, fakeWorld, type World } from '../helpers/fakes.ts'
import { loadIn, url, wallPage } from '../helpers/scrape.ts'

/** A shell needs a browser, which then finds text. */
function shell(world: World): World {
  let reads = 0
  world.ports.readHtml = async () =>
    reads++ === 0 ? { markdown: '', needsBrowser: true } : { markdown: 'from the browser' }
  return world
}
const withBrowser = (world: World, page = {}): World => {
  world.state.browser = () => page
  return world
}
const used = ({ fetched, rendered }: World) => ({
  http: fetched.map(({ proxy }) => proxy),
  browser: rendered.map(({ proxy }) => proxy),
})

describe('a page complete over plain HTTP', () => {
  test('needs no browser', async () => {
    const world = withBrowser(fakeWorld())
    expect(await loadIn(world)).toMatchObject({
      proxyUsed: 'basic',
      challenge: undefined,
      content: { markdown: 'Hello' },
    })
    expect(used(world)).toEqual({ http: ['basic'], browser: [] })
    expect(world.noted).toEqual([{ host: 'example.com', came: 'whole' }])
  })

  test('is requested as planned', async () => {
    const world = fakeWorld()
    await loadIn(world, {
      headers: { cookie: 'a=b' },
      location: { country: 'de', languages: ['de'] },
      skipTlsVerification: true,
    })
    expect(world.fetched).toEqual([
      {
        url,
        teamId: 'acme',
        headers: { cookie: 'a=b', 'accept-language': 'de' },
        skipTlsVerification: true,
        proxy: 'basic',
        country: 'DE',
        maxBytes: 52_428_800,
        signal: expect.any(AbortSignal),
      },
    ])
  })
})

describe('a page without content over plain HTTP', () => {
  test('is rendered, and its host is remembered', async () => {
    const world = shell(withBrowser(fakeWorld()))
    expect(await loadIn(world)).toMatchObject({ content: { markdown: 'from the browser' } })
    expect(used(world)).toEqual({ http: ['basic'], browser: ['basic'] })
    expect(world.noted).toEqual([{ host: 'example.com', came: 'empty' }])
  })

  test('uses the browser immediately for a host known to need it', async () => {
    const world = withBrowser(fakeWorld())
    world.noted.push({ host: 'example.com', came: 'empty' })
    await loadIn(world)
    expect(used(world)).toEqual({ http: [], browser: ['basic'] })
  })

  test('is not remembered if nothing may be stored', async () => {
    const world = shell(withBrowser(fakeWorld()))
    await loadIn(world, { zeroDataRetention: true })
    expect(world.noted).toEqual([])
  })

  test.each<[string, World['state']['browser']]>([
    ['there is no browser', undefined],
    [
      'the browser fails',
      () => {
        throw new Error('crashed')
      },
    ],
    ['the browser finds no more', () => ({})],
  ])('is returned unchanged if %s', async (_, browser) => {
    const world = fakeWorld()
    world.state.browser = browser
    world.ports.readHtml = async () => ({ markdown: '', needsBrowser: true })
    expect(await loadIn(world)).toMatchObject({ content: { markdown: '', needsBrowser: true } })
    expect(world.noted).toEqual([])
  })
})

describe('options that need a browser', () => {
  test.each<[string, object, string]>([
    ['a picture', { formats: ['screenshot'] }, 'BROWSER_UNAVAILABLE'],
    ['branding', { formats: ['branding'] }, 'SCRAPE_BRANDING_NOT_SUPPORTED'],
    ['steps', { actions: [{ type: 'scrape' }], formats: ['branding'] }, 'SCRAPE_ACTIONS_NOT_SUPPORTED'],
    ['a profile', { profile: { name: 'a' } }, 'BROWSER_UNAVAILABLE'],
  ])('such as %s fail without one', async (_, options, code) => {
    const world = withBrowser(fakeWorld())
    await loadIn(world, options)
    expect(used(world)).toEqual({ http: [], browser: ['basic'] })
    expect(await failureOf(loadIn(fakeWorld(), options))).toMatchObject({
      code,
      hint: expect.stringContaining('browser'),
    })
  })

  test.each<[string, object]>([
    ['a wait', { waitFor: 5 }],
    ['a phone', { mobile: true }],
    ['the enhanced way', { proxy: 'enhanced' }],
  ])('that only improve the page, such as %s, use plain HTTP with a warning', async (_, options) => {
    const world = fakeWorld()
    expect((await loadIn(world, options)).content.warning).toContain('gossamer browser install')
    expect(world.fetched).toHaveLength(1)
    const able = withBrowser(fakeWorld())
    expect((await loadIn(able, options)).content.warning).toBeUndefined()
    expect(able.fetched).toEqual([])
  })
})

describe('a wall', () => {
  test('is tried with a browser, then by the enhanced proxy', async () => {
    const world = withBrowser(fakeWorld(wallPage), wallPage)
    expect(await loadIn(world)).toMatchObject({ challenge: { by: 'Cloudflare' }, proxyUsed: 'basic' })
    expect(used(world)).toEqual({ http: ['basic'], browser: ['basic', 'enhanced'] })
  })

  test('that only the enhanced proxy passes is reported by the proxy used', async () => {
    const world = fakeWorld(wallPage)
    world.state.browser = ({ proxy }) => (proxy === 'basic' ? wallPage : {})
    expect(await loadIn(world)).toMatchObject({ challenge: undefined, proxyUsed: 'enhanced' })
  })

  test('is returned if only the basic proxy is allowed', async () => {
    const world = withBrowser(fakeWorld(wallPage), wallPage)
    expect(await loadIn(world, { proxy: 'basic' })).toMatchObject({
      challenge: { by: 'Cloudflare' },
      proxyUsed: 'basic',
    })
    expect(used(world).browser).toEqual(['basic'])
  })

  test('is answered with the first response if the second attempt fails', async () => {
    const world = fakeWorld(wallPage)
    world.state.browser = () => {
      throw failure('SCRAPE_PROXY_SELECTION_ERROR')
    }
    expect(await loadIn(world)).toMatchObject({ challenge: { by: 'Cloudflare' } })
  })
})

test('an interrupted call ends with its reason', async () => {
  const leave = new AbortController()
  const world = shell(fakeWorld())
  world.state.browser = () => {
    leave.abort(new Error('enough'))
    throw leave.signal.reason
  }
  expect(await failureOf(loadIn(world, {}, leave.signal))).toMatchObject({ message: 'enough' })
})
