import type { Snippet } from './snippet.ts'

const out = "return page.locator('#out').textContent()"

/** What a person does with a page. */
export const actions: readonly Snippet[] = [
  [
    'click',
    `await page.getByRole('button', { name: 'Count' }).click(); return page.locator('#count').getAttribute('data-clicks')`,
    '1',
  ],
  [
    'dblclick',
    `await page.locator('#count').dblclick(); return page.locator('#count').getAttribute('data-clicks')`,
    '2',
  ],
  [
    'click often',
    `await page.locator('#count').click({ clickCount: 3, delay: 1 }); return page.locator('#count').getAttribute('data-clicks')`,
    '3',
  ],
  [
    'click with a button, a key and a place',
    `await page.locator('canvas').click({ button: 'right', modifiers: ['Shift'], position: { x: 23, y: 32 } }); ${out}`,
    '23,32,true',
  ],
  [
    'click on trial',
    `await page.locator('#count').click({ trial: true }); return page.locator('#count').getAttribute('data-clicks')`,
    null,
  ],
  ['page.click', `await page.click('text=Next page'); return page.title()`, 'Next'],
  [
    'dispatchEvent',
    `await page.dispatchEvent('#count', 'click'); return page.locator('#count').getAttribute('data-clicks')`,
    '1',
  ],
  [
    'fill and submit',
    `await page.getByLabel('User name').fill('john'); await page.getByLabel('Password').fill('secret'); await page.getByTestId('send').click(); return (await page.locator('#out').textContent()).slice(0, 25)`,
    'user=john&password=secret',
  ],
  [
    'fill a date',
    `await page.getByLabel('Birthday').fill('2020-02-02'); return page.getByLabel('Birthday').inputValue()`,
    '2020-02-02',
  ],
  ['clear', `await page.locator('#search').clear(); return page.inputValue('#search')`, ''],
  [
    'press',
    `await page.locator('#search').press('End'); await page.locator('#search').press('Backspace'); return page.inputValue('#search')`,
    'foun',
  ],
  [
    'press with a modifier',
    `await page.locator('#search').press('ControlOrMeta+A'); await page.keyboard.press('Delete'); return page.inputValue('#search')`,
    '',
  ],
  [
    'pressSequentially',
    `await page.getByLabel('Comment').pressSequentially('Hello', { delay: 1 }); return page.getByLabel('Comment').inputValue()`,
    'Hello',
  ],
  ['page.type', `await page.type('textarea', 'Typed'); return page.inputValue('textarea')`, 'Typed'],
  [
    'Enter submits',
    `await page.getByLabel('Password').fill('x'); await page.getByLabel('Password').press('Enter'); return (await page.locator('#out').textContent()).includes('password=x')`,
    true,
  ],
  ['check', `await page.getByRole('checkbox').check(); return page.getByLabel('Subscribe').isChecked()`, true],
  [
    'uncheck',
    `await page.getByLabel('Subscribe').check(); await page.getByLabel('Subscribe').uncheck(); return page.isChecked('[name=news]')`,
    false,
  ],
  [
    'setChecked',
    `await page.getByRole('checkbox').setChecked(true); return page.getByRole('checkbox').isChecked()`,
    true,
  ],
  ['check a radio', `await page.getByLabel('Small').check(); return page.getByLabel('Large').isChecked()`, false],
  ['selectOption by value', `return page.selectOption('select#colors', 'blue')`, ['blue']],
  ['selectOption by label', `return page.getByLabel('Country').selectOption({ label: 'France' })`, ['fr']],
  ['selectOption by index', `return page.getByLabel('Country').selectOption({ index: 1 })`, ['fr']],
  [
    'selectOption of many',
    `return page.locator('#colors').selectOption(['red', 'green', 'blue'])`,
    ['red', 'green', 'blue'],
  ],
  [
    'selectText',
    `await page.locator('#search').selectText(); return page.evaluate(() => getSelection().toString())`,
    'found',
  ],
  ['hover', `await page.getByText('Next page').hover(); return page.locator('a:hover').count()`, 1],
  ['focus', `await page.locator('#search').focus(); return page.evaluate(() => document.activeElement.id)`, 'search'],
  [
    'blur',
    `await page.locator('#search').focus(); await page.locator('#search').blur(); return page.evaluate(() => document.activeElement.tagName)`,
    'BODY',
  ],
  ['tap', `return typeof page.locator('#count').tap`, 'function'],
  ['dragTo', `await page.locator('#source').dragTo(page.locator('#target')); ${out}`, 'dropped '],
  [
    'dragAndDrop with places',
    `await page.dragAndDrop('#source', '#target', { sourcePosition: { x: 4, y: 7 }, targetPosition: { x: 10, y: 20 } }); ${out}`,
    'dropped ',
  ],
  ['drop data', `await page.locator('#target').drop({ data: { 'text/plain': 'hello' } }); ${out}`, 'dropped hello'],
  [
    'setInputFiles from memory',
    `await page.getByLabel('Upload file').setInputFiles({ name: 'file.txt', mimeType: 'text/plain', buffer: Buffer.from('this is test') }); ${out}`,
    'file.txt12',
  ],
  [
    'setInputFiles of none',
    `const input = page.getByLabel('Upload file'); await input.setInputFiles({ name: 'a', mimeType: 'text/plain', buffer: Buffer.from('a') }); await input.setInputFiles([]); ${out}`,
    '',
  ],
  [
    'scrollIntoViewIfNeeded',
    `await page.locator('canvas').scrollIntoViewIfNeeded(); return page.locator('canvas').isVisible()`,
    true,
  ],
  [
    'keyboard',
    `await page.getByLabel('Comment').focus(); await page.keyboard.type('Hello World!'); await page.keyboard.press('ArrowLeft'); await page.keyboard.down('Shift'); for (let i = 0; i < 6; i++) await page.keyboard.press('ArrowLeft'); await page.keyboard.up('Shift'); await page.keyboard.press('Backspace'); return page.getByLabel('Comment').inputValue()`,
    'Hello!',
  ],
  [
    'keyboard.insertText',
    `await page.getByLabel('Comment').focus(); await page.keyboard.insertText('嗨'); return page.getByLabel('Comment').inputValue()`,
    '嗨',
  ],
  [
    'mouse',
    `const { x, y } = await page.locator('#count').boundingBox(); await page.mouse.click(x + 5, y + 5); return page.locator('#count').getAttribute('data-clicks')`,
    '1',
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
  ['screenshot', `return (await page.screenshot()).subarray(1, 4).toString()`, 'PNG'],
  [
    'screenshot of all',
    `return (await page.screenshot({ fullPage: true, type: 'jpeg', quality: 50 })).subarray(6, 10).toString()`,
    'JFIF',
  ],
  [
    'screenshot with a mask',
    `return (await page.screenshot({ mask: [page.locator('h1')], animations: 'disabled', caret: 'hide' })).length > 100`,
    true,
  ],
  ['screenshot of an element', `return (await page.getByTestId('send').screenshot()).subarray(1, 4).toString()`, 'PNG'],
  ['pdf', `return (await page.pdf({ format: 'A4' })).subarray(0, 4).toString()`, '%PDF'],
  [
    'addLocatorHandler',
    `await page.addLocatorHandler(page.locator('#over'), async () => { await page.locator('#over button').click() }); await page.evaluate(() => document.body.insertAdjacentHTML('beforeend', '<div id=over style="position:fixed;inset:0;background:#fff"><button onclick="this.parentNode.remove()">No thanks</button></div>')); await page.locator('#count').click(); return page.locator('#over').count()`,
    0,
  ],
  ['highlight', `await page.locator('h1').highlight(); return true`, true],
]
