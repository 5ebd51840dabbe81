import { gzipSync } from 'node:zlib'
import type { Page, Response } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { forAll } from '../helpers/for-all.ts'
import { barriers, openDashboard } from './dashboard-kit.ts'

/** Returns the used JavaScript memory of the page in bytes. */
async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  await session.detach()
  return usedSize
}

describe('with a key', () => {
  const stand = forAll(() =>
    openDashboard({
      env: { GOSSAMER_API_KEYS: 'ada:correct-horse,bob:battery', GOSSAMER_ADMIN_KEY: 'staple-of-the-admin' },
      pages: 2,
    }),
  )

  test('an invalid key is refused, a valid key logs in, and logging out shows the login again', async () => {
    const { page, complaints } = await stand.visit()
    expect(await barriers(page)).toEqual([])
    await page.getByLabel('API key').fill('wrong')
    await page.getByRole('button', { name: 'Log in' }).click()
    expect(await page.getByRole('alert').textContent()).toContain('not known')
    expect(await barriers(page)).toEqual([])
    // The browser itself logs the status 401.
    complaints.length = 0

    await page.getByLabel('API key').fill('correct-horse')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Jobs', level: 1 }).waitFor()
    await page.getByText('Nothing has been read yet').waitFor()
    expect(await page.evaluate(() => document.cookie)).toBe('')
    await page.getByRole('button', { name: 'Log out' }).click()
    await page.getByLabel('API key').waitFor()
    expect(complaints).toEqual([])
  })

  test('a login returns to the requested view, and a repeated login keeps the filled-in form', async () => {
    const { page } = await stand.visit()
    await page.goto(`${stand.url}/#/playground/map`)
    await page.reload()
    await page.getByLabel('API key').fill('wrong')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').waitFor()
    await page.getByLabel('API key').fill('battery')
    await page.keyboard.press('Enter')
    const address = page.getByLabel('url required')
    await address.fill(stand.site.url('/notes'))
    await page.context().clearCookies()
    await page.getByRole('button', { name: 'Run' }).click()
    const window = page.getByRole('dialog', { name: 'Log in again' })
    await window.getByLabel('API key').fill('wrong')
    await page.keyboard.press('Enter')
    await window.getByText('not known').waitFor()
    expect(await barriers(page)).toEqual([])
    await window.getByLabel('API key').fill('battery')
    await page.keyboard.press('Enter')
    await page.getByRole('region', { name: 'Answer' }).getByText('/notes/1').first().waitFor()
    expect(await address.inputValue()).toBe(stand.site.url('/notes'))
  })

  test('a team sees only its own rows, and the admin sees the name of the shown team', async () => {
    const made = await stand.call('POST', '/v2/scrape', { url: stand.site.url('/notes/1') }, 'battery')
    const { scrapeId } = (made.data as unknown as { metadata: { scrapeId: string } }).metadata
    const watched = { schedule: { text: 'hourly' }, targets: [{ type: 'scrape', urls: [stand.site.url('/notes/1')] }] }
    const { data: monitor } = await stand.call('POST', '/v2/monitor', { ...watched, name: 'Of Bob' }, 'battery')
    const enter = async (key: string) => {
      const { page } = await stand.visit()
      await page.getByLabel('API key').fill(key)
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Jobs', level: 1 }).waitFor()
      return page
    }
    const bob = await enter('battery')
    await bob.getByRole('link', { name: /notes\/1/ }).waitFor()
    expect(await bob.getByText('This is the admin key').count()).toBe(0)
    for (const key of ['correct-horse', 'staple-of-the-admin']) {
      const page = await enter(key)
      await page.getByText('Nothing has been read yet').waitFor()
      expect(await page.getByText('This is the admin key').count()).toBe(key !== 'correct-horse' ? 1 : 0)
      for (const place of [`#/pages/${scrapeId}`, `#/monitors/${monitor.id}`]) {
        await page.goto(`${stand.url}/${place}`)
        expect(await page.getByRole('alert').textContent()).toContain('JOB_OF_OTHER_TEAM')
      }
      await page.getByRole('link', { name: 'Monitors' }).click()
      await page.getByText('Nothing is watched yet').waitFor()
      expect(await barriers(page)).toEqual([])
    }
  })

  test('a page of another site cannot act for a logged-in user', async () => {
    const { page } = await stand.visit()
    await page.getByLabel('API key').fill('correct-horse')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Jobs', level: 1 }).waitFor()
    const token = await page.locator('#app').getAttribute('data-token')

    // Cookies treat it as the same site, but it is another origin.
    const foreign = await page.context().newPage()
    await foreign.goto(stand.site.url('/'))
    const tried = await foreign.evaluate(
      async ({ url, secret }) => {
        const headers = { 'content-type': 'application/json', 'x-gossamer-token': secret }
        const act = (init: RequestInit) =>
          fetch(`${url}/v2/scrape`, {
            method: 'POST',
            credentials: 'include',
            body: '{"url":"http://x.example"}',
            ...init,
          }).then(
            (response) => `${response.type} ${response.status}`,
            () => 'refused',
          )
        return Promise.all([act({ headers }), act({ mode: 'no-cors' }), fetch(`${url}/`).catch(() => 'refused')])
      },
      { url: stand.url, secret: token ?? '' },
    )
    expect(tried).toEqual(['refused', 'opaque 0', 'refused'])
    const done = await page.evaluate(async (secret) => {
      const response = await fetch('/v2/team/activity', { headers: { 'x-gossamer-token': secret } })
      return response.json()
    }, token ?? '')
    expect(done).toMatchObject({ success: true, data: [] })
  })
})

