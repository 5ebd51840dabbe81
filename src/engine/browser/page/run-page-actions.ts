import { setTimeout as sleep } from 'node:timers/promises'
import { Script } from 'node:vm'
import type { ActionResults, PageAction } from '../../../contracts/render-port.ts'
import { failure } from '../../../kernel/error.ts'
import { DeadlineError, poll, withDeadline } from '../../../util/async.ts'
import { CdpError } from '../cdp/cdp-session.ts'
import type { Metrics } from '../emulation/emulate.ts'
import { findKey } from '../input/mouse-and-keyboard.ts'
import { isNavigationError, PageError } from '../world/isolated-world.ts'
import { inPage } from '../acts/call-page.ts'
import { forceClick } from '../acts/press.ts'
import { ActionError } from '../acts/tab-frames.ts'
import { capture, takeScreenshot } from './capture-page.ts'
import type { Tab } from './tab.ts'
import { waitUntilStable } from './wait-until-stable.ts'

type ActionOf<T extends PageAction['type']> = Extract<PageAction, { type: T }>
type ActionHandler<T extends PageAction['type']> = (
  context: { tab: Tab; metrics: Metrics },
  action: ActionOf<T>,
  signal: AbortSignal,
) => Promise<Partial<{ [K in keyof ActionResults]: ActionResults[K][number] }>>

const actionMs = 30_000
const selectorMs = 10_000
const maxHtml = 20_000_000

/** The handler of each type of action. A missing type does not compile. */
const handlers: { [T in PageAction['type']]: ActionHandler<T> } = {
  wait: async ({ tab }, { milliseconds, selector }, signal) => {
    if (selector === undefined) await sleep(milliseconds ?? 0, undefined, { signal })
    else await waitForElements(tab, selector, 'first', signal)
    return {}
  },
  click: async ({ tab }, { selector, all }, signal) => {
    const opened = await clickAndWait(tab, await waitForElements(tab, selector, all ? 'all' : 'first', signal), signal)
    if (opened === undefined) return {}
    // Opens the URL of a new window in this one.
    await tab.session.send('Page.navigate', { url: opened }, signal)
    return waitAfterAction(tab, signal)
  },
  write: async ({ tab }, { text }, signal) => {
    if (!(await tab.call('hasFocus', [], signal))) nothingFocused()
    await tab.keyboard.write(text, signal)
    return waitAfterAction(tab, signal)
  },
  press: async ({ tab }, { key }, signal) => {
    await tab.keyboard.press(findKey(key) ?? unknownKey(), signal)
    return waitAfterAction(tab, signal)
  },
  scroll: async ({ tab }, { direction, selector }, signal) => {
    const screens = direction === 'up' ? -1 : 1
    if (selector === undefined) await inPage(tab, 'scrollAround', [0, screens], signal)
    else {
      const { refs } = await waitForElements(tab, selector, 'placed', signal)
      for (const ref of refs) await inPage(tab, 'scrollInside', [ref, screens], signal)
    }
    return waitAfterAction(tab, signal)
  },
  screenshot: async ({ tab, metrics }, shot, signal) => ({
    screenshots: await takeScreenshot(tab, shot, metrics, signal),
  }),
  scrape: async ({ tab }, _, signal) => {
    const { html, url } = await capture(tab, maxHtml, signal)
    return { scrapes: { url, html } }
  },
  executeJavascript: async ({ tab }, { script }, signal) => {
    const javascriptReturns = await runScript(tab, script, signal)
    await waitAfterAction(tab, signal)
    return { javascriptReturns }
  },
  pdf: async ({ tab }, action, signal) => ({ pdfs: await printPdf(tab, action, signal) }),
}

/** Runs the actions in order. The details of SCRAPE_ACTION_ERROR contain the earlier results. */
export async function runActions(tab: Tab, actions: readonly PageAction[], metrics: Metrics, signal: AbortSignal) {
  const results: ActionResults = { screenshots: [], scrapes: [], javascriptReturns: [], pdfs: [] }
  for (const [index, action] of actions.entries()) {
    try {
      tab.traffic.expectRequests()
      const result = await withDeadline({ step: action.type, ms: limitOf(action) }, signal, (within) =>
        (handlers[action.type] as ActionHandler<typeof action.type>)({ tab, metrics }, action as never, within),
      )
      for (const [kind, value] of Object.entries(result))
        (results[kind as keyof ActionResults] as unknown[]).push(value)
    } catch (error) {
      throw signal.aborted ? error : actionError(error, index, action, results)
    }
  }
  return results
}

const limitOf = (action: PageAction) => (action.type === 'wait' ? (action.milliseconds ?? selectorMs) + 5000 : actionMs)

