import type { Protocol } from 'devtools-protocol'
import type { Step } from '../../page-script/code/find.ts'
import type { createActions, InputDevices } from './actions.ts'
import type { PageCore, PageOwner } from './core.ts'
import { eventMethods } from './emitter.ts'
import { rejectUnknown } from './errors.ts'
import { evaluateGiven, resultOf, valueOf } from './evaluate.ts'
import { evaluateOn, findAll, findOne, handleOf } from './handle.ts'
import { createInput, pause } from './input.ts'
import { createBuilders, createLocator, type Locator, untilGone } from './locator.ts'
import { createNavigation } from './navigation.ts'
import { type PdfOptions, printPdf, screenshot, type ScreenshotOptions } from './screenshot.ts'
import { parseSelector } from './steps.ts'
import { poll, type Target, type TimeLimit } from './target.ts'

type Fn = string | (() => unknown)
type Actions = ReturnType<typeof createActions>
type Queries = Pick<
  Locator,
  | 'textContent'
  | 'innerText'
  | 'innerHTML'
  | 'inputValue'
  | 'getAttribute'
  | 'isVisible'
  | 'isHidden'
  | 'isChecked'
  | 'isEnabled'
  | 'isDisabled'
  | 'isEditable'
>
type OfElement = Omit<
  Actions,
  'screenshot' | 'blur' | 'clear' | 'pressSequentially' | 'selectText' | 'scrollIntoViewIfNeeded'
> &
  Queries
/** `page.click(selector, …)` for each `locator.click(…)`. */
type BySelector = {
  [K in keyof OfElement]: (selector: string, ...rest: Parameters<OfElement[K]>) => ReturnType<OfElement[K]>
}

const bySelector = (
  'click dblclick tap hover fill type press check uncheck setChecked selectOption focus dispatchEvent ' +
  'textContent innerText innerHTML inputValue getAttribute isVisible isHidden isChecked isEnabled isDisabled isEditable'
).split(' ') as (keyof OfElement)[]

/** Pages carry their state under this key, which code cannot reach. */
export const coreOf = Symbol('core')
export type Page = ReturnType<typeof createPage>

/** The part of Playwright's Page that agents use most (https://playwright.dev/docs/api/class-page). */
export function createPage(core: PageCore, context: () => PageOwner) {
  const devices: InputDevices = createInput(core)
  const locate = (steps: readonly Step[], saying: string, which: Target['which'] = 'only') =>
    createLocator({ core, steps, which, saying }, devices)
  const whole: Target = { core, steps: [], which: 'first', saying: 'the page' }
  const first = (selector: string) => locate(parseSelector(selector), `locator('${selector}')`, 'first')
  watchConsole(core)
  const page = {
    [coreOf]: core,
    ...createBuilders(locate),
    ...createNavigation(core),
    ...elementMethods(first),
    ...createEvaluation(core, devices),
    ...eventMethods(core.events, () => core.timeouts.action),
    ...devices,
    $: (selector: string) => findOne(whole, selector, devices),
    $$: (selector: string) => findAll(whole, selector, devices),
    $eval: (selector: string, fn: Fn, argument?: unknown) =>
      evaluateOn(whole, selector, fn, argument, 'first', devices),
    $$eval: (selector: string, fn: Fn, argument?: unknown) =>
      evaluateOn(whole, selector, fn, argument, 'elements', devices),
    async waitForSelector(selector: string, options: Parameters<Locator['waitFor']>[0] = {}) {
      const { state = 'visible', timeout } = options
      if (state === 'hidden' || state === 'detached') {
        await untilGone({ ...whole, steps: parseSelector(selector), saying: `locator('${selector}')` }, state, timeout)
        return null
      }
      await first(selector).waitFor(options)
      return page.$(selector)
    },
    waitForTimeout: pause,
    async screenshot(options: ScreenshotOptions = {}) {
      return screenshot(await core.session(), options)
    },
    async pdf(options: PdfOptions = {}) {
      return printPdf(await core.session(), options)
    },
    async setViewportSize({ width, height }: { width: number; height: number }) {
      await (
        await core.session()
      ).send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 0, mobile: false })
    },
    viewportSize: () => null,
    async bringToFront() {
      await (await core.session()).send('Page.bringToFront', {})
    },
    async close() {
      await context().closeTarget(core.targetId)
    },
    url: () => core.url(),
    isClosed: () => core.isClosed(),
    context,
    setDefaultTimeout: (ms: number) => void Object.assign(core.timeouts, { action: ms, navigation: ms }),
    setDefaultNavigationTimeout: (ms: number) => void Object.assign(core.timeouts, { navigation: ms }),
    toString: () => `Page(${core.url()})`,
  }
  return rejectUnknown('page', page)
}