describe('without a key, on loopback', () => {
  const stand = forAll(() => openDashboard({ env: {}, pages: 500 }))

  test('the dashboard opens without a login, is small, and loads nothing from other servers', async () => {
    const loaded: Response[] = []
    const requests: string[] = []
    const { page, complaints } = await stand.visit({}, (fresh) => {
      fresh.on('request', (request) => requests.push(request.url()))
      fresh.on('response', (response) => loaded.push(response))
    })
    await page.getByText('Nothing has been read yet').waitFor()
    await page.getByText('Waiting for the first call').waitFor()
    // Reads the requests at the end, because the page is closed while it polls.
    const bodies = await Promise.all(loaded.map((response) => response.body()))
    const bytes = bodies.reduce((sum, body) => sum + gzipSync(body).length, 0)
    expect(bytes).toBeLessThan(30_000)
    expect(bytes).toBeGreaterThan(10_000)
    expect(requests.filter((url) => !url.startsWith(stand.url) && !url.startsWith('data:'))).toEqual([])
    expect(await barriers(page)).toEqual([])
    expect(await page.getByLabel('Connect', { exact: true }).textContent()).toContain(`${stand.url}/mcp`)
    await page.goto(`${stand.url}/#/connect`)
    await page.getByText('Waiting for the first call').waitFor()
    await stand.call('POST', '/v2/scrape', { url: stand.site.url('/notes/1') })
    await page.getByText('Connected.').waitFor()
    expect(await barriers(page)).toEqual([])
    expect(complaints).toEqual([])
  })

  test('a crawl is shown until its end, with its pages, each page, and its errors with reasons', async () => {
    const { page, complaints } = await stand.visit()
    const { id } = await stand.call('POST', '/v2/crawl', { url: stand.site.url('/notes'), maxDiscoveryDepth: 1 })
    await page.locator(`a[href$="/crawl/${id}"]`).click()
    const pages = page.getByRole('list', { name: 'Pages' })
    await pages.getByText('Notes', { exact: true }).waitFor()
    await page.getByText('done', { exact: true }).waitFor({ timeout: 400_000 })
    await page.getByRole('button', { name: 'Pages 490' }).waitFor()
    const before = await heapOf(page)
    for (let at = 1; at <= 40; at++) {
      await pages.evaluate((box, part) => (box.scrollTop = box.scrollHeight * part), ((at * 7) % 20) / 20)
      await pages.locator('[aria-posinset]').nth(10).getByRole('link').waitFor()
      // Far fewer rows than pages are in the document, wherever it is.
      expect(await pages.getByRole('listitem').count()).toBeLessThan(60)
    }
    await pages.focus()
    await page.keyboard.press('End')
    await pages.locator('[aria-posinset="490"]').getByRole('link').waitFor()
    expect((await heapOf(page)) - before).toBeLessThan(4_000_000)
    expect(await barriers(page)).toEqual([])

    await page.getByRole('button', { name: 'Errors 10' }).click()
    await page.getByText('SCRAPE_ALL_ENGINES_FAILED').first().waitFor()
    expect(await page.locator('[aria-posinset="1"]').getAttribute('aria-setsize')).toBe('10')
    expect(await page.getByRole('link', { name: 'Why?' }).first().getAttribute('href')).toContain('#/why/crawl/')
    expect(await page.getByText('forbidden by robots.txt').textContent()).toContain('1 address')
    expect(await barriers(page)).toEqual([])

    await page.getByRole('button', { name: 'Pages 490' }).click()
    await pages.getByRole('link').first().click()
    await page.getByLabel('Rendered markdown').getByRole('heading', { name: 'Notes' }).waitFor()
    expect(await barriers(page)).toEqual([])
    expect(complaints).toEqual([])
  }, 480_000)

  test('the theme is remembered, and everything can be reached by keyboard', async () => {
    const { page, complaints } = await stand.visit({ colorScheme: 'dark' })
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    const dark = await ground()
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to content')
    await page.getByRole('button', { name: 'Theme' }).press('Enter')
    expect(await ground()).not.toBe(dark)
    await page.reload()
    expect(await page.getByRole('button', { name: 'Theme: light' }).isVisible()).toBe(true)
    expect(await barriers(page)).toEqual([])
    expect(complaints).toEqual([])
  })
})
