import type { Snippet } from './snippet.ts'

/** Events that a page sends. */
export const events: readonly Snippet[] = [
  [
    'console',
    `const coming = page.waitForEvent('console'); await page.evaluate(() => console.log('hello', 42, { foo: 'bar' })); const message = await coming; return [message.text().slice(0, 8), await message.args()[1].jsonValue(), message.type()]`,
    ['hello 42', 42, 'log'],
  ],
  [
    'pageerror',
    `const coming = page.waitForEvent('pageerror'); await page.evaluate(() => { setTimeout(() => { throw new Error('Test') }) }); return (await coming).message`,
    'Test',
  ],
  [
    'dialog accepted',
    `page.on('dialog', (dialog) => dialog.accept('me')); return page.evaluate(() => prompt('Who?'))`,
    'me',
  ],
  ['dialog without a listener', `return page.evaluate(() => confirm('Sure?'))`, false],
  [
    'popup',
    `const coming = page.waitForEvent('popup'); await page.getByText('Open the popup').click(); const popup = await coming; await popup.waitForLoadState(); return popup.title()`,
    'Next',
  ],
  [
    'filechooser',
    `const coming = page.waitForEvent('filechooser'); await page.getByLabel('Upload file').click(); const chooser = await coming; await chooser.setFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('abc') }); return [chooser.isMultiple(), await page.locator('#out').textContent()]`,
    [true, 'a.txt3'],
  ],
  [
    'worker',
    `const coming = page.waitForEvent('worker'); await page.evaluate(() => { new Worker(URL.createObjectURL(new Blob(['self.x = 6']))) }); return (await coming).evaluate('x * 7')`,
    42,
  ],
  [
    'removeListener',
    `let count = 0; const listener = () => count++; page.on('console', listener); await page.evaluate(() => console.log(1)); page.removeListener('console', listener); await page.evaluate(() => console.log(2)); return count`,
    1,
  ],
  [
    'a predicate',
    `const coming = page.waitForEvent('console', (message) => message.text() === 'two'); await page.evaluate(() => { console.log('one'); console.log('two') }); return (await coming).text()`,
    'two',
  ],
]
