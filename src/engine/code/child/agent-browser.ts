import type { BrowserContext, Locator, Page } from 'playwright-core'
import { outlineOf, passwordsOf } from './outline-of.ts'

/** One command of agent-browser, with the time limit in ms for each of its steps. */
export type CommandCall = { id: string; args: readonly string[]; input: string; timeoutMs: number }
export type CommandResult = {
  exitCode: number
  stdout: string
  stderr: string
  /** File to be written by the caller, inside the sandbox of the code. */
  file?: { path: string; base64: string }
}
export type CommandState = {
  context: BrowserContext
  page: Page
  /** Playwright's refs of the elements in the last snapshot; `@e1` is the first. */
  refs: readonly string[]
}

type CommandOutput = string | { text: string; file?: { path: string; bytes: Buffer }; data?: unknown }
type CommandScope = Arguments & { page: Page; context: BrowserContext; state: CommandState; input: string }

/** An invalid command; the message is for the author of the code. */
class CommandError extends Error {
  override readonly name = 'CommandError'
}

type Arguments = { words: readonly string[]; options: ReadonlyMap<string, string> }

/** Options with a value; all others are flags. */
const withValue = new Set(
  'depth selector text url load fn timeout name quality session viewport-width viewport-height domain path'.split(' '),
)
const longNames: Readonly<Record<string, string>> = {
  i: 'interactive',
  c: 'compact',
  d: 'depth',
  s: 'selector',
  n: 'name',
  f: 'full',
}

function parseArguments(given: readonly string[]): Arguments {
  const words: string[] = []
  const options = new Map<string, string>()
  let isPlain = false
  for (let at = 0; at < given.length; at++) {
    const word = given[at]!
    const [, written, value] = (isPlain ? undefined : /^--?([a-z][\w-]*)(?:=([\s\S]*))?$/.exec(word)) ?? []
    if (!isPlain && word === '--') isPlain = true
    else if (written === undefined) words.push(word)
    else {
      const name = longNames[written] ?? written
      const takesNext = value === undefined && withValue.has(name)
      options.set(name, value ?? (takesNext ? (given[++at] ?? '') : ''))
    }
  }
  return { words, options }
}

async function elementOf({ page, state }: CommandScope, word: string): Promise<Locator> {
  const ref = /^(?:@|ref=)?e(\d+)$/.exec(word)?.[1]
  if (ref === undefined) return page.locator(word).first()
  const known = state.refs[Number(ref) - 1]
  const element = known === undefined ? undefined : page.getByRef(known)
  if (element && (await element.count()) > 0) return element
  throw new CommandError(`Element @e${ref} is not known or gone. Run "agent-browser snapshot -i" for new references.`)
}

const exactly = (options: ReadonlyMap<string, string>) => ({ exact: options.has('exact') })

const locators: Readonly<Record<string, (page: Page, value: string, options: ReadonlyMap<string, string>) => Locator>> =
  {
    role: (page, value, options) =>
      page.getByRole(value as Parameters<Page['getByRole']>[0], {
        ...exactly(options),
        ...(options.has('name') && { name: options.get('name')! }),
      }),
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
  const locate = Object.hasOwn(locators, kind) ? locators[kind] : undefined
  if (!locate && !isNth) throw new CommandError(`Use one of: ${Object.keys(locators).join(' ')} nth.`)
  const value = requiredWord(rest, isNth ? 1 : 0, 'value')
  const [action = 'click', ...given] = rest.slice(isNth ? 2 : 1)
  const locator = locate ? locate(page, value, options).first() : page.locator(value).nth(numberOf(rest[0], 0))
  return act(locator, action, given.join(' '))
}

async function act(locator: Locator, action: string, text: string): Promise<CommandOutput> {
  if (action === 'text') return locator.innerText()
  if (action === 'fill') await locator.fill(text)
  else if (action === 'type') await locator.pressSequentially(text)
  else if (action === 'click' || action === 'dblclick' || action === 'hover' || action === 'focus')
    await locator[action]()
  else if (action === 'check' || action === 'uncheck') await locator[action]()
  else
    throw new CommandError(
      `Unknown action ${action}. Use one of: click dblclick fill type hover focus check uncheck text.`,
    )
  return done
}

