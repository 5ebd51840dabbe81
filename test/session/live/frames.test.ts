import { expect } from 'vitest'
import { shownIn, test } from './fixture.ts'
import type { Stand } from './stand.ts'

/** Position at which the page in the frame starts. */
const from = { x: 110, y: 70 }

/** Value of an expression in the frame of another site, which has its own process if the browser isolates sites. */
async function inFrame(stand: Stand, expression: string): Promise<unknown> {
  const { connection } = stand.browser
  const { targetInfos } = await connection.browser.send('Target.getTargets', {})
  const frame = targetInfos.find(({ type, url }) => type === 'iframe' && url.includes('other.test'))
  const session = await connection.attach((frame?.targetId ?? stand.current())!)
  const contexts: { id: number; origin: string; name: string }[] = []
  session.on('Runtime.executionContextCreated', ({ context }) => contexts.push(context))
  await session.send('Runtime.enable', {})
  const contextId = contexts.find(({ origin, name }) => origin.includes('other.test') && name === '')!.id
  const { result } = await session.send('Runtime.evaluate', { expression, contextId, returnByValue: true })
  await session.detach()
  return result.value
}

test('clicks, lists, the clipboard and uploads work in frames of other sites', async ({ stand }) => {
  const { page, press } = await shownIn(stand, '/live/framed')
  const pressInside = (x: number, y: number) => press(from.x + x, from.y + y)
  await expect.poll(() => inFrame(stand, 'document.title').catch(() => '')).toBe('Desk')
  await pressInside(100, 120)
  await expect.poll(() => inFrame(stand, 'seen.join()')).toBe('click 1')

  await pressInside(150, 220)
  const option = page.getByRole('option', { name: 'Motor boat' })
  await option.waitFor()
  const box = (await page.locator('#list').boundingBox())!
  const picture = (await page.locator('#screen').boundingBox())!
  expect(box.x - picture.x).toBeCloseTo(((from.x + 40) * picture.width) / 1280, -1)
  await option.click()
  await expect.poll(() => inFrame(stand, 'list.value')).toBe('m')

  await pressInside(500, 120)
  await page.evaluate(() => navigator.clipboard.writeText('from outside'))
  await page.keyboard.press('Control+v')
  await expect.poll(() => inFrame(stand, 'field.value')).toBe('from outside')
  await page.keyboard.press('Control+a')
  await page.evaluate(() => navigator.clipboard.writeText(''))
  await page.keyboard.press('Control+c')
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('from outside')

  await pressInside(90, 312)
  await page.locator('#files[open]').waitFor()
  const buffer = Buffer.from('cargo')
  await page.locator('#files-value').setInputFiles([{ name: 'list.txt', mimeType: 'text/plain', buffer }])
  await page.getByRole('button', { name: 'Upload' }).click()
  await expect.poll(() => inFrame(stand, 'seen.at(-1)')).toBe('list.txt 5 cargo')
})
