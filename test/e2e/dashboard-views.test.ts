import { expect, test } from 'vitest'
import { answer, html } from '../helpers/site/route.ts'
import { forAll } from '../helpers/for-all.ts'
import { barriers, openDashboard } from './dashboard-kit.ts'

const stand = forAll(() => {
  const gone = answer(404, { 'content-type': 'text/html' }, '<title>Gone</title><h1>Gone</h1>')
  const links = html('<title>Mixed</title><main><a href="/notes/1">One</a> <a href="/gone">Gone</a></main>')
  return openDashboard({ pages: 3, routes: { '/mixed': links, '/gone': gone } })
})

test('a scrape of the playground is shown as markdown, as a page and as code for other programs', async () => {
  const { page, complaints } = await stand.visit()
  await page.getByRole('link', { name: 'Playground' }).click()
  const address = page.getByLabel('url required')
  await address.fill(stand.site.url('/notes/1'))
  await page.getByText(/more options/).click()
  await page.getByLabel('Only main content').selectOption('false')
  await page.getByLabel('Max age').fill('0')
  expect(await barriers(page)).toEqual([])
  await address.press('Enter')
  const answered = page.getByRole('region', { name: 'Answer' })
  await answered.getByRole('heading', { name: 'Note 1' }).waitFor()
  await answered.getByText(/read from the site.*1 credit/).waitFor()
  await page.getByRole('button', { name: 'Source' }).click()
  await page.getByText('# Note 1').waitFor()
  const input = { url: stand.site.url('/notes/1'), formats: ['markdown', 'links'], onlyMainContent: false, maxAge: 0 }

  const call = page.getByLabel('Call', { exact: true })
  expect(JSON.parse((await call.textContent()) ?? '')).toEqual({
    method: 'tools/call',
    params: { name: 'scrape', arguments: input },
  })
  await page.getByRole('button', { name: 'REST' }).click()
  expect(await call.textContent()).toContain(`curl -X POST '${stand.url}/v2/scrape'`)
  await page.getByRole('button', { name: 'Command line' }).click()
  expect(await call.textContent()).toBe(
    `GOSSAMER_REMOTE_URL='${stand.url}' \\\n  gossamer call scrape '${JSON.stringify(input)}'`,
  )
  await page.getByRole('button', { name: 'SDK' }).click()
  expect(await call.textContent()).toContain(`client.scrape("${input.url}", {`)
  expect(await barriers(page)).toEqual([])

  await page.getByRole('link', { name: 'See the page' }).click()
  await page.getByRole('heading', { name: 'Page', level: 1 }).waitFor()
  await page.getByLabel('Rendered markdown').getByRole('heading', { name: 'Note 1' }).waitFor()
  await page.getByRole('button', { name: 'Take a picture' }).click()
  const picture = page.getByRole('img', { name: 'Picture of the page' })
  await picture.waitFor()
  expect(await picture.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBeGreaterThan(300)
  expect(complaints).toEqual([])
})

test('an error of the server is shown with its message, and invalid JSON is not sent', async () => {
  const { page } = await stand.visit()
  await page.goto(`${stand.url}/#/playground/scrape`)
  await page.getByLabel('url required').fill('http://169.254.1.1/')
  await page.getByRole('button', { name: 'Run' }).click()
  expect(await page.getByRole('alert').textContent()).toContain('private')
  // The error of a field is shown next to the field.
  await page.getByLabel('url required').fill('http://')
  await page.getByRole('button', { name: 'Run' }).click()
  await expect.poll(() => page.getByLabel('url required').getAttribute('aria-invalid')).toBe('true')
  expect(await page.getByLabel('url required').getAttribute('aria-describedby')).toContain('field-url-fault')
  await page.getByRole('checkbox', { name: 'Links' }).uncheck()
  expect(await page.getByLabel('Call', { exact: true }).textContent()).not.toContain('links')
  await page.getByRole('button', { name: 'JSON', exact: true }).first().click()
  await page.getByLabel('Input as JSON').fill('{"url": ')
  expect(await page.getByRole('button', { name: 'Run' }).isDisabled()).toBe(true)
  expect(await barriers(page)).toEqual([])
})

test('every operation has a form', async () => {
  const { page, complaints } = await stand.visit()
  await page.goto(`${stand.url}/#/playground/scrape`)
  await page.getByRole('button', { name: 'Run' }).waitFor()
  const options = page.getByLabel('Operation').locator('optgroup option')
  const names = await options.evaluateAll((all) => all.map((each) => (each as HTMLOptionElement).value))
  expect(names.length).toBeGreaterThan(30)
  // A single evaluation, because a round trip for each step would take minutes on a busy machine.
  const formless = await page.getByRole('combobox', { name: 'Operation' }).evaluate(async (select, all) => {
    const without: string[] = []
    for (const name of all) {
      const isShown = () =>
        location.hash.endsWith(`/${name}`) &&
        [...document.querySelectorAll('button')].some(({ textContent }) => textContent.trim() === 'Run') &&
        [...document.querySelectorAll('pre[aria-label=Call], p.note')].filter(
          (each) => each.localName === 'pre' || each.textContent.includes('MCP has no tool'),
        ).length === 1
      ;(select as HTMLSelectElement).value = name
      for (const type of ['input', 'change']) select.dispatchEvent(new Event(type, { bubbles: true }))
      for (let tries = 0; tries < 500 && !isShown(); tries++) await new Promise((resolve) => setTimeout(resolve, 10))
      if (!isShown()) without.push(name)
    }
    return without
  }, names)
  expect(formless).toEqual([])
  await page.getByRole('combobox', { name: 'Operation' }).selectOption('parse')
  const file = {
    name: 'note.html',
    mimeType: 'text/html',
    buffer: Buffer.from('<h1>From a file</h1><p>It was here.</p>'),
  }
  await page.getByLabel('file required').setInputFiles(file)
  await page.getByText('note.html').first().waitFor()
  await page.getByRole('button', { name: 'Run' }).click()
  await page.getByRole('heading', { name: 'From a file' }).waitFor()
  expect(complaints).toEqual([])
})

test('a session is opened, controlled through its frame, and closed', async () => {
  await stand.clear('browser')
  const { page, complaints } = await stand.visit()
  await page.getByRole('link', { name: 'Sessions' }).click()
  await page.getByText('No browser is open').waitFor()
  expect(await barriers(page)).toEqual([])
  await page.getByRole('button', { name: 'Open a browser' }).click()
  const frame = page.frameLocator('iframe[title="Live view of the session"]')
  const bar = frame.getByLabel('Address')
  await frame.getByRole('button', { name: 'Take over' }).waitFor()
  await bar.fill(stand.site.url('/notes/2'))
  await bar.press('Enter')
  await expect.poll(() => stand.site.requests.some(({ url }) => url === '/notes/2')).toBe(true)
  await frame.getByRole('tab', { name: 'Note 2' }).waitFor()
  const id = new URL(page.url()).hash.split('/')[2]
  await stand.call('POST', `/v2/browser/${id}/act`, { acts: [{ type: 'scroll', direction: 'down' }] })
  await frame.getByRole('button', { name: 'Timeline' }).click()
  await frame.getByRole('listitem').filter({ hasText: 'Scrolling' }).locator('img').waitFor()
  expect(await barriers(page)).toEqual([])
  await page.getByRole('button', { name: 'Watch only' }).click()
  await frame.getByText('View only').waitFor()

  await page.getByRole('link', { name: 'Sessions' }).click()
  const row = page.getByRole('listitem')
  await row.getByText('Note 2', { exact: true }).waitFor()
  await row.getByText('/notes/2').waitFor()
  await row.locator('img[src^="data:image/jpeg"]').waitFor()
  await page.getByRole('listitem').getByRole('link').click()
  // A view that is still connecting would report an error for a closed session.
  await frame.getByRole('tab', { name: 'Note 2' }).waitFor()
  await page.getByRole('button', { name: 'Close the browser' }).click()
  await page.getByText('This session is over').waitFor()
  const done = page.getByRole('region', { name: 'Timeline' }).getByRole('listitem')
  await done.filter({ hasText: 'Scrolling' }).locator('img').waitFor()
  expect(await barriers(page)).toEqual([])
  expect(complaints).toEqual([])
})

test('usage is charted by day, listed in a table, and split by kind and by key', async () => {
  const { page, complaints } = await stand.visit()
  const scraped = { url: stand.site.url('/notes/0'), maxAge: 0 }
  for (let times = 0; times < 2; times++) await stand.call('POST', '/v2/scrape', scraped)
  await page.getByRole('link', { name: 'Usage' }).click()
  await page.getByRole('img', { name: /credits? in 30 days, most on/ }).waitFor()
  await page.getByText('The same as a table').click()
  const today = page.locator('details table').getByRole('row').nth(1).getByRole('cell')
  expect(Number(await today.textContent())).toBeGreaterThanOrEqual(2)
  await page.getByRole('button', { name: '7 days' }).click()
  await page.getByRole('img', { name: /in 7 days/ }).waitFor()
  expect(await barriers(page)).toEqual([])
  await page.getByRole('button', { name: 'By kind' }).click()
  await page.getByRole('cell', { name: 'scrape', exact: true }).first().waitFor()
  await page.getByRole('button', { name: 'By key' }).click()
  await page.getByRole('cell', { name: '(none)' }).first().waitFor()
  expect(complaints).toEqual([])
})

test('the call of a job is copied as code for other programs', async () => {
  const { page, complaints } = await stand.visit({ permissions: ['clipboard-read', 'clipboard-write'] })
  const url = stand.site.url('/notes')
  const { id } = await stand.call('POST', '/v2/crawl', { url, limit: 2, scrapeOptions: { headers: { cookie: 'a=b' } } })
  await page.goto(`${stand.url}/#/jobs/crawl/${id}`)
  await page.getByText('Copy as', { exact: true }).click()
  expect(await barriers(page)).toEqual([])
  await page.getByRole('button', { name: 'Library' }).click()
  await page.getByText('Copied for Library').waitFor()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(copied).toContain('gossamer.crawlPages({')
  const [, input = ''] = /crawlPages\((.*)\)\) console/s.exec(copied) ?? []
  expect(JSON.parse(input)).toEqual({ url, limit: 2, scrapeOptions: { headers: { cookie: '...' } } })
  await page.getByText('Copy as', { exact: true }).click()
  await page.getByRole('button', { name: 'curl' }).click()
  await page.getByText('Copied for curl').waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(`curl -X POST '${stand.url}/v2/crawl'`)
  // A page of a crawl is not a separate call.
  await page.goto(`${stand.url}/#/jobs`)
  expect(complaints).toEqual([])
})

