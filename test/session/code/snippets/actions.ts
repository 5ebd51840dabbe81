import type { Snippet } from './snippet.ts'

const out = "return page.locator('#out').textContent()"

/** Actions of a person on a page. */
export const actions: readonly Snippet[] = [
  [
    'click',
    `await page.getByRole('button', { name: 'Count' }).click(); return page.locator('#count').getAttribute('data-clicks')`,
    '1',
  ],
  [
    'click with a button, a key and a place',
    `await page.locator('canvas').click({ button: 'right', modifiers: ['Shift'], position: { x: 23, y: 32 } }); ${out}`,
    '23,32,true',
  ],
  [
    'fill and submit',
    `await page.getByLabel('User name').fill('john'); await page.getByLabel('Password').fill('secret'); await page.getByTestId('send').click(); return (await page.locator('#out').textContent()).slice(0, 25)`,
    'user=john&password=secret',
  ],
  [
    'press',
    `await page.locator('#search').press('End'); await page.locator('#search').press('Backspace'); return page.inputValue('#search')`,
    'foun',
  ],
  [
    'pressSequentially',
    `await page.getByLabel('Comment').pressSequentially('Hello', { delay: 1 }); return page.getByLabel('Comment').inputValue()`,
    'Hello',
  ],
  ['check', `await page.getByRole('checkbox').check(); return page.getByLabel('Subscribe').isChecked()`, true],
  ['selectOption by value', `return page.selectOption('select#colors', 'blue')`, ['blue']],
  [
    'selectOption of many',
    `return page.locator('#colors').selectOption(['red', 'green', 'blue'])`,
    ['red', 'green', 'blue'],
  ],
  ['dragTo', `await page.locator('#source').dragTo(page.locator('#target')); ${out}`, 'dropped '],
  [
    'setInputFiles from memory',
    `await page.getByLabel('Upload file').setInputFiles({ name: 'file.txt', mimeType: 'text/plain', buffer: Buffer.from('this is test') }); ${out}`,
    'file.txt12',
  ],
  [
    'keyboard',
    `await page.getByLabel('Comment').focus(); await page.keyboard.type('Hello World!'); await page.keyboard.press('ArrowLeft'); await page.keyboard.down('Shift'); for (let i = 0; i < 6; i++) await page.keyboard.press('ArrowLeft'); await page.keyboard.up('Shift'); await page.keyboard.press('Backspace'); return page.getByLabel('Comment').inputValue()`,
    'Hello!',
  ],
  [
    'mouse by steps',
    `const { x, y } = await page.locator('#count').boundingBox(); await page.mouse.move(x + 3, y + 3, { steps: 3 }); await page.mouse.down(); await page.mouse.up(); return page.locator('#count').getAttribute('data-clicks')`,
    '1',
  ],
  [
    'mouse.wheel',
    `await page.evaluate(() => { document.body.style.height = '5000px' }); await page.mouse.wheel(0, 300); await page.waitForFunction(() => scrollY > 0); return true`,
    true,
  ],
  ['pdf', `return (await page.pdf({ format: 'A4' })).subarray(0, 4).toString()`, '%PDF'],
  [
    'addLocatorHandler',
    `await page.addLocatorHandler(page.locator('#over'), async () => { await page.locator('#over button').click() }); await page.evaluate(() => document.body.insertAdjacentHTML('beforeend', '<div id=over style="position:fixed;inset:0;background:#fff"><button onclick="this.parentNode.remove()">No thanks</button></div>')); await page.locator('#count').click(); return page.locator('#over').count()`,
    0,
  ],
]
