import type { Snippet } from './snippet.ts'

const count = (about: string, locator: string, value: number): Snippet => [
  about,
  `return page.${locator}.count()`,
  value,
]
const read = (about: string, code: string, value: unknown): Snippet => [about, `return page.${code}`, value]

/** Every form of a locator, and what it tells of what it finds. */
export const locators: readonly Snippet[] = [
  count('getByRole with a name', "getByRole('button', { name: 'Submit' })", 1),
  count('getByRole with an exact name', "getByRole('button', { name: 'submit', exact: true })", 0),
  count('getByRole by level', "getByRole('heading', { level: 3 })", 1),
  count('getByRole expanded', "getByRole('button', { expanded: false })", 1),
  count('getByText', "getByText('world')", 1),
  count('getByText by a pattern', 'getByText(/^hello$/i)', 1),
  count('getByLabel', "getByLabel('Password')", 1),
  count('getByTestId', "getByTestId('send')", 1),
  count('CSS', "locator('ul > li')", 3),
  count('XPath', "locator('//ul/li')", 3),
  count(':has-text', 'locator(\'li:has-text("apple")\')', 1),
  count(':has', "locator('li:has(button)')", 1),
  count('chained selectors', "locator('ul >> li >> nth=1')", 1),
  count('open shadow roots', "locator('#host button')", 1),
  count('a locator in a locator', "getByRole('list').getByRole('listitem')", 3),
  count('filter by text', "getByRole('listitem').filter({ hasText: 'apple' })", 1),
  count('filter by a locator', "getByRole('listitem').filter({ has: page.getByRole('button') })", 1),
  count('options of a locator', "locator('li', { hasText: 'orange' })", 1),
  count('and', "getByRole('button').and(page.getByTitle('Remove it'))", 1),
  count('or', "getByRole('heading', { level: 1 }).or(page.getByText('banana'))", 2),
  read('last', "getByRole('listitem').last().innerText()", 'orange Remove'),
  read('all', "getByRole('cell').all().then((all) => all.length)", 4),
  read('getAttribute', "getByRole('link', { name: 'Next page' }).getAttribute('href')", '/next'),
  read('isChecked', "getByLabel('Large').isChecked()", true),
  read('boundingBox', "locator('#source').boundingBox().then(({ width, height }) => [width, height])", [60, 30]),
  read('evaluate', "getByTestId('send').evaluate((element, [x, y]) => element.tagName + x * y, [7, 8])", 'BUTTON56'),
  read('ariaSnapshot', "getByRole('list').ariaSnapshot().then((text) => text.split('\\n').length)", 6),
  read('toString', "getByRole('button', { name: 'Submit' }).toString()", "getByRole('button', { name: 'Submit' })"),
]