type Query = (scope: CommandScope, selector: () => string) => Promise<unknown>

const elementQuery =
  (read: (element: Locator, scope: CommandScope) => Promise<unknown>): Query =>
  async (scope, selector) =>
    read(await elementOf(scope, selector()), scope)

const queries: Readonly<Record<string, Query>> = {
  title: ({ page }) => page.title(),
  url: async ({ page }) => page.url(),
  text: elementQuery((element) => element.innerText()),
  html: elementQuery((element) => element.innerHTML()),
  value: elementQuery((element) => element.inputValue()),
  attr: elementQuery((element, { words }) => element.getAttribute(requiredWord(words, 2, 'attribute name'))),
  box: elementQuery((element) => element.boundingBox()),
  count: ({ page }, selector) => page.locator(selector()).count(),
  visible: elementQuery((element) => element.isVisible()),
  enabled: elementQuery((element) => element.isEnabled()),
  checked: elementQuery((element) => element.isChecked()),
}

/** `get text @e1`, `is visible .menu`. Without a selector, `text` and `html` apply to the whole page. */
async function query(scope: CommandScope): Promise<CommandOutput> {
  const [what = ''] = scope.words
  if (!Object.hasOwn(queries, what)) throw new CommandError(`Use one of: ${Object.keys(queries).join(' ')}.`)
  const isOfPage = what === 'text' || what === 'html'
  const selector = () => scope.words[1] ?? (isOfPage ? 'body' : requiredWord(scope.words, 1, 'selector or @ref'))
  const value = await queries[what]!(scope, selector)
  return { text: typeof value === 'string' ? value : JSON.stringify(value ?? null), data: { [what]: value ?? null } }
}

async function wait(scope: CommandScope): Promise<string> {
  const { page, words, options } = scope
  const limit = timeoutOf(scope)
  const text = options.get('text')
  const url = options.get('url')
  const load = options.get('load')
  const fn = options.get('fn')
  if (text !== undefined) await page.getByText(text).first().waitFor(limit)
  else if (url !== undefined) await page.waitForURL(url, limit)
  else if (load !== undefined) await page.waitForLoadState(load as 'load' | 'domcontentloaded' | 'networkidle', limit)
  else if (fn !== undefined) await page.waitForFunction(fn, undefined, limit)
  else {
    const word = requiredWord(words, 0, 'selector, @ref or milliseconds')
    if (/^\d+$/.test(word)) await page.waitForTimeout(Number(word))
    else if (word.startsWith('@')) await elementOf(scope, word)
    else await page.locator(word).first().waitFor(limit)
  }
  return done
}

async function snapshot({ page, state, options }: CommandScope): Promise<CommandOutput> {
  const { text, refs } = await outlineOf(page.locator(options.get('selector') ?? 'body').first(), {
    isInteractive: options.has('interactive'),
    isCompact: options.has('compact'),
    maxDepth: numberOf(options.get('depth'), 100),
    secrets: await passwordsOf(page),
  })
  state.refs = refs
  return { text: text === '' ? '(no interactive elements)' : text, data: { snapshot: text } }
}