test('running jobs are counted regardless of the filter; a crawl shows the reason for waiting, a check is one row', async () => {
  await stand.clear('browser')
  await stand.clear('monitor')
  const { id: session } = await stand.call('POST', '/v2/browser', {})
  const { id: crawl } = await stand.call('POST', '/v2/crawl', { url: stand.site.url('/notes'), delay: 60 })
  const targets = [{ type: 'scrape', urls: [stand.site.url('/notes/0?checked'), stand.site.url('/notes/2?checked')] }]
  const { data: monitor } = await stand.call('POST', '/v2/monitor', { schedule: { text: 'hourly' }, targets })
  await stand.call('POST', `/v2/monitor/${monitor.id}/run`)
  const { page } = await stand.visit()
  await page.goto(`${stand.url}/#/jobs?status=failed`)
  const running = page.getByRole('region', { name: 'Running' })
  await running.locator(`a[href="#/sessions/${session}"]`).getByText('open').waitFor()
  await running.locator(`a[href$="${crawl}"]`).getByText('its delay is 60 s').waitFor()
  // The check may start and end while the page is shown.
  await page.locator('.tile').first().getByText('2', { exact: true }).waitFor()

  await page.getByRole('button', { name: 'All', exact: true }).click()
  await page.getByRole('link', { name: /^check .*checked.*done/ }).waitFor()
  expect(await page.getByRole('link', { name: /^scrape .*checked/ }).count()).toBe(0)
  await stand.call('DELETE', `/v2/crawl/${crawl}`)
  await stand.clear('browser')
  await running.waitFor({ state: 'detached' })
})

