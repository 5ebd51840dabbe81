import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { folderForAll } from '../../helpers/for-all.ts'
import { shownIn, test } from './fixture.ts'

const folder = folderForAll()

/** Returns the path of a text file of `size` bytes, because passing the bytes to the browser would be slow. */
function fileOf(size: number): string {
  const path = join(folder.path, 'a.txt')
  writeFileSync(path, 'a'.repeat(size))
  return path
}

test('a viewer clicks, once and twice', async ({ stand }) => {
  const { press, seen, faults } = await shownIn(stand, '/live/desk')
  await press(100, 120)
  await expect.poll(seen).toEqual(['click 1'])
  await press(100, 120, { clickCount: 2 })
  await expect.poll(seen).toEqual(['click 1', 'click 1', 'click 2', 'double'])
  expect(faults).toEqual([])
})

test("a right click opens no menu of the viewer's browser", async ({ stand }) => {
  const { press, seen } = await shownIn(stand, '/live/desk')
  await press(500, 400, { button: 'right' })
  await expect.poll(seen).toEqual(['menu'])
})

test('a viewer drags, even beyond the shown page', async ({ stand }) => {
  const { page, at, seen, shown } = await shownIn(stand, '/live/desk')
  const [from, to] = [await at(420, 400), await at(650, 400)]
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(to.x, to.y, { steps: 4 })
  await page.mouse.up()
  await expect.poll(seen).toEqual(['drag'])
  await shown.value("addEventListener('mouseup', () => seen.push('released'))")
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(from.x, 5, { steps: 3 })
  await page.mouse.up()
  await expect.poll(seen).toContain('released')
})

test('a drag and drop reaches the page', async ({ stand }) => {
  const { page, at, press, seen } = await shownIn(stand, '/live/drop')
  const [from, to] = [await at(150, 150), await at(500, 200)]
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(from.x + 30, from.y, { steps: 3 })
  await expect.poll(seen).toEqual(['takes'])
  // Moves like a person, because the page looks for a drop target only on a move.
  const moved = async () => {
    await page.mouse.move(to.x, to.y + Math.random() * 20)
    return seen()
  }
  await expect.poll(moved).toEqual(['takes', 'over'])
  await page.mouse.up()
  await expect.poll(seen).toEqual(['takes', 'over', 'drop rope'])
  await press(600, 250)
  await expect.poll(seen).toEqual(['takes', 'over', 'drop rope', 'click'])
})

test('the wheel scrolls', async ({ stand }) => {
  const { page, at, shown } = await shownIn(stand, '/live/long')
  const spot = await at(600, 400)
  await page.mouse.move(spot.x, spot.y)
  await page.mouse.wheel(0, 700)
  await expect.poll(() => shown.value('scrollY')).toBeGreaterThan(600)
})

test('keys and shortcuts are typed', async ({ stand }) => {
  const { page, press, seen, shown } = await shownIn(stand, '/live/desk')
  await press(500, 120)
  await page.keyboard.type('Hej Åse')
  await expect.poll(() => shown.value('field.value')).toBe('Hej Åse')
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Home')
  await page.keyboard.press('Delete')
  await expect.poll(() => shown.value('field.value')).toBe('ej Ås')
  await page.keyboard.press('Control+a')
  await page.keyboard.type('new')
  await expect.poll(() => shown.value('field.value')).toBe('new')
  expect(await seen()).toContain('key a ctrl')
  await page.keyboard.press('Tab')
  await expect.poll(() => shown.value('document.activeElement.id')).toBe('area')
  await page.keyboard.type('one')
  await page.keyboard.press('Enter')
  await page.keyboard.type('two')
  await expect.poll(() => shown.value('area.value')).toBe('one\ntwo')
})

test('characters without a key and input methods are typed', async ({ stand }) => {
  const { page, press, shown } = await shownIn(stand, '/live/desk')
  await shown.value("field.addEventListener('compositionupdate', ({ data }) => seen.push('composes ' + data))")
  await press(500, 120)
  await page.keyboard.insertText('日本語 🛶 ')
  await expect.poll(() => shown.value('field.value')).toBe('日本語 🛶 ')
  const keyboard = await page.context().newCDPSession(page)
  await keyboard.send('Input.imeSetComposition', { text: 'ふ', selectionStart: 1, selectionEnd: 1 })
  await keyboard.send('Input.imeSetComposition', { text: 'ふね', selectionStart: 2, selectionEnd: 2 })
  await expect.poll(() => shown.value('field.value')).toBe('日本語 🛶 ふね')
  await keyboard.send('Input.insertText', { text: '舟' })
  await expect.poll(() => shown.value('field.value')).toBe('日本語 🛶 舟')
  expect(await shown.value('seen')).toContain('composes ふね')
})

