import { afterAll, describe, expect, test } from 'vitest'
import { createReader } from '../../src/engine/html/worker/html-reader.ts'
import { scrape } from '../helpers/scrape.ts'
import { ScrapeInput } from '../../src/schema/scrape/scrape-options.ts'
import { fakeCtx, fakeWorld } from '../helpers/fakes.ts'
import { html, prose } from './auto/shape.ts'
import { halfStaticPages } from './auto/half-static.ts'
import { shells } from './auto/shells.ts'
import { staticPages } from './auto/static-pages.ts'

const url = 'https://example.com/a'
const readHtml = createReader()
afterAll(() => readHtml.close())

const filled = html(`<main><h1>Filled</h1>${prose('what the scripts have written', 8)}</main>`)

/** Counts the uses of network and browser by a scrape of such a page. */
async function visitsOf(body: string, status = 200): Promise<{ http: number; browser: number }> {
  const world = fakeWorld({ body, status })
  world.state.browser = () => ({ body: Buffer.from(filled) })
  const input = ScrapeInput.parse({ url, formats: ['markdown'], proxy: 'basic' })
  await scrape({ ...world.ports, readHtml }, input, fakeCtx())
  return { http: world.fetched.length, browser: world.rendered.length }
}

describe('a page with complete HTML uses no browser', () => {
  test.each(staticPages)('$name', async (page) => {
    expect(await visitsOf(page.html, page.status)).toEqual({ http: 1, browser: 0 })
  })
})

describe('a page that only scripts fill uses a browser', () => {
  test.each(shells)('$name', async (page) => {
    expect(await visitsOf(page.html)).toEqual({ http: 1, browser: 1 })
  })
})

describe('a page that scripts complete', () => {
  test.each(halfStaticPages)('uses a browser: $name', async (page) => {
    expect(await visitsOf(page.html)).toEqual({ http: 1, browser: 1 })
  })

  test.each(halfStaticPages)('is reported as incomplete without a browser: $name', async (page) => {
    const world = fakeWorld({ body: page.html })
    const input = ScrapeInput.parse({ url, formats: ['markdown'], proxy: 'basic' })
    const document = await scrape({ ...world.ports, readHtml }, input, fakeCtx())
    expect(document.markdown).toContain('# Mugs')
    expect(document.warning).toMatch(/^Part of this page seems to be missing: .+ `gossamer browser install`/)
    expect(world.cache.size).toBe(0)
  })
})