/** `tab` lists the tabs; `tab new [URL]`, `tab 2`, `tab close [2]`. Indexes start at 0; `t1` is also the first tab. */
async function tab(scope: CommandScope): Promise<CommandOutput> {
  const { page, context, state, words } = scope
  const [what = 'list', word] = words
  const pages = context.pages()
  const at = (given: string) => {
    const index = /^t\d+$/.test(given) ? Number(given.slice(1)) - 1 : Number(given)
    const match = pages[index]
    if (!match) throw new CommandError(`There is no tab ${given}.`)
    return match
  }
  if (what === 'list') {
    const rows = await Promise.all(
      pages.map(async (each, index) => `${each === page ? '→' : ' '} [${index}] ${await each.title()} - ${each.url()}`),
    )
    return rows.join('\n')
  }
  if (what === 'new') {
    const opened = await context.newPage()
    state.page = opened
    if (word !== undefined) await opened.goto(addressOf(word))
    return done
  }
  if (what === 'close') {
    const closing = word === undefined ? page : at(word)
    await closing.close()
    return done
  }
  const chosen = at(what)
  state.page = chosen
  await chosen.bringToFront()
  return `✓ ${await chosen.title()}\n  ${chosen.url()}`
}

/** `cookies`, `cookies set NAME VALUE`, `cookies clear`. */
async function cookies({ page, context, words: [what = 'get', name, ...value] }: CommandScope): Promise<CommandOutput> {
  if (what === 'clear' || what === 'set') {
    if (what === 'clear') await context.clearCookies()
    else if (name) await context.addCookies([{ name, value: value.join(' '), url: page.url() }])
    else throw new CommandError('Missing name.')
    return done
  }
  const all = await context.cookies(page.url())
  return { text: all.map((each) => `${each.name}=${each.value}`).join('\n'), data: { cookies: all } }
}

type Command = (scope: CommandScope) => Promise<CommandOutput>
const done = '✓ Done'

/** Adds `https://` to a URL without a scheme. */
const addressOf = (word: string) => (/^[a-z][a-z\d+.-]*:(?!\d)/i.test(word) ? word : `https://${word}`)

async function titleAndUrl(scope: CommandScope): Promise<string> {
  return `✓ ${await scope.page.title()}\n  ${scope.page.url()}`
}

const open: Command = async (scope) => {
  await scope.page.goto(addressOf(requiredWord(scope.words, 0, 'URL')), timeoutOf(scope))
  return titleAndUrl(scope)
}
const timeoutOf = ({ options }: CommandScope) =>
  options.has('timeout') ? { timeout: numberOf(options.get('timeout'), 30_000) } : {}

type ElementAction = 'click' | 'dblclick' | 'hover' | 'focus' | 'check' | 'uncheck' | 'scrollIntoViewIfNeeded'
const command =
  (run: (scope: CommandScope) => Promise<unknown>): Command =>
  async (scope) => {
    await run(scope)
    return done
  }
const namedElement = (scope: CommandScope) => elementOf(scope, requiredWord(scope.words, 0, 'selector or @ref'))
const onElement = (name: ElementAction) => command(async (scope) => (await namedElement(scope))[name](timeoutOf(scope)))
const withText = (name: 'fill' | 'type') =>
  command(async (scope) => (await namedElement(scope))[name](scope.words.slice(1).join(' '), timeoutOf(scope)))

const press = command(({ page, words }) => page.keyboard.press(requiredWord(words, 0, 'key')))

const keyboard = command(async ({ page, words: [how, ...rest] }) => {
  if (how === 'type') await page.keyboard.type(rest.join(' '))
  else if (how === 'inserttext') await page.keyboard.insertText(rest.join(' '))
  else throw new CommandError('Usage: keyboard type|inserttext TEXT')
})

const select = command(async (scope) => {
  const element = await namedElement(scope)
  requiredWord(scope.words, 1, 'value')
  await element.selectOption(scope.words.slice(1), timeoutOf(scope))
})

const directions = new Map([
  ['up', [0, -1]],
  ['down', [0, 1]],
  ['left', [-1, 0]],
  ['right', [1, 0]],
])

const scroll = command(async ({ page, words: [direction = 'down', distance] }) => {
  const way = directions.get(direction)
  if (!way) throw new CommandError('Usage: scroll up|down|left|right [PIXELS]')
  const pixels = numberOf(distance, 300)
  await page.evaluate(
    ([x, y]) => scrollBy(x!, y!),
    way.map((sign) => sign * pixels),
  )
})