function actionError(error: unknown, index: number, { type }: PageAction, results: ActionResults): unknown {
  const reason = reasonOf(error, type)
  if (reason === undefined) return error
  return failure('SCRAPE_ACTION_ERROR', {
    message: `actions[${index}] (${type}) failed: ${reason}`,
    details: { index, type, reason, actions: results },
    cause: error,
  })
}

/** Returns a message without page text, which errors may contain. Undefined for errors unrelated to the action. */
function reasonOf(error: unknown, type: PageAction['type']): string | undefined {
  if (error instanceof ActionError) return error.message
  if (error instanceof DeadlineError) return `It did not end within ${error.ms} ms.`
  if (!(error instanceof PageError)) return undefined
  return type === 'executeJavascript' ? 'The script threw an error.' : 'The selector is not valid.'
}

type Matches = { refs: readonly number[]; postsForm: boolean }

/** Waits until a visible element matches. Fails with an ActionError, or a PageError for an invalid selector. */
async function waitForElements(tab: Tab, selector: string, which: 'first' | 'all' | 'placed', signal: AbortSignal) {
  let isHidden = false
  const found = await poll(selectorMs, signal, async () => {
    const matches = await inPage(tab, 'matchElements', [selector, which], signal)
    isHidden = matches.isHidden
    return matches.refs.length > 0 ? matches : undefined
  })
  if (found) return found
  throw new ActionError(
    isHidden ? 'The element that matches the selector is not visible.' : 'No element matches the selector.',
  )
}

/** Clicks, and returns the URL of a window that opened; undefined for a posted form, which must not be sent again. */
async function clickAndWait(tab: Tab, { refs, postsForm }: Matches, signal: AbortSignal): Promise<string | undefined> {
  const before = tab.windows.urls()
  for (const ref of refs) await forceClick(tab, ref, signal)
  await waitAfterAction(tab, signal)
  return postsForm ? undefined : tab.windows.urls().find((url) => /^https?:/.test(url) && !before.includes(url))
}

const unknownKey = (): never => {
  throw new ActionError('Unknown key; use a name such as Enter, Tab, ArrowDown or a single character.')
}

const nothingFocused = (): never => {
  throw new ActionError('No element has the focus, so the text would go nowhere; click a field first.')
}

async function waitAfterAction(tab: Tab, signal: AbortSignal): Promise<Record<string, never>> {
  await waitUntilStable(tab, { quietMs: 150, staticQuietMs: 50, maxMs: 3000 }, signal)
  return {}
}

type ScriptResult = ActionResults['javascriptReturns'][number]

/** Runs a caller's script as an expression or async body, and returns its value as JSON. Fails with a PageError. */
async function runScript(tab: Tab, script: string, signal: AbortSignal): Promise<ScriptResult> {
  const expression = script.trim().replace(/;+$/, '')
  const body = compiles(`(async () => (${expression}\n))`) ? `return (${expression}\n)` : script
  try {
    return await tab.evaluate(
      `(async () => (${toScriptResult.toString()})(await (async () => {${body}\n})()))()`,
      signal,
    )
  } catch (error) {
    if (isNavigationError(error)) return { type: 'undefined', value: null }
    throw error
  }
}

/** Compiles the code here without running it: in the page, the site's Content-Security-Policy may forbid it. */
function compiles(code: string): boolean {
  try {
    return new Script(code) instanceof Script
  } catch {
    return false
  }
}

/** Runs in the page. */
function toScriptResult(value: unknown): ScriptResult {
  if (value === undefined) return { type: 'undefined', value: null }
  const type = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
  if (type === 'function' || type === 'symbol' || type === 'bigint') return { type, value: String(value) }
  // JSON cannot express NaN and infinity.
  if (type === 'number' && !Number.isFinite(value)) return { type, value: String(value) }
  return { type, value: JSON.parse(JSON.stringify(value) ?? 'null') }
}

type PdfAction = Extract<PageAction, { type: 'pdf' }>

/** Width and height of paper in inches (ISO 216; ANSI): portrait, except Ledger. */
const papers =
  'A0 33.1 46.8, A1 23.4 33.1, A2 16.5 23.4, A3 11.7 16.5, A4 8.27 11.7, A5 5.83 8.27, A6 4.13 5.83, Letter 8.5 11, Legal 8.5 14, Tabloid 11 17, Ledger 17 11'

async function printPdf({ session }: Tab, { format, landscape, scale }: PdfAction, signal: AbortSignal) {
  const [paperWidth = 8.5, paperHeight = 11] = papers.match(`${format} ([^ ]+) ([^,]+)`)?.slice(1).map(Number) ?? []
  const { data } = await session
    .send('Page.printToPDF', { landscape, scale, paperWidth, paperHeight, printBackground: true }, signal)
    .catch((error: unknown) => {
      if (!(error instanceof CdpError) || error.why !== 'refused') throw error
      throw new ActionError('The browser could not print the page; a smaller scale or a larger format may help.')
    })
  return `data:application/pdf;base64,${data}`
}
