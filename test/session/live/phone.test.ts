import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { shownIn, test } from './fixture.ts'
import type { Stand } from './stand.ts'

type Spot = { x: number; y: number }

/** Opens a viewer on a phone, with the page laid out as for other viewers. */
async function phone(stand: Stand, path: string) {
  const options = { viewport: { width: 390, height: 760 }, hasTouch: true, isMobile: true }
  const viewer = await shownIn(stand, path, 'control', options)
  const fit = viewer.page.getByRole('button', { name: 'Fit the page to this screen' })
  await expect.poll(() => fit.getAttribute('aria-pressed')).toBe('true')
  await fit.tap()
  await expect.poll(async () => (await viewer.page.locator('#screen').boundingBox())!.height).toBeLessThan(260)
  const screen = await viewer.page.context().newCDPSession(viewer.page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', spots: Spot[]) =>
    screen.send('Input.dispatchTouchEvent', { type, touchPoints: spots })
  const tap = async (x: number, y: number) => {
    const spot = await viewer.at(x, y)
    await viewer.page.touchscreen.tap(spot.x, spot.y)
  }
  return { ...viewer, touch, tap }
}
const hasKeyboard = (page: Page) => page.evaluate(() => document.activeElement?.id === 'keys')

test('the live view fits a narrow screen', async ({ stand }) => {
  const { page, faults } = await phone(stand, '/live/desk')
  const widest = await page.evaluate(() => document.documentElement.scrollWidth)
  expect(widest).toBe(390)
  const picture = (await page.locator('#screen').boundingBox())!
  expect(picture.width).toBeCloseTo(390, 0)
  await page.getByRole('button', { name: 'Larger' }).tap()
  await expect.poll(async () => (await page.locator('#screen').boundingBox())!.width).toBeGreaterThan(800)
  expect(faults).toEqual([])
})

test('a tap opens the keyboard only on text fields', async ({ stand }) => {
  const { page, tap, seen, shown } = await phone(stand, '/live/desk')
  await tap(100, 120)
  await expect.poll(seen).toEqual(['click 1'])
  expect(await hasKeyboard(page)).toBe(false)
  await shown.value("field.inputMode = 'email'")
  await tap(500, 120)
  await expect.poll(() => hasKeyboard(page)).toBe(true)
  expect(await page.locator('#keys').evaluate((keys) => (keys as HTMLTextAreaElement).inputMode)).toBe('email')
  await tap(500, 450)
  await expect.poll(() => hasKeyboard(page)).toBe(false)
})

test('input events of a phone keyboard are typed, although they name no keys', async ({ stand }) => {
  const { page, tap, shown } = await phone(stand, '/live/desk')
  await tap(800, 150)
  await expect.poll(() => hasKeyboard(page)).toBe(true)
  const edit = (command: string, text?: string) =>
    page.evaluate(([name, value]) => document.execCommand(name!, false, value), [command, text] as const)
  await edit('insertText', 'boat')
  await edit('insertText', 's')
  await edit('delete')
  await edit('insertText', '🚤')
  await expect.poll(() => shown.value('area.value')).toBe('boat🚤')
})

test('a long press followed by a move drags', async ({ stand }) => {
  const { at, touch, seen, page } = await phone(stand, '/live/desk')
  const [from, to] = [await at(420, 400), await at(650, 400)]
  await touch('touchStart', [from])
  await page.waitForTimeout(700)
  await touch('touchMove', [{ x: from.x + 20, y: from.y }])
  await touch('touchMove', [to])
  await touch('touchEnd', [])
  await expect.poll(seen).toEqual(['drag'])
})

test('the options of a select list can be tapped', async ({ stand }) => {
  const { page, tap, seen } = await phone(stand, '/live/desk')
  await tap(150, 220)
  await page.getByRole('option', { name: 'Sailing boat' }).tap()
  await expect.poll(seen).toEqual(['list s'])
})
