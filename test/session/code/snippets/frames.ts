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
    'contentFrame of a locator',
    `await page.locator('iframe[name="embedded"]').contentFrame().getByRole('button').click(); return page.locator('#out').textContent()`,
    '2',
  ],
  ['frameLocator.first', `return page.frameLocator('iframe').first().getByRole('button').count()`, 1],
  ['frameLocator.nth', `return page.frameLocator('iframe').nth(1).getByRole('textbox').count()`, 1],
  ['frameLocator.last', `return page.frameLocator('iframe').last().getByRole('textbox').count()`, 1],
  ['frameLocator.owner', `return page.frameLocator('#inner').owner().getAttribute('name')`, 'embedded'],
  [
    'frame of another site',
    `const card = page.frameLocator('#payment'); await card.getByLabel('Card number').fill('4242'); await card.getByRole('button', { name: 'Pay' }).click(); return page.frames().at(-1).title()`,
    'Paid 4242',
  ],
  ['frames', `return page.frames().length`, 3],
  ['mainFrame', `return page.mainFrame() === page.frames()[0]`, true],
  ['childFrames', `return page.mainFrame().childFrames().length`, 2],
  ['frame by name', `return page.frame('embedded').title()`, 'Inner'],
  ['frame by address', `return page.frame({ url: /card$/ }).title()`, 'Card'],
  ['frame.name', `return page.frame('embedded').name()`, 'embedded'],
  ['frame.url', `${paid}; return new URL(card.url()).pathname`, '/card'],
  ['frame.parentFrame', `${paid}; return card.parentFrame() === page.mainFrame()`, true],
  ['frame.frameElement', `${paid}; return (await card.frameElement()).getAttribute('id')`, 'payment'],
  ['frame.contentFrame', `${paid}; return (await (await card.frameElement()).contentFrame()) === card`, true],
  ['frame.evaluate', `${paid}; return card.evaluate(([x, y]) => Promise.resolve(x * y), [7, 8])`, 56],
  [
    'frame.fill and frame.click',
    `${paid}; await card.fill('#number', '1'); await card.click('button'); return card.title()`,
    'Paid 1',
  ],
  ['frame.getByRole', `${paid}; return card.getByRole('textbox', { name: 'Card number' }).count()`, 1],
  ['frame.$eval', `${paid}; return card.$eval('button', (e) => e.textContent)`, 'Pay'],
  ['frame.$$eval', `${paid}; return card.$$eval('input', (all) => all.length)`, 1],
  ['frame.waitForSelector', `${paid}; return (await card.waitForSelector('button')).innerText()`, 'Pay'],
  ['frame.goto', `${paid}; await card.goto(url + '/next'); return card.title()`, 'Next'],
  [
    'frame.setContent',
    `await page.frame('embedded').setContent('<title>Set</title>'); return page.frame('embedded').title()`,
    'Set',
  ],
  ['frame.content', `${paid}; return (await card.content()).includes('Card number')`, true],
  [
    'frame.waitForURL',
    `${paid}; await card.evaluate(() => { location.href = '/next' }); await card.waitForURL('**/next'); return card.title()`,
    'Next',
  ],
  [
    'frame.isDetached',
    `${paid}; await page.locator('#payment').evaluate((e) => e.remove()); return card.isDetached()`,
    true,
  ],
  [
    'frame in a frame',
    `await page.frame('embedded').setContent('<iframe id=deep srcdoc="<button>Deep</button>"></iframe>'); return page.frameLocator('#inner').frameLocator('#deep').getByRole('button').innerText()`,
    'Deep',
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
    'framedetached',
    `const going = page.waitForEvent('framedetached'); await page.evaluate(() => document.querySelector('#inner').remove()); return (await going).name()`,
    'embedded',
  ],
  [
    'framenavigated',
    `const next = page.waitForEvent('framenavigated'); await page.getByText('Next page').click(); return (await next) === page.mainFrame()`,
    true,
  ],
  [
    'ariaSnapshot of a frame',
    `return (await page.frameLocator('#payment').locator('body').ariaSnapshot()).includes('textbox "Card number"')`,
    true,
  ],
]
