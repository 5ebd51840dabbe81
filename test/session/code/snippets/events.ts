import type { Snippet } from './snippet.ts'

/** What a page tells by itself. */
export const events: readonly Snippet[] = [
  [
    'console',
    `const coming = page.waitForEvent('console'); await page.evaluate(() => console.log('hello', 42, { foo: 'bar' })); const message = await coming; return [message.text().slice(0, 8), await message.args()[1].jsonValue(), message.type()]`,
    ['hello 42', 42, 'log'],
  ],
  [
    'consoleMessages',
    `await page.evaluate(() => console.warn('seen')); return (await page.consoleMessages()).some((each) => each.text() === 'seen')`,
    true,
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
  [
    'dialog dismissed',
    `let said; page.once('dialog', async (dialog) => { said = dialog.type() + dialog.message(); await dialog.dismiss() }); return [await page.evaluate(() => confirm('Sure?')), said]`,
    [false, 'confirmSure?'],
  ],
  ['dialog that nobody hears', `return page.evaluate(() => confirm('Sure?'))`, false],
  [
    'popup',
    `const coming = page.waitForEvent('popup'); await page.getByText('Open the popup').click(); const popup = await coming; await popup.waitForLoadState(); return popup.title()`,
    'Next',
  ],
  [
    'page of the context',
    `const coming = context.waitForEvent('page'); await page.getByText('Open the popup').click(); const opened = await coming; await opened.waitForLoadState('domcontentloaded'); return opened.title()`,
    'Next',
  ],
  [
    'opener',
    `const coming = page.waitForEvent('popup'); await page.evaluate(() => { window.open('/next') }); return (await (await coming).opener()) === page`,
    true,
  ],
  [
    'filechooser',
    `const coming = page.waitForEvent('filechooser'); await page.getByLabel('Upload file').click(); const chooser = await coming; await chooser.setFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('abc') }); return [chooser.isMultiple(), await page.locator('#out').textContent()]`,
    [true, 'a.txt3'],
  ],
  ['load', `const seen = []; page.once('load', () => seen.push('load')); await page.reload(); return seen`, ['load']],
  [
    'domcontentloaded',
    `const coming = page.waitForEvent('domcontentloaded'); await page.reload(); return (await coming) === page`,
    true,
  ],
  [
    'close',
    `const other = await context.newPage(); const closing = other.waitForEvent('close'); await other.close(); await closing; return other.isClosed()`,
    true,
  ],
  [
    'worker',
    `const coming = page.waitForEvent('worker'); await page.evaluate(() => { new Worker(URL.createObjectURL(new Blob(['self.x = 6']))) }); return (await coming).evaluate('x * 7')`,
    42,
  ],
  [
    'weberror',
    `const coming = context.waitForEvent('weberror'); await page.evaluate(() => { setTimeout(() => { throw new Error('Test') }) }); return (await coming).error().message`,
    'Test',
  ],
  [
    'removeListener',
    `let heard = 0; const hear = () => heard++; page.on('console', hear); await page.evaluate(() => console.log(1)); page.removeListener('console', hear); await page.evaluate(() => console.log(2)); return heard`,
    1,
  ],
  [
    'a predicate',
    `const coming = page.waitForEvent('console', (message) => message.text() === 'two'); await page.evaluate(() => { console.log('one'); console.log('two') }); return (await coming).text()`,
    'two',
  ],
]