test('pages with an error status are counted separately; a page links to its crawl and its neighbours', async () => {
  const url = stand.site.url('/mixed')
  const { id } = await stand.call('POST', '/v2/crawl', {
    url,
    maxDiscoveryDepth: 1,
    crawlEntireDomain: true,
    sitemap: 'skip',
    wait: 60,
  })
  const { page } = await stand.visit()
  await page.goto(`${stand.url}/#/jobs/crawl/${id}`)
  await page.getByText('2 pages', { exact: true }).waitFor()
  await page.getByText('1 page with an error status').waitFor()
  await expect.poll(() => page.title()).toMatch(/crawl .*mixed/)
  await page.getByRole('button', { name: 'With an error status 1' }).click()
  const list = page.getByRole('list', { name: 'Pages' })
  await list.getByText('404').waitFor()
  expect(await list.getByRole('listitem').count()).toBe(1)
  expect(await barriers(page)).toEqual([])
  await page.reload()
  await list.getByText('404').waitFor()
  await page.getByRole('button', { name: 'Pages 3' }).click()
  await list.getByRole('link').first().click()
  const first = page.url()
  await page.getByRole('link', { name: 'Next page' }).click()
  await page.getByRole('link', { name: 'Previous page' }).click()
  await expect.poll(() => page.url()).toBe(first)
  expect(await barriers(page)).toEqual([])
  await page.getByRole('link', { name: 'All pages of this crawl' }).click()
  await list.getByText('404').waitFor()
})
