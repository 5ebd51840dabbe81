import { describe, expect, test } from 'vitest'
import { getPage } from '../../src/engine/scrape/get-page.ts'
import { planPage } from '../../src/engine/scrape/plan.ts'
import { ScrapeInput } from '../../src/schema/scrape/scrape-options.ts'
import { fakeCtx, fakeWorld, type World } from '../helpers/fakes.ts'

const url = 'https://example.com/a'
const site = { body: '<p>Hello</p>', status: 200 }
const shown = { ...site }

/** A page of a crawl that is fetched again each time. */
function visit(world: World, options: object = {}) {
  const input = ScrapeInput.parse({ url, maxAge: 0, ...options })
  const plan = planPage(input, 'acme', { reuse: 'a crawl' })
  return getPage(world.ports, { input, plan, ...fakeCtx() })
}

const world = () => {
  Object.assign(shown, site)
  return fakeWorld(async () => ({ ...shown }))
}

describe('a page that is fetched again', () => {
  test('is not read again if its body is unchanged', async () => {
    const here = world()
    const first = await visit(here)
    const again = await visit(here)
    expect(here.fetched).toHaveLength(2)
    expect(here.read).toHaveLength(1)
    expect(again.content).toEqual(first.content)
    expect(again.cachedAt).toBeUndefined()
  })

  test.each<[string, object, object]>([
    ['has another body', { body: '<p>Hello again</p>' }, {}],
    ['is requested with other options', {}, { onlyMainContent: false }],
    ['is requested with another format', {}, { formats: ['markdown', 'images'] }],
    ['may not be stored', {}, { storeInCache: false }],
    ['has an error status', { status: 404 }, {}],
  ])('is read again if it %s', async (_, change, options) => {
    const here = world()
    await visit(here)
    Object.assign(shown, change)
    await visit(here, options)
    expect(here.read).toHaveLength(2)
  })

  test.each<[string, object]>([
    ['there was a reason to warn', { warning: 'Its end was left out.' }],
    ['a browser may bring more', { unfilled: ['placeholders'] }],
    ['it was an empty shell', { needsBrowser: true }],
  ])('is read again if %s', async (_, parts) => {
    const here = world()
    const { readHtml } = here.ports
    here.ports.readHtml = async (request, signal) => ({ ...(await readHtml(request, signal)), ...parts })
    await visit(here)
    await visit(here)
    expect(here.read).toHaveLength(2)
  })

  test('is read again by another build of the program', async () => {
    const here = world()
    await visit(here)
    for (const [key, { page, ...held }] of here.cache) {
      const made = Object.entries(page.made).map(([variant, parts]) => [variant, { ...parts, readBy: 'another' }])
      here.cache.set(key, { ...held, page: { ...page, made: Object.fromEntries(made) } })
    }
    await visit(here)
    expect(here.read).toHaveLength(2)
  })
})
