import type { Locator } from '../playwright/locator.ts'
import type { Page } from '../playwright/page.ts'
import { CommandError, type CommandScope, needed, numberOf, type CommandOutput } from './arguments.ts'
import { elementOf, snapshot, wait } from './element.ts'
import { cookies, tab } from './tabs.ts'

type Way = (page: Page, value: string, options: ReadonlyMap<string, string>) => Locator
const exactly = (options: ReadonlyMap<string, string>) => ({ exact: options.has('exact') })

const ways: Readonly<Record<string, Way>> = {
  role: (page, value, options) =>
    page.getByRole(value, { ...exactly(options), ...(options.has('name') && { name: options.get('name')! }) }),
  text: (page, value, options) => page.getByText(value, exactly(options)),
  label: (page, value, options) => page.getByLabel(value, exactly(options)),
  placeholder: (page, value, options) => page.getByPlaceholder(value, exactly(options)),
  alt: (page, value, options) => page.getByAltText(value, exactly(options)),
  title: (page, value, options) => page.getByTitle(value, exactly(options)),
  testid: (page, value) => page.getByTestId(value),
  first: (page, value) => page.locator(value).first(),
  last: (page, value) => page.locator(value).last(),
}

/** `find role button click --name Submit`, `find nth 2 a text`. */
async function find(scope: CommandScope): Promise<CommandOutput> {
  const { page, options } = scope
  const [kind = '', ...rest] = scope.words
  const isNth = kind === 'nth'
  const way = ways[kind]
  if (!way && !isNth) throw new CommandError(`Use one of: ${Object.keys(ways).join(' ')} nth.`)
  const value = needed(rest, isNth ? 1 : 0, 'value')
  const [action = 'click', ...given] = rest.slice(isNth ? 2 : 1)
  const locator = way ? way(page, value, options).first() : page.locator(value).nth(numberOf(rest[0], 0))
  return act(locator, action, given.join(' '))
}

async function act(locator: Locator, action: string, text: string): Promise<CommandOutput> {
  if (action === 'text') return locator.innerText()
  if (action === 'fill') await locator.fill(text)
  else if (action === 'type') await locator.type(text)
  else if (action === 'click' || action === 'dblclick' || action === 'hover' || action === 'focus')
    await locator[action]()
  else if (action === 'check' || action === 'uncheck') await locator[action]()
  else throw new CommandError(`There is no action ${action}: click dblclick fill type hover focus check uncheck text.`)
  return '✓ Done'
}

type Query = (scope: CommandScope, selector: () => string) => Promise<unknown>

const queries: Readonly<Record<string, Query>> = {
  title: ({ page }) => page.title(),
  url: async ({ page }) => page.url(),
  text: async (scope, selector) => (await elementOf(scope, selector())).innerText(),
  html: async (scope, selector) => (await elementOf(scope, selector())).innerHTML(),
  value: async (scope, selector) => (await elementOf(scope, selector())).inputValue(),
  attr: async (scope, selector) =>
    (await elementOf(scope, selector())).getAttribute(needed(scope.words, 2, 'attribute name')),
  box: async (scope, selector) => (await elementOf(scope, selector())).boundingBox(),
  count: ({ page }, selector) => page.locator(selector()).count(),
  visible: async (scope, selector) => (await elementOf(scope, selector())).isVisible(),
  enabled: async (scope, selector) => (await elementOf(scope, selector())).isEnabled(),
  checked: async (scope, selector) => (await elementOf(scope, selector())).isChecked(),
}

/** `get text @e1`, `is visible .menu`. Without a selector, text and HTML are those of the whole page. */
async function query(scope: CommandScope): Promise<CommandOutput> {
  const [what = ''] = scope.words
  if (!Object.hasOwn(queries, what)) throw new CommandError(`Use one of: ${Object.keys(queries).join(' ')}.`)
  const isOfPage = what === 'text' || what === 'html'
  const selector = () => scope.words[1] ?? (isOfPage ? 'body' : needed(scope.words, 1, 'selector or @ref'))
  const value = await queries[what]!(scope, selector)
  return { text: typeof value === 'string' ? value : JSON.stringify(value ?? null), data: { [what]: value ?? null } }
}

export type Command = (scope: CommandScope) => Promise<CommandOutput>
const done = '✓ Done'

/** A URL without a scheme gets `https:`. */
const addressOf = (word: string) => (/^[a-z][a-z\d+.-]*:(?!\d)/i.test(word) ? word : `https://${word}`)

async function here(scope: CommandScope): Promise<string> {
  return `✓ ${await scope.page.title()}\n  ${scope.page.url()}`
}

