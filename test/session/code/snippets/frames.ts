import type { Snippet } from './snippet.ts'

const paid =
  "await page.waitForFunction(() => document.querySelector('#payment')); const card = page.frames().find((each) => each.url().endsWith('/card'))"

/** Frames of the page, of another site, and in each other. */
export const frames: readonly Snippet[] = [
  [
    'frameLocator',
    `await page.frameLocator('#inner').getByText('Inside').click(); return page.locator('#out').textContent()`,
    '2',
  ],
  [
    'frame of another site',
    `const card = page.frameLocator('#payment'); await card.getByLabel('Card number').fill('4242'); await card.getByRole('button', { name: 'Pay' }).click(); return page.frames().at(-1).title()`,
    'Paid 4242',
  ],
  ['frames', `return page.frames().length`, 3],
  ['frame by address', `return page.frame({ url: /card$/ }).title()`, 'Card'],
  ['frame.frameElement', `${paid}; return (await card.frameElement()).getAttribute('id')`, 'payment'],
  ['frame.evaluate', `${paid}; return card.evaluate(([x, y]) => Promise.resolve(x * y), [7, 8])`, 56],
  [
    'frame.fill and frame.click',
    `${paid}; await card.fill('#number', '1'); await card.click('button'); return card.title()`,
    'Paid 1',
  ],
  ['frame.waitForSelector', `${paid}; return (await card.waitForSelector('button')).innerText()`, 'Pay'],
  ['frame.goto', `${paid}; await card.goto(url + '/next'); return card.title()`, 'Next'],
  [
    'frame.isDetached',
    `${paid}; await page.locator('#payment').evaluate((e) => e.remove()); return card.isDetached()`,
    true,
  ],
  [
    'sandboxed frame',
    `await page.evaluate(() => document.body.insertAdjacentHTML('beforeend', '<iframe id=box sandbox srcdoc="<p>In the box</p>"></iframe>')); return page.frameLocator('#box').locator('p').innerText()`,
    'In the box',
  ],
  [
    'frameattached',
    `const coming = page.waitForEvent('frameattached'); await page.evaluate(() => document.body.append(document.createElement('iframe'))); return (await coming).parentFrame() === page.mainFrame()`,
    true,
  ],
  [
    'ariaSnapshot of a frame',
    `return (await page.frameLocator('#payment').locator('body').ariaSnapshot()).includes('textbox "Card number"')`,
    true,
  ],
]
