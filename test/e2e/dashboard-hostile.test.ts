import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { answer, html, type Routes } from '../helpers/site/route.ts'
import { barriers, openDashboard } from './dashboard-kit.ts'
import { forAll } from '../helpers/for-all.ts'

const turned = '\u202Eexe.gnp\u202C'
const long = 'W'.repeat(3000)
const markup = '<img src=x onerror="globalThis.pwned=1"><script>globalThis.pwned=1</script>'
const escaped = markup.replaceAll('<', '&lt;')
const title = `${escaped} ${turned} ${long}`
const words = `<p>${escaped} ${turned} ${long} ${'Words of a page that would like to act. '.repeat(10)}</p>
  <a href="javascript:globalThis.pwned=1">go</a> <pre>${escaped}</pre>`
let times = 0

const routes: Routes = {
  '/hostile': html(`<title>${title}</title><main><h1>${title}</h1>${words}</main>`),
  '/changing': (...exchange) => {
    times += 1
    return html(`<title>${title}</title><main><h1>Changing</h1>${words}<p>${escaped} No. ${times} ${long}</p></main>`)(
      ...exchange,
    )
  },
  '/robots.txt': answer(404, {}, ''),
}

const stand = forAll(() => openDashboard({ routes }))

/** Expects that a hostile page has run no script, loaded nothing and not overflowed the window. */
async function expectTame(page: Page, complaints: readonly string[]): Promise<void> {
  const facts = await page.evaluate(() => ({
    pwned: Reflect.get(globalThis, 'pwned'),
    strange: document.querySelectorAll('main img[src="x"], main script, main a[href^="javascript:"]').length,
    width: document.documentElement.scrollWidth - innerWidth,
  }))
  expect(facts).toEqual({ pwned: undefined, strange: 0, width: 0 })
  expect(complaints).toEqual([])
  expect(await barriers(page)).toEqual([])
}

const sizes = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
]

test.each(sizes)('markup, bidirectional text and endless words of a page are shown as text at %o', async (viewport) => {
  const url = stand.site.url(`/hostile?q=${encodeURIComponent(markup)}${long.slice(0, 1000)}`)
  const scraped = await stand.call('POST', '/v2/scrape', { url, formats: ['markdown'] })
  const { scrapeId } = (scraped.data as unknown as { metadata: { scrapeId: string } }).metadata
  const { id } = await stand.call('POST', '/v2/crawl', { url: stand.site.url('/hostile'), limit: 1 })
  const { page, complaints } = await stand.visit({ viewport })
  await page
    .getByRole('link', { name: /scrape.*hostile/ })
    .first()
    .waitFor()
  await expectTame(page, complaints)

  await page.goto(`${stand.url}/#/pages/${scrapeId}`)
  await page
    .getByRole('heading', { name: /<img src=x onerror/ })
    .first()
    .waitFor()
  expect(await page.getByRole('region', { name: 'Markdown' }).textContent()).toContain('onerror')
  await expectTame(page, complaints)

  await page.goto(`${stand.url}/#/jobs/crawl/${id}`)
  const name = page.getByRole('list', { name: 'Pages' }).getByText(/<img src=x onerror/)
  await name.waitFor()
  // A change of text direction ends with the text of the page.
  expect(await name.evaluate((element) => getComputedStyle(element).unicodeBidi)).toBe('isolate')
  await expectTame(page, complaints)

  await page.goto(`${stand.url}/#/playground/scrape/${encodeURIComponent(JSON.stringify({ url }))}`)
  await page.getByRole('button', { name: 'Run' }).click()
  await page.getByRole('region', { name: 'Answer' }).getByText('onerror').first().waitFor()
  await page.getByRole('button', { name: 'JSON', exact: true }).last().click()
  await expectTame(page, complaints)
})

test('content found by a monitor is shown as text', async () => {
  const target = { type: 'scrape', urls: [stand.site.url('/changing')] }
  const name = `${markup} ${'M'.repeat(100)}`
  const { data } = await stand.call('POST', '/v2/monitor', { name, schedule: { text: 'hourly' }, targets: [target] })
  const { page, complaints } = await stand.visit({ viewport: sizes[1]! })
  await page.goto(`${stand.url}/#/monitors/${data.id}`)
  for (const found of ['1 new of 1 page', '1 changed of 1 page']) {
    await page.getByRole('button', { name: 'Run now' }).click()
    await page.getByText(found).waitFor()
  }
  await expectTame(page, complaints)
  await page.getByRole('list', { name: 'Checks' }).getByRole('link').first().click()
  await page.getByLabel('Text that changed').getByText('No. 2').waitFor()
  await expectTame(page, complaints)
})

test.each([
  '#/jobs/crawl/..%2F..%2Fteam%2Factivity',
  '#/pages/..%2Fteam%2Factivity',
  '#/monitors/..%2Fadmin%2Fteams',
  '#/monitors/constructor/x%2Fy',
  '#/%',
  '#/__proto__/a',
  '#/constructor',
])('the link %s opens the first view only', async (hash) => {
  const requested: string[] = []
  const { page, complaints } = await stand.visit({}, (fresh) => {
    fresh.on('request', (request) => requested.push(new URL(request.url()).pathname))
  })
  await page.goto('about:blank')
  requested.length = 0
  await page.goto(`${stand.url}/${hash}`)
  await page.getByRole('heading', { name: 'Last 24 hours' }).waitFor()
  expect(requested.filter((path) => /admin|\.\./.test(path))).toEqual([])
  expect(complaints).toEqual([])
})