const open: Command = async (scope) => {
  await scope.page.goto(addressOf(needed(scope.words, 0, 'URL')), timeoutOf(scope))
  return here(scope)
}
const timeoutOf = ({ options }: CommandScope) =>
  options.has('timeout') ? { timeout: numberOf(options.get('timeout'), 30_000) } : {}

type ElementAction = 'click' | 'dblclick' | 'hover' | 'focus' | 'check' | 'uncheck' | 'scrollIntoViewIfNeeded'
const onElement =
  (name: ElementAction): Command =>
  async (scope) => {
    const element = await elementOf(scope, needed(scope.words, 0, 'selector or @ref'))
    await element[name](timeoutOf(scope))
    return done
  }
const withText =
  (name: 'fill' | 'type'): Command =>
  async (scope) => {
    const element = await elementOf(scope, needed(scope.words, 0, 'selector or @ref'))
    await element[name](scope.words.slice(1).join(' '), timeoutOf(scope))
    return done
  }

const press: Command = async ({ page, words }) => {
  await page.keyboard.press(needed(words, 0, 'key'))
  return done
}

const keyboard: Command = async ({ page, words: [how, ...rest] }) => {
  if (how === 'type') await page.keyboard.type(rest.join(' '))
  else if (how === 'inserttext') await page.keyboard.insertText(rest.join(' '))
  else throw new CommandError('Usage: keyboard type|inserttext TEXT')
  return done
}

const select: Command = async (scope) => {
  const element = await elementOf(scope, needed(scope.words, 0, 'selector or @ref'))
  needed(scope.words, 1, 'value')
  await element.selectOption(scope.words.slice(1), timeoutOf(scope))
  return done
}

const scroll: Command = async ({ page, words: [direction = 'down', distance] }) => {
  const by = numberOf(distance, 300)
  const directions: Record<string, readonly [number, number]> = {
    up: [0, -by],
    down: [0, by],
    left: [-by, 0],
    right: [by, 0],
  }
  const way = directions[direction]
  if (!way) throw new CommandError('Usage: scroll up|down|left|right [PIXELS]')
  await page.evaluate(`([x, y]) => window.scrollBy(x, y)`, way)
  return done
}

const screenshot: Command = async ({ page, words, options }) => {
  const path = words[0] ?? `/tmp/screenshot-${Date.now()}.png`
  const type = /\.jpe?g$/i.test(path) ? 'jpeg' : 'png'
  const bytes = await page.screenshot({ fullPage: options.has('full'), type })
  return { text: `✓ Screenshot saved to ${path}`, file: { path, bytes }, data: { path } }
}

const pdf: Command = async ({ page, words }) => {
  const path = needed(words, 0, 'path')
  return { text: `✓ PDF saved to ${path}`, file: { path, bytes: await page.pdf() }, data: { path } }
}

const evaluate: Command = async ({ page, words, options }) => {
  const given = words.join(' ')
  const source = options.has('base64') || options.has('b') ? Buffer.from(given, 'base64').toString() : given
  const value = await page.evaluate(source)
  return { text: JSON.stringify(value, null, 2) ?? 'undefined', data: { result: value ?? null } }
}

const set: Command = async ({ page, words: [what, width, height] }) => {
  if (what !== 'viewport') throw new CommandError('Only "set viewport WIDTH HEIGHT" is built in.')
  await page.setViewportSize({ width: numberOf(width, 1280), height: numberOf(height, 720) })
  return done
}

const moved =
  (name: 'goBack' | 'goForward' | 'reload'): Command =>
  async (scope) => {
    await scope.page[name](timeoutOf(scope))
    return here(scope)
  }

/** The session belongs to whoever opened it. */
const close: Command = async () => '✓ Browser closed'

export const commands: Readonly<Record<string, Command>> = {
  open,
  goto: open,
  navigate: open,
  back: moved('goBack'),
  forward: moved('goForward'),
  reload: moved('reload'),
  snapshot,
  click: onElement('click'),
  dblclick: onElement('dblclick'),
  hover: onElement('hover'),
  focus: onElement('focus'),
  check: onElement('check'),
  uncheck: onElement('uncheck'),
  scrollintoview: onElement('scrollIntoViewIfNeeded'),
  fill: withText('fill'),
  type: withText('type'),
  press,
  key: press,
  keyboard,
  select,
  scroll,
  wait,
  get: query,
  is: query,
  find,
  screenshot,
  pdf,
  eval: evaluate,
  tab,
  cookies,
  set,
  close,
  quit: close,
  exit: close,
}
