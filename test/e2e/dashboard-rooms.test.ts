import { afterAll, beforeAll, expect, test } from 'vitest'
import { barriers, openDashboard, type Stand } from './dashboard-kit.ts'

let stand: Stand
beforeAll(async () => {
  stand = await openDashboard({ pages: 3 })
})
afterAll(() => stand.close())

test('a scrape is run in the playground, and shown as markdown, as a page and as other programs make the call', async () => {
  const { page, complaints } = await stand.visit()
  await page.getByRole('link', { name: 'Playground' }).click()
  const address = page.getByLabel('url required')
  await address.fill(stand.site.url('/notes/1'))
  await page.getByLabel('formats', { exact: true }).fill('markdown\nlinks')
  await page.getByText(/more options/).click()
  await page.getByLabel('onlyMainContent').selectOption('false')
  await page.getByLabel('maxAge').fill('0')
  expect(await barriers(page)).toEqual([])
  await address.press('Enter')
  await page.getByText('# Note 1').waitFor()
  const asked = { url: stand.site.url('/notes/1'), formats: ['markdown', 'links'], onlyMainContent: false, maxAge: 0 }

  const call = page.getByLabel('Call', { exact: true })
  expect(JSON.parse((await call.textContent()) ?? '')).toEqual({
    method: 'tools/call',
    params: { name: 'scrape', arguments: asked },
  })
  await page.getByRole('button', { name: 'REST' }).click()
  expect(await call.textContent()).toContain(`curl -X POST '${stand.url}/v2/scrape'`)
  await page.getByRole('button', { name: 'Command line' }).click()
  expect(await call.textContent()).toBe(
    `GOSSAMER_REMOTE_URL='${stand.url}' \\\n  gossamer call scrape '${JSON.stringify(asked)}'`,
  )
  await page.getByRole('button', { name: 'SDK' }).click()
  expect(await call.textContent()).toContain(`client.scrape("${asked.url}", {`)
  expect(await barriers(page)).toEqual([])

  await page.getByRole('link', { name: 'See the page' }).click()
  await page.getByRole('heading', { name: 'Page', level: 1 }).waitFor()
  await page.getByText('# Note 1').waitFor()
  await page.getByRole('button', { name: 'Take a picture' }).click()
  const picture = page.getByRole('img', { name: 'Picture of the page' })
  await picture.waitFor()
  expect(await picture.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBeGreaterThan(300)
  expect(complaints).toEqual([])
})

test('what the server refuses is said in its words, and JSON that is none is not sent', async () => {
  const { page } = await stand.visit()
  await page.goto(`${stand.url}/#/playground/scrape`)
  await page.getByLabel('url required').fill('http://169.254.1.1/')
  await page.getByRole('button', { name: 'Run' }).click()
  expect(await page.getByRole('alert').textContent()).toContain('private')
  await page.getByRole('button', { name: 'JSON', exact: true }).first().click()
  await page.getByLabel('Input as JSON').fill('{"url": ')
  expect(await page.getByRole('button', { name: 'Run' }).isDisabled()).toBe(true)
  expect(await barriers(page)).toEqual([])
})

test('every operation has a form', async () => {
  const { page, complaints } = await stand.visit()
  await page.goto(`${stand.url}/#/playground/scrape`)
  await page.getByRole('button', { name: 'Run' }).waitFor()
  const names = await page.getByLabel('Operation').locator('option').allTextContents()
  expect(names.length).toBeGreaterThan(30)
  for (const name of names) {
    await page.getByLabel('Operation').selectOption(name)
    await page.waitForFunction((last) => location.hash.endsWith(`/${last}`), name)
    await page.getByRole('button', { name: 'Run' }).waitFor()
    expect([
      name,
      await page.getByLabel('Call', { exact: true }).or(page.getByText('MCP has no tool')).count(),
    ]).toEqual([name, 1])
  }
  await page.getByLabel('Operation').selectOption('parse')
  const file = {
    name: 'note.html',
    mimeType: 'text/html',
    buffer: Buffer.from('<h1>From a file</h1><p>It was here.</p>'),
  }
  await page.getByLabel('file required').setInputFiles(file)
  await page.getByText('note.html').first().waitFor()
  await page.getByRole('button', { name: 'Run' }).click()
  await page.getByText('# From a file').waitFor()
  expect(complaints).toEqual([])
})

test('a session is opened, acted in through its frame, and closed', async () => {
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
  expect(await barriers(page)).toEqual([])
  await page.getByRole('button', { name: 'Watch only' }).click()
  await frame.getByText('View only').waitFor()

  await page.getByRole('link', { name: 'Sessions' }).click()
  await page.getByRole('listitem').getByRole('link').click()
  await page.getByRole('button', { name: 'Close the browser' }).click()
  await page.getByText('This session is over').waitFor()
  expect(complaints).toEqual([])
})

test('usage is drawn by day and told in a table; the chart is loaded with its first use', async () => {
  const asked: string[] = []
  const { page, complaints } = await stand.visit({}, (fresh) => {
    fresh.on('request', (request) => asked.push(new URL(request.url()).pathname))
  })
  const scraped = { url: stand.site.url('/notes/0'), maxAge: 0 }
  for (let times = 0; times < 2; times++)
    await fetch(`${stand.url}/v2/scrape`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(scraped),
    })
  const charts = () => asked.filter((path) => path.startsWith('/dashboard/draw-chart-')).length
  expect(charts()).toBe(0)
  await page.getByRole('link', { name: 'Usage' }).click()
  const chart = page.getByRole('img', { name: /credits? in 30 days, most on/ })
  await chart.locator('canvas').waitFor()
  expect(charts()).toBe(1)
  await page.getByText('The same as a table').click()
  const today = page.locator('details table').getByRole('row').nth(1).getByRole('cell')
  expect(Number(await today.textContent())).toBeGreaterThanOrEqual(2)
  await page.getByRole('button', { name: '7 days' }).click()
  await page.getByRole('img', { name: /in 7 days/ }).waitFor()
  expect(await barriers(page)).toEqual([])
  await page.getByRole('button', { name: 'Theme' }).click()
  await chart
    .or(page.getByRole('img', { name: /in 7 days/ }))
    .locator('canvas')
    .waitFor()
  expect(complaints).toEqual([])
})

test('the call of a job is copied as other programs make it', async () => {
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
  expect(JSON.parse(input)).toEqual({ url, limit: 2, scrapeOptions: { headers: { cookie: '…' } } })
  await page.getByText('Copy as', { exact: true }).click()
  await page.getByRole('button', { name: 'curl' }).click()
  await page.getByText('Copied for curl').waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(`curl -X POST '${stand.url}/v2/crawl'`)
  // A page of the crawl was no call of its own.
  await page.goto(`${stand.url}/#/jobs`)
  expect(complaints).toEqual([])
})
