import { describe, expect, test } from 'vitest'
import { hasOwnScripts } from '../../src/engine/scrape/load/visit-outcome.ts'
import { failure } from '../../src/kernel/error.ts'
import { fakeWorld, noon, type World } from '../helpers/fakes.ts'
import { scrapeIn, url } from '../helpers/scrape.ts'

const scripted = '<p>Hello</p><script src="/app.js"></script>'
const germany = { location: { country: 'de' } }
const run = (world: World, options: object = germany) => scrapeIn(world, options)
const used = ({ fetched, rendered }: World) => ({ http: fetched.length, browser: rendered.length })

function worldWith(body: string): World {
  const world = fakeWorld({ body })
  world.state.browser = () => ({})
  return world
}

describe('a location', () => {
  test('is sent to the site for every kind of page', async () => {
    const world = fakeWorld()
    await run(world)
    await run(world, { ...germany, maxAge: 0, headers: { 'accept-language': 'fr' } })
    expect(world.fetched.map(({ headers }) => headers['accept-language'])).toEqual(['de-DE, de;q=0.9', 'fr'])
  })

  test('with a page of scripts uses a browser, which gets the time zone, including for cached pages', async () => {
    const world = worldWith(scripted)
    expect((await run(world)).metadata.timezone).toBe('Europe/Berlin')
    expect(used(world)).toEqual({ http: 1, browser: 1 })
    expect(world.rendered[0]).toMatchObject({ location: { country: 'DE' }, headers: {} })
    expect(world.noted).toEqual([{ host: 'example.com', came: 'whole' }])
    world.clock.pass(1)
    const again = await scrapeIn(world, { ...germany, formats: ['html'] }, { startedAt: noon + 1 })
    expect(again.metadata).toMatchObject({ cacheState: 'hit', timezone: 'Europe/Berlin' })
  })

  test.each<[string, string, object, object]>([
    ['the page has no scripts', '<p>Hello</p>', germany, {}],
    ['no location is set', scripted, {}, {}],
    ['it is switched off', scripted, germany, { locationMode: 'headers' }],
  ])('needs no browser if %s', async (_, body, options, ports) => {
    const world = worldWith(body)
    Object.assign(world.ports, ports)
    expect((await run(world, options)).metadata).not.toHaveProperty('timezone')
    expect(used(world)).toEqual({ http: 1, browser: 0 })
  })

  test.each(['BROWSER_UNAVAILABLE', 'SCRAPE_SITE_ERROR'] as const)(
    'is ignored, rather than failing the scrape, after %s',
    async (code) => {
      const world = worldWith(scripted)
      world.state.browser = () => {
        throw failure(code)
      }
      const document = await run(world)
      expect(document).toMatchObject({ markdown: 'Hello', metadata: { statusCode: 200 } })
      expect(document.metadata).not.toHaveProperty('timezone')
      expect(document).not.toHaveProperty('warning')
    },
  )
})

describe('inline scripts', () => {
  test.each([
    ['a file of the site', '<script src="/a.js"></script>'],
    ['a file of a part of the site', '<script async src=https://static.example.com/a.js></script>'],
    ['a module', '<script type="module" src="a.js"></script>'],
    ['code in the page', '<script>document.title = new Date()</script>'],
    ['code of a declared type', '<script type="text/javascript">run()</script>'],
  ])('are detected: %s', (_, html) => expect(hasOwnScripts(`<p>Hello</p>${html}`, url)).toBe(true))

  test.each([
    ['data', '<script type="application/ld+json">{"a":1}</script><script type="application/json">{}</script>'],
    ['a template', '<script type="text/x-template"><b></b></script>'],
    ['a script of a statistics service', '<script src="https://www.googletagmanager.com/gtag/js?id=1"></script>'],
    ['a call of a statistics service', '<script>window.dataLayer=window.dataLayer||[];gtag("js",new Date())</script>'],
    ['an empty element', '<script></script>'],
    ['words about scripts', '<p>A script is a text.</p>'],
  ])('are not detected: %s', (_, html) => expect(hasOwnScripts(html, url)).toBe(false))
})