function elementMethods(first: (selector: string) => Locator): BySelector {
  const method =
    (name: keyof OfElement) =>
    (selector: string, ...rest: unknown[]) =>
      (first(selector)[name] as (...given: unknown[]) => unknown)(...rest)
  return Object.fromEntries(bySelector.map((name) => [name, method(name)])) as BySelector
}

function createEvaluation(core: PageCore, devices: InputDevices) {
  const evaluate = async (fn: Fn, argument?: unknown): Promise<unknown> =>
    valueOf(await evaluateGiven(await core.session(), fn, [argument], 'value').catch(prefixed))
  return {
    evaluate,
    evaluateHandle: async (fn: Fn, argument?: unknown) =>
      handleOf(core, resultOf(await evaluateGiven(await core.session(), fn, [argument], 'handle')), devices),
    waitForFunction: (fn: Fn, argument?: unknown, { timeout }: TimeLimit = {}) =>
      poll('page.waitForFunction', timeout ?? core.timeouts.action, async () => {
        const value = await evaluate(fn, argument)
        return value ? { found: value } : { why: 'the function has not returned a truthy value' }
      }),
    title: async () => String(await evaluate('document.title')),
    content: async () =>
      String(
        await evaluate(
          '(document.doctype ? new XMLSerializer().serializeToString(document.doctype) : "") + document.documentElement.outerHTML',
        ),
      ),
    async setContent(html: string) {
      await evaluate(`(html) => { document.open(); document.write(html); document.close() }`, html)
      await poll('page.setContent', core.timeouts.navigation, async () =>
        (await evaluate('document.readyState')) === 'complete' ? { found: true } : { why: 'the content is loading' },
      )
    },
    async addScriptTag({ content = '' }: { content?: string }) {
      await evaluate(
        `(text) => { const script = document.createElement('script'); script.textContent = text; document.head.append(script) }`,
        content,
      )
    },
    async addStyleTag({ content = '' }: { content?: string }) {
      await evaluate(
        `(text) => { const style = document.createElement('style'); style.textContent = text; document.head.append(style) }`,
        content,
      )
    },
    async addInitScript(script: Fn | { content: string }, argument?: unknown) {
      const source =
        typeof script === 'function'
          ? `(${String(script)})(${JSON.stringify(argument)})`
          : typeof script === 'string'
            ? script
            : script.content
      await (await core.session()).send('Page.addScriptToEvaluateOnNewDocument', { source })
    },
  }
}

function prefixed(thrown: unknown): never {
  throw thrown instanceof Error ? Object.assign(thrown, { message: `page.evaluate: ${thrown.message}` }) : thrown
}

/** Enables console events at the first listener: they slow the page down. */
function watchConsole(core: PageCore): void {
  let isWatching = false
  const { on } = core.events
  const start = async () => {
    if (isWatching) return
    isWatching = true
    const session = await core.session()
    // Earlier messages are replayed first.
    const since = Date.now()
    session.on('Runtime.consoleAPICalled', ({ type, args, timestamp }) => {
      if (timestamp >= since) core.events.emit('console', message(type === 'warning' ? 'warning' : type, args))
    })
    session.on('Runtime.exceptionThrown', ({ timestamp, exceptionDetails }) => {
      if (timestamp < since) return
      core.events.emit('pageerror', new Error(exceptionDetails.exception?.description ?? exceptionDetails.text))
    })
    await session.send('Runtime.enable', {})
  }
  core.events.on = (event, listener) => {
    on(event, listener)
    if (event === 'console' || event === 'pageerror') void start().catch(() => undefined)
  }
}

const message = (type: string, args: readonly Protocol.Runtime.RemoteObject[]) => ({
  type: () => type,
  text: () => args.map(shown).join(' '),
  args: () => args.map(shown),
  location: () => ({}),
})

const shown = ({ type, value, unserializableValue, description }: Protocol.Runtime.RemoteObject) =>
  type === 'string' || type === 'number' || type === 'boolean' || value === null
    ? String(unserializableValue ?? value)
    : (description ?? type)
