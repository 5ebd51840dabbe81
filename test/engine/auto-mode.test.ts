import { afterAll, describe, expect, test } from 'vitest'
import { createReader } from '../../src/engine/html/worker/html-reader.ts'
import { scrapeIn } from '../helpers/scrape.ts'
import { fakeWorld } from '../helpers/fakes.ts'
import { html, prose } from './auto/shape.ts'
import { halfStaticPages } from './auto/half-static.ts'
import { frameworkShells } from './auto/shell-frameworks.ts'
import { otherShells } from './auto/shell-signs.ts'
import { frameworkShapes } from './auto/static-frameworks.ts'
import { textShapes } from './auto/static-texts.ts'
import { thingShapes } from './auto/static-things.ts'

const readHtml = createReader()
afterAll(() => readHtml.close())

const filled = html(`<main><h1>Filled</h1>${prose('what the scripts have written', 8)}</main>`)

/** Counts the uses of network and browser by a scrape of such a page. */
async function visitsOf(body: string, status = 200): Promise<{ http: number; browser: number }> {
  const world = fakeWorld({ body, status })
  world.state.browser = () => ({ body: Buffer.from(filled) })
  await scrapeIn({ ports: { ...world.ports, readHtml } }, { proxy: 'basic' })
  return { http: world.fetched.length, browser: world.rendered.length }
}

test.each([...textShapes, ...thingShapes, ...frameworkShapes])(
  'a page with complete HTML uses no browser: $name, in four sizes',
  async ({ page, status }) => {
    for (const size of [0, 1, 2, 3]) expect(await visitsOf(page(size), status)).toEqual({ http: 1, browser: 0 })
  },
)

test.each([...frameworkShells, ...otherShells])('a page that only scripts fill uses a browser: %s', async (_, body) => {
  expect(await visitsOf(body)).toEqual({ http: 1, browser: 1 })
})

describe('a page that scripts complete', () => {
  test.each(halfStaticPages)('uses a browser: $name', async (page) => {
    expect(await visitsOf(page.html)).toEqual({ http: 1, browser: 1 })
  })

  test.each(halfStaticPages)('is reported as incomplete without a browser: $name', async (page) => {
    const world = fakeWorld({ body: page.html })
    const document = await scrapeIn({ ports: { ...world.ports, readHtml } }, { proxy: 'basic' })
    expect(document.markdown).toContain('# Mugs')
    expect(document.warning).toMatch(/^Part of this page seems to be missing: .+ `gossamer browser install`/)
    expect(world.cache.size).toBe(0)
  })
})
