import { expect } from 'vitest'
import { shownIn, test } from './fixture.ts'
import type { Page } from 'playwright-core'

const titles = (page: Page) => page.getByRole('tab').allTextContents()
const chosen = (page: Page) => page.getByRole('tab', { selected: true }).textContent()
const address = (page: Page) => page.locator('#address').inputValue()

test('tabs are opened in the size of the session, shown and closed', async ({ stand }) => {
  const { page, at } = await shownIn(stand, '/live/desk')
  await page.getByRole('button', { name: 'New tab' }).click()
  await expect.poll(() => titles(page)).toEqual(['Desk', 'New tab'])
  await expect.poll(() => address(page)).toBe('')
  const opened = stand.current()
  const session = await stand.browser.connection.attach(opened!)
  const size = async () =>
    (await session.send('Runtime.evaluate', { expression: `innerWidth + 'x' + innerHeight` })).result
  await expect.poll(size).toMatchObject({ value: '1280x800' })
  await page.locator('#address').fill(stand.site.url('/live/second'))
  await page.keyboard.press('Enter')
  await expect.poll(() => titles(page)).toEqual(['Desk', 'Second'])
  await page.getByRole('tab', { name: 'Desk' }).click()
  await expect.poll(() => chosen(page)).toBe('Desk')
  expect(stand.current()).not.toBe(opened)
  const spot = await at(100, 120)
  await page.mouse.click(spot.x, spot.y)
  await page.getByRole('button', { name: 'Close Second' }).click()
  await expect.poll(() => titles(page)).toEqual(['Desk'])
})

test('a window opened by a page is followed', async ({ stand }) => {
  const { page, press } = await shownIn(stand, '/live/desk')
  await press(800, 372)
  await expect.poll(() => chosen(page)).toBe('Second')
  expect(await titles(page)).toEqual(['Desk', 'Second'])
})

test('back, forward and reload work', async ({ stand }) => {
  const { page, press, shown } = await shownIn(stand, '/live/desk')
  expect(await page.getByRole('button', { name: 'Forward' }).isDisabled()).toBe(true)
  await press(800, 312)
  await expect.poll(() => address(page)).toContain('/live/second')
  await page.getByRole('button', { name: 'Back' }).click()
  await expect.poll(() => address(page)).toContain('/live/desk')
  await page.getByRole('button', { name: 'Forward' }).click()
  await expect.poll(() => address(page)).toContain('/live/second')
  await shown.value('window.isOld = true')
  await page.getByRole('button', { name: 'Reload' }).click()
  await expect.poll(() => shown.value('window.isOld === undefined')).toBe(true)
})

test('navigations of the page itself are shown', async ({ stand }) => {
  const { page } = await shownIn(stand, '/live/desk')
  const changes = stand.counts.changes
  await stand.open('/live/second')
  await expect.poll(() => chosen(page)).toBe('Second')
  expect(stand.counts.changes).toBeGreaterThan(changes)
})

test('a viewer can watch a tab other than the current one', async ({ stand }) => {
  const { page } = await shownIn(stand, '/live/second', 'view')
  const first = stand.current()
  await stand.open('/live/desk')
  await expect.poll(() => chosen(page)).toBe('Desk')
  const activity = stand.counts.activity
  await page.getByRole('tab', { name: 'Second' }).click()
  await expect.poll(() => chosen(page)).toBe('Second')
  expect(stand.current()).not.toBe(first)
  expect(stand.counts.activity).toBe(activity)
})

test('only web addresses are opened', async ({ stand }) => {
  const { page } = await shownIn(stand, '/live/desk')
  for (const typed of ['javascript:alert(1)', 'file:///etc/passwd', 'two words']) {
    await page.locator('#address').fill(typed)
    await page.keyboard.press('Enter')
    await expect.poll(() => page.locator('#notice').textContent()).toContain('http and https')
    await page.evaluate(() => (document.querySelector('#notice')!.textContent = ''))
  }
  await expect.poll(() => address(page)).toContain('/live/desk')
})

test('an act of an agent is shown for a moment', async ({ stand }) => {
  const { page } = await shownIn(stand, '/live/desk')
  stand.live.announce('click e12')
  await expect.poll(() => page.locator('#notice').textContent()).toBe('click e12')
})

test('the live view continues after a page has crashed', async ({ stand }) => {
  const { page, shown } = await shownIn(stand, '/live/second')
  void shown.session.send('Page.crash', {}).catch(() => undefined)
  await expect.poll(() => page.locator('#notice').textContent()).toContain('crashed')
  await page.getByRole('button', { name: 'Reload' }).click()
  await expect.poll(() => chosen(page)).toBe('Second')
  await page.locator('#address').fill(stand.site.url('/live/desk'))
  await page.keyboard.press('Enter')
  await expect.poll(() => chosen(page)).toBe('Desk')
})
