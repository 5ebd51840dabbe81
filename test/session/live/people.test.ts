import { expect } from 'vitest'
import { barriers } from '../../e2e/dashboard-kit.ts'
import { shownIn, test } from './fixture.ts'
import type { Page } from 'playwright-core'
import { runningCode } from '../../../src/engine/session/people.ts'

const never = new AbortController().signal
const does = (page: Page) => page.locator('#does').textContent()
const hold = (page: Page) => page.locator('#hold')

test('acts of an agent are shown with their place', async ({ stand }) => {
  const { page, at } = await shownIn(stand, '/live/desk')
  expect(await does(page)).toBe('The agent is not doing anything now.')
  expect(await page.locator('#agent').isVisible()).toBe(false)
  const targetId = stand.current()
  stand.people.doing.begin({ text: 'Clicking “Press”', targetId })
  stand.people.doing.point({ x: 100, y: 120 })
  await expect.poll(() => does(page)).toBe('Agent: Clicking “Press”')
  const spot = await at(100, 120)
  const place = async () => {
    const box = await page.locator('#agent').boundingBox()
    return box && Math.hypot(box.x + 4 - spot.x, box.y + 2 - spot.y) < 3
  }
  await expect.poll(place).toBe(true)
  stand.people.doing.end()
  await expect.poll(() => does(page)).toBe('The agent is not doing anything now.')
  await expect.poll(() => page.locator('#agent').isVisible()).toBe(false)
})

test('a person takes control, and the agent waits until it is returned', async ({ stand }) => {
  const { page, press, seen } = await shownIn(stand, '/live/desk')
  await page.getByRole('button', { name: 'Take over' }).click()
  await expect.poll(() => does(page)).toBe('You have taken over. No agent waits.')
  let isFree = false
  const waiting = stand.people.hold.untilFree(never).then(() => (isFree = true))
  await press(100, 120)
  await expect.poll(seen).toEqual(['click 1'])
  expect(isFree).toBe(false)
  await page.getByRole('button', { name: 'Give back' }).click()
  await waiting
  await expect.poll(() => hold(page).textContent()).toBe('Take over')
})

test('only one of two people acts at a time', async ({ stand }) => {
  const first = await shownIn(stand, '/live/desk')
  const second = await stand.view('control')
  await hold(first.page).click()
  await expect.poll(() => does(second.page)).toBe('Another person has taken over. No agent waits.')
  const spot = await second.at(100, 120)
  await second.page.mouse.click(spot.x, spot.y)
  await expect.poll(() => second.page.locator('#notice').textContent()).toContain('Another person has taken over')
  await second.page.getByRole('button', { name: 'New tab' }).click()
  await first.press(100, 120)
  await expect.poll(first.seen).toEqual(['click 1'])
  expect(await first.page.getByRole('tab').count()).toBe(1)
  await hold(second.page).click()
  await expect.poll(() => does(first.page)).toBe('Another person has taken over. No agent waits.')
  await second.page.mouse.click(spot.x, spot.y)
  await expect.poll(first.seen).toEqual(['click 1', 'click 1'])
})

test('control is returned when a person leaves, but not when a connection is lost', async ({ stand }) => {
  const { page } = await shownIn(stand, '/live/desk')
  await hold(page).click()
  await expect.poll(() => hold(page).textContent()).toBe('Give back')
  for (const socket of stand.server.sockets) socket.terminate()
  await expect.poll(() => page.locator('#banner').textContent()).toContain('Connection lost')
  await expect.poll(() => page.locator('#banner').textContent()).toBe('')
  await expect.poll(() => hold(page).textContent()).toBe('Give back')
  await page.close()
  expect(await stand.people.hold.untilFree(never)).toBe(true)
})

test('a reconnecting person does not regain control that another person has taken', async ({ stand }) => {
  const { hold: held } = stand.people
  await stand.open('/live/second')
  const [first, second] = [await stand.raw('control'), await stand.raw('control')]
  first.say({ type: 'takeOver' })
  await expect.poll(() => held.holder()).toBeDefined()
  const before = held.holder()
  second.say({ type: 'takeOver' })
  await expect.poll(() => held.holder() === before).toBe(false)
  const now = held.holder()
  first.say({ type: 'takeOver', again: true })
  first.say({ type: 'ping' })
  await expect.poll(() => first.messages.map(({ type }) => type)).toContain('pong')
  expect(held.holder()).toBe(now)
  first.socket.close()
  second.socket.close()
  await held.untilFree(never)
})