test('a viewer pastes from their clipboard', async ({ stand }) => {
  const { page, press, shown } = await shownIn(stand, '/live/desk')
  await press(800, 150)
  await page.evaluate(() => navigator.clipboard.writeText('Ørsted ☸ zwei'))
  await page.keyboard.press('Control+v')
  await expect.poll(() => shown.value('area.value')).toBe('Ørsted ☸ zwei')
})

test('copy and cut write to the clipboard of the viewer', async ({ stand }) => {
  const { page, press, shown } = await shownIn(stand, '/live/desk')
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText())
  await shown.value('getSelection().selectAllChildren(says)')
  await page.locator('#keys').focus()
  await page.keyboard.press('Control+c')
  await expect.poll(clipboard).toBe('Some words to copy')
  await press(500, 120)
  await page.keyboard.type('cut me')
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Control+x')
  await expect.poll(clipboard).toBe('cut me')
  await expect.poll(() => shown.value('field.value')).toBe('')
})

test('a password is never copied', async ({ stand }) => {
  const { page, press, shown } = await shownIn(stand, '/live/desk')
  await shown.value("field.type = 'password'; field.value = 'secret'")
  await page.evaluate(() => navigator.clipboard.writeText('before'))
  await press(500, 120)
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Control+c')
  await page.keyboard.press('End')
  await page.keyboard.type('!')
  await expect.poll(() => shown.value('field.value')).toBe('secret!')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('before')
})

test('files are passed to the page', async ({ stand }) => {
  const { page, press, seen } = await shownIn(stand, '/live/desk')
  await press(90, 312)
  await page.locator('#files[open]').waitFor()
  const large = Buffer.alloc(1_000_000, 'sea ')
  await page.locator('#files-value').setInputFiles([
    { name: 'log 船.txt', mimeType: 'text/plain', buffer: Buffer.from('Wind from the west') },
    { name: 'empty.txt', mimeType: 'text/plain', buffer: Buffer.alloc(0) },
    { name: 'large.txt', mimeType: 'text/plain', buffer: large },
  ])
  await page.getByRole('button', { name: 'Upload' }).click()
  await expect
    .poll(seen)
    .toEqual(['log 船.txt 18 Wind from the west', 'empty.txt 0 ', 'large.txt 1000000 sea sea sea sea sea '])
})

test('an upload that is too large is reported, and the page can ask again', async ({ stand }) => {
  const { page, press, seen } = await shownIn(stand, '/live/desk')
  await press(90, 312)
  await page.locator('#files[open]').waitFor()
  await page.locator('#files-value').setInputFiles(fileOf(20_000_001))
  await page.getByRole('button', { name: 'Upload' }).click()
  await expect.poll(() => page.locator('#notice').textContent()).toContain('20 MB')
  await press(90, 312)
  await page.locator('#files[open]').waitFor()
  await page.locator('#files-value').setInputFiles(fileOf(3))
  await page.getByRole('button', { name: 'Upload' }).click()
  await expect.poll(seen).toEqual(['a.txt 3 aaa'])
})

test('dialogs of the page are shown as text and answered', async ({ stand }) => {
  const { page, press, seen } = await shownIn(stand, '/live/ask')
  await press(100, 120)
  await expect.poll(() => page.locator('#dialog-message').textContent()).toBe('What is your <b>name</b>?')
  expect(await page.locator('#dialog-text').inputValue()).toBe('Ann')
  await page.locator('#dialog-text').fill('Bo ☺')
  await page.getByRole('button', { name: 'OK' }).click()
  await expect.poll(seen).toEqual(['prompt Bo ☺'])
  await page.locator('#dialog').waitFor({ state: 'hidden' })
  await press(500, 120)
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect.poll(seen).toEqual(['prompt Bo ☺', 'confirm false'])
})

test('a dialog opened before the first viewer is answered', async ({ stand }) => {
  const shown = await stand.open('/live/ask')
  await expect.poll(() => shown.value('document.readyState')).toBe('complete')
  await shown.value("setTimeout(() => document.getElementById('sure').click()); 1")
  const { say, messages, socket } = await stand.raw('control')
  const dialog = () => messages.findLast(({ type }) => type === 'state')?.['dialog']
  await expect.poll(dialog).toMatchObject({ kind: 'confirm', message: 'Sail now?' })
  say({ type: 'dialog', accept: true })
  await expect.poll(() => shown.value('seen')).toEqual(['confirm true'])
  await expect.poll(dialog).toBeUndefined()
  socket.close()
})