const screenshot: Command = async ({ page, words, options }) => {
  const path = words[0] ?? `/tmp/screenshot-${Date.now()}.png`
  const type = /\.jpe?g$/i.test(path) ? 'jpeg' : 'png'
  const bytes = await page.screenshot({ fullPage: options.has('full'), type })
  return { text: `✓ Screenshot saved to ${path}`, file: { path, bytes }, data: { path } }
}

const pdf: Command = async ({ page, words }) => {
  const path = requiredWord(words, 0, 'path')
  return { text: `✓ PDF saved to ${path}`, file: { path, bytes: await page.pdf() }, data: { path } }
}

function requiredWord(words: readonly string[], index: number, what: string): string {
  const word = words[index]
  if (word === undefined) throw new CommandError(`Missing ${what}.`)
  return word
}

const evaluate: Command = async ({ page, words, options, input }) => {
  const given = options.has('stdin') ? input : words.join(' ')
  const source = options.has('base64') || options.has('b') ? Buffer.from(given, 'base64').toString() : given
  const value = await page.evaluate(source)
  return { text: JSON.stringify(value, null, 2) ?? 'undefined', data: { result: value ?? null } }
}

const set = command(async ({ page, words: [what, width, height] }) => {
  if (what !== 'viewport') throw new CommandError('Only "set viewport WIDTH HEIGHT" is built in.')
  await page.setViewportSize({ width: numberOf(width, 1280), height: numberOf(height, 720) })
})

function numberOf(word: string | undefined, otherwise: number): number {
  if (word === undefined || word === '') return otherwise
  const number = Number(word)
  if (!Number.isFinite(number)) throw new CommandError(`${word} is not a number.`)
  return number
}

const navigation =
  (name: 'goBack' | 'goForward' | 'reload'): Command =>
  async (scope) => {
    await scope.page[name](timeoutOf(scope))
    return titleAndUrl(scope)
  }

/** Leaves the session open, because only the caller that opened it may close it. */
const close: Command = async () => '✓ Browser closed'

const commands: Readonly<Record<string, Command>> = {
  open,
  goto: open,
  navigate: open,
  back: navigation('goBack'),
  forward: navigation('goForward'),
  reload: navigation('reload'),
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

const help = `Commands: ${Object.keys(commands).join(' ')}`

/** Runs one agent-browser command (https://github.com/vercel-labs/agent-browser). A failed command does not reject. */
export async function runCommand(state: CommandState, given: readonly string[], input: string): Promise<CommandResult> {
  const parsed = parseArguments(given)
  const isJson = parsed.options.has('json')
  const [name = '', ...words] = parsed.words
  if (name === '' || name === 'help') return resultOf(help, name === '' ? 1 : 0)
  try {
    if (!Object.hasOwn(commands, name)) throw new CommandError(`Unknown command: ${name}. ${help}`)
    const { context } = state
    if (state.page.isClosed()) state.page = context.pages().at(-1) ?? (await context.newPage())
    const output = await commands[name]!({ ...parsed, words, page: state.page, context, state, input })
    return shownOf(output, isJson)
  } catch (thrown) {
    const message = thrown instanceof Error ? thrown.message : String(thrown)
    return resultOf(isJson ? JSON.stringify({ success: false, error: message }) : `✗ ${message}`, 1)
  }
}

function shownOf(output: CommandOutput, isJson: boolean): CommandResult {
  const shown = typeof output === 'string' ? { text: output } : output
  const { text, file, data = text } = { file: undefined, data: undefined, ...shown }
  const result = resultOf(isJson ? JSON.stringify({ success: true, data }) : text, 0)
  return file ? { ...result, file: { path: file.path, base64: file.bytes.toString('base64') } } : result
}

function resultOf(text: string, exitCode: 0 | 1): CommandResult {
  const ended = text === '' || text.endsWith('\n') ? text : `${text}\n`
  return exitCode === 0 ? { exitCode, stdout: ended, stderr: '' } : { exitCode, stdout: '', stderr: ended }
}
