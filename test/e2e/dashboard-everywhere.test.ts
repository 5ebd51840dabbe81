import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { barriers, openDashboard } from './dashboard-kit.ts'
import { forAll } from '../helpers/for-all.ts'

const stand = forAll(() => openDashboard({ pages: 3 }))
beforeAll(async () => {
  await stand.call('POST', '/v2/scrape', { url: stand.site.url('/notes/1') })
  await stand.call('POST', '/v2/scrape', { url: 'http://10.0.0.1/' })
  const targets = [{ type: 'scrape', urls: [stand.site.url('/notes/1')] }]
  await stand.call('POST', '/v2/monitor', { name: 'Notes', schedule: { text: 'hourly' }, targets })
})

/** Views with a text that shows that they have loaded. */
const views = {
  jobs: 'notes/1',
  monitors: 'Notes',
  'monitors/new': 'Check once now',
  sessions: 'Open a browser',
  usage: 'Credits by day',
  playground: 'The same call in other programs',
  'pages/0190c2a0-0000-7000-8000-000000000000': 'JOB_NOT_FOUND',
}
const looks = [
  { colorScheme: 'light', viewport: { width: 1280, height: 800 } },
  { colorScheme: 'dark', viewport: { width: 390, height: 844 }, hasTouch: true },
] as const

test.each(looks)('every view fits the screen and is accessible: %o', async (look) => {
  const { page } = await stand.visit(look)
  for (const [view, words] of Object.entries(views)) {
    await page.goto(`${stand.url}/#/${view}`)
    await page.getByRole('main').getByText(words).first().waitFor()
    const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect([view, wider, await barriers(page)]).toEqual([view, 0, []])
  }
})

/** Elements that Tab reaches from the first link on, and those without a visible focus. */
async function walk(page: Page): Promise<{ reached: number; hidden: string[] }> {
  const hidden: string[] = []
  await page.getByRole('link', { name: 'Skip to content' }).focus()
  for (let reached = 1; ; reached++) {
    await page.keyboard.press('Tab')
    const at = await page.evaluate(() => {
      const element = document.activeElement
      if (!(element instanceof HTMLElement) || element === document.body || element.matches('.skip')) return undefined
      const { outlineStyle, outlineWidth } = getComputedStyle(element)
      const { width, height } = element.getBoundingClientRect()
      const isSeen = outlineStyle !== 'none' && outlineWidth !== '0px' && width > 0 && height > 0
      return { isSeen, what: element.outerHTML.slice(0, 120) }
    })
    if (at === undefined) return { reached, hidden }
    if (!at.isSeen) hidden.push(at.what)
  }
}

test.each(['monitors/new', 'usage', 'playground'] as const)(
  'Tab reaches every control of %s, and shows the focus',
  async (view) => {
    const { page } = await stand.visit()
    await page.goto(`${stand.url}/#/${view}`)
    await page.getByRole('main').getByText(views[view]).first().waitFor()
    const { reached, hidden } = await walk(page)
    // Counted after the walk, because late data of a view may add controls.
    const controls = await page.evaluate(
      () =>
        [...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]')].filter(
          (element) => element.checkVisibility({ visibilityProperty: true }) && !element.matches(':disabled'),
        ).length,
    )
    expect(hidden).toEqual([])
    expect(reached).toBe(controls)
  },
)

test('shortcuts open views, except in text fields, and can be turned off', async () => {
  const { page, complaints } = await stand.visit()
  await page.getByText('Last 24 hours').waitFor()
  await page.keyboard.press('?')
  const window = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await window.waitFor()
  expect(await barriers(page)).toEqual([])
  await page.keyboard.press('g')
  await page.keyboard.press('m')
  expect(page.url()).not.toContain('monitors')
  await page.keyboard.press('Escape')
  await window.waitFor({ state: 'hidden' })
  await page.keyboard.press('g')
  await page.keyboard.press('m')
  await page.getByRole('heading', { name: 'Monitors', level: 1 }).waitFor()
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Monitors')

  await page.goto(`${stand.url}/#/monitors/new`)
  await page.getByLabel('Name').pressSequentially('gu?')
  expect(page.url()).toContain('monitors/new')
  expect(await window.isVisible()).toBe(false)

  await page.getByRole('button', { name: 'Shortcuts' }).click()
  await page.getByLabel('Use single-letter shortcuts').uncheck()
  await window.getByRole('button', { name: 'Close' }).click()
  await page.reload()
  await page.getByLabel('Name').waitFor()
  await page.getByRole('heading', { level: 1 }).focus()
  await page.keyboard.press('g')
  await page.keyboard.press('u')
  await page.keyboard.press('?')
  expect([page.url().endsWith('monitors/new'), await window.isVisible()]).toEqual([true, false])
  expect(complaints).toEqual([])
})

test('a view keeps its filter and position after going back and reloading; shortcuts accept early and slow keys', async () => {
  const { page } = await stand.visit({ viewport: { width: 390, height: 350 } })
  const failed = page.getByRole('button', { name: 'Failed' })
  await failed.click()
  await page
    .getByRole('link', { name: /10\.0\.0\.1/ })
    .first()
    .waitFor()
  await page.evaluate(() => scrollTo(0, 100))
  await page.waitForFunction(() => (history.state as { page?: number } | null)?.page === 100)
  await page.reload()
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(100)
  await page.getByRole('link', { name: 'Usage' }).click()
  await page.getByText('Credits by day').waitFor()
  expect(await page.title()).toBe('Usage · Gossamer')
  await page.goBack()
  expect(await failed.getAttribute('aria-pressed')).toBe('true')
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(100)

  await page.goto('about:blank')
  const early = Promise.withResolvers<void>()
  await page.route('**/dashboard/main-*.js', async (route) => early.promise.then(() => route.continue()))
  await page.goto(stand.url, { waitUntil: 'commit' })
  await page.locator('#app').waitFor({ state: 'attached' })
  await page.keyboard.press('g')
  early.resolve()
  await page.getByRole('heading', { name: 'Jobs', level: 1 }).waitFor()
  await page.waitForTimeout(3000)
  await page.keyboard.press('m')
  await page.getByRole('heading', { name: 'Monitors', level: 1 }).waitFor()
})