test('a request of an agent is shown until a person completes or declines it', async ({ stand }) => {
  const { page } = await shownIn(stand, '/live/desk')
  const watcher = await stand.view('view')
  const request = stand.people.requests.ask('Log in to the <b>shop</b>', 60_000, never)
  await expect.poll(() => page.locator('#request-text').textContent()).toBe('Log in to the <b>shop</b>')
  await expect.poll(() => watcher.page.locator('#request').isVisible()).toBe(true)
  expect(await watcher.page.getByRole('button', { name: 'Done' }).isVisible()).toBe(false)
  await hold(page).click()
  await page.getByRole('button', { name: 'Done' }).click()
  expect(await request).toBe('done')
  await expect.poll(() => page.locator('#request').isVisible()).toBe(false)
  // A finished request offers no more buttons.
  await expect.poll(() => hold(page).textContent()).toBe('Take over')
  const declined = stand.people.requests.ask('Pay', 60_000, never)
  await page.getByRole('button', { name: 'I can’t' }).click()
  expect(await declined).toBe('declined')
})

test.for(['light', 'dark'] as const)('the live view is accessible, %s', async (colorScheme, { stand }) => {
  const { page } = await shownIn(stand, '/live/desk', 'control', { colorScheme })
  const request = stand.people.requests.ask('Pay', 60_000, never)
  await expect.poll(() => page.locator('#request').isVisible()).toBe(true)
  expect(await barriers(page)).toEqual([])
  await hold(page).click()
  await expect.poll(() => hold(page).textContent()).toBe('Give back')
  expect(await barriers(page)).toEqual([])
  stand.people.requests.answer(stand.people.requests.shown()!.id, 'done')
  await request
})

test('the remaining time is shown, extended and ended', async ({ stand }) => {
  const { page } = await shownIn(stand, '/live/desk')
  const minutes = async () => Number.parseInt((await page.locator('#left').textContent()) ?? '', 10)
  await expect.poll(minutes).toBeLessThanOrEqual(10)
  await page.getByRole('button', { name: '+10 min' }).click()
  await expect.poll(minutes).toBeGreaterThan(10)
  await page.getByRole('button', { name: 'End', exact: true }).click()
  await page.getByRole('button', { name: 'Keep it' }).click()
  await page.getByRole('button', { name: 'End', exact: true }).click()
  await page.getByRole('button', { name: 'End session' }).click()
  await expect.poll(() => stand.life.calls).toEqual(['extend', 'end'])
})

test('the page has the layout of a phone while a phone watches', async ({ stand }) => {
  const options = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
  const { page, shown } = await shownIn(stand, '/live/desk', 'control', options)
  const width = () => shown.value('innerWidth')
  const button = page.getByRole('button', { name: 'Fit the page to this screen' })
  await expect.poll(() => button.getAttribute('aria-pressed')).toBe('true')
  await expect.poll(() => shown.value('screen.width')).toBe(390)
  await expect.poll(async () => (await page.locator('#screen').boundingBox())!.height).toBeGreaterThan(400)
  await button.click()
  await expect.poll(width).toBe(1280)
  await button.click()
  await expect.poll(() => shown.value('screen.width')).toBe(390)
  await page.close()
  await expect.poll(width).toBe(1280)
})

const dot = 'data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA='

test('a timeline of the acts with pictures stays after the end of the session', async ({ stand }) => {
  const { page } = await shownIn(stand, '/live/desk')
  const { timeline } = stand.people
  timeline.add('Clicking “Press”', async () => dot)
  timeline.add('Opening <b>shop</b>')
  timeline.failed()
  await page.getByRole('button', { name: 'Timeline' }).click()
  const acts = page.locator('#acts > li')
  await expect.poll(() => acts.first().textContent()).toMatch(/^\d\d:\d\d:\d\dOpening <b>shop<\/b> – failed$/)
  await expect.poll(() => acts.nth(1).locator('img').getAttribute('src')).toBe(dot)
  expect(await barriers(page)).toEqual([])
  const late = await stand.view('view')
  await late.page.getByRole('button', { name: 'Timeline' }).click()
  await expect.poll(() => late.page.locator('#acts img').count()).toBe(1)
})

test('files offered by pages are listed for download', async ({ stand }) => {
  const { page } = await shownIn(stand, '/live/desk')
  stand.files.push({ id: 'f1', name: 'prices.csv', bytes: 1400 })
  await expect.poll(() => page.locator('#shelf').textContent()).toBe('prices.csv 2 kB')
  expect(await page.getByRole('link', { name: 'prices.csv' }).getAttribute('href')).toBe('/live/control/files/f1')
  const watcher = await stand.view('view')
  await expect.poll(() => watcher.page.locator('#shelf').textContent()).toBe('prices.csv 2 kB')
  expect(await watcher.page.getByRole('link').count()).toBe(0)
})

test('calls of an agent that wait for a person are shown', async ({ stand }) => {
  const { page } = await shownIn(stand, '/live/desk')
  await hold(page).click()
  await expect.poll(() => does(page)).toBe('You have taken over. No agent waits.')
  const running = runningCode(stand.people, async () => 'done', {
    signal: never,
    tabs: {
      current() {
        throw new Error('It has no tab.')
      },
    },
  })
  await expect.poll(() => does(page)).toBe('You have taken over. The agent waits for: Running code')
  await hold(page).click()
  expect(await running).toBe('done')
})
