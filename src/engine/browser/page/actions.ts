import { setTimeout as sleep } from 'node:timers/promises'
import { Script } from 'node:vm'
import type { ActionResults, PageAction } from '../../../contracts/render.ts'
import { failure } from '../../../kernel/error.ts'
import { DeadlineError, withDeadline } from '../../../util/deadline.ts'
import type { Metrics } from '../emulation/emulate.ts'
import { findKey } from '../input/keys.ts'
import { StepError } from './action-error.ts'
import { capture } from './capture.ts'
import { clickChosenElements, waitForElements } from './click.ts'
import { hasLeft } from '../world/isolated-world.ts'
import { printPdf } from './print-pdf.ts'
import { takeScreenshot } from './screenshot.ts'
import { settle } from './settle.ts'
import { PageError, type Tab } from './tab.ts'

type ActionOf<T extends PageAction['type']> = Extract<PageAction, { type: T }>
type Made = Partial<{ [K in keyof ActionResults]: ActionResults[K][number] }>
/** The tab, and the size that its page is shown in. */
type Stage = { tab: Tab; metrics: Metrics }
type Step<T extends PageAction['type']> = (stage: Stage, action: ActionOf<T>, signal: AbortSignal) => Promise<Made>

/** Time for one step, ms; a wait brings its own. */
const stepMs = 30_000
const selectorMs = 10_000
const maxHtml = 20_000_000

/** How each kind of step is done. A kind that is missing here does not compile. */
const steps: { [T in PageAction['type']]: Step<T> } = {
  wait: async ({ tab }, { milliseconds, selector }, signal) => {
    if (selector === undefined) await sleep(milliseconds ?? 0, undefined, { signal })
    else await waitForElements(tab, selector, 'first', selectorMs, signal)
    return {}
  },
  click: async ({ tab }, { selector, all }, signal) => {
    const count = await waitForElements(tab, selector, all ? 'all' : 'first', selectorMs, signal)
    const opened = await clickAndRest(tab, count, signal)
    if (opened === undefined) return {}
    // As if the link led on in the same window.
    await tab.session.send('Page.navigate', { url: opened }, signal)
    return rested(tab, signal)
  },
  write: async ({ tab }, { text }, signal) => {
    await tab.keyboard.write(text, signal)
    return rested(tab, signal)
  },
  press: async ({ tab }, { key }, signal) => {
    await tab.keyboard.press(findKey(key) ?? unknownKey(), {}, signal)
    return rested(tab, signal)
  },
  scroll: async ({ tab }, { direction, selector }, signal) => {
    if (selector === undefined) await tab.call('scrollPage', [direction], signal)
    else {
      await waitForElements(tab, selector, 'first', selectorMs, signal)
      await tab.call('scrollMatch', [direction], signal)
    }
    return rested(tab, signal)
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
    await rested(tab, signal)
    return { javascriptReturns }
  },
  pdf: async ({ tab }, action, signal) => ({ pdfs: await printPdf(tab, action, signal) }),
}

/**
 * Does the steps in order. Fails with SCRAPE_ACTION_ERROR, whose details name the step and hold what the steps before it
 * made.
 */
export async function runActions(
  tab: Tab,
  actions: readonly PageAction[],
  metrics: Metrics,
  signal: AbortSignal,
): Promise<ActionResults> {
  const results: ActionResults = { screenshots: [], scrapes: [], javascriptReturns: [], pdfs: [] }
  for (const [index, action] of actions.entries()) {
    try {
      const made = await withDeadline({ step: action.type, ms: limitOf(action) }, signal, (within) =>
        (steps[action.type] as Step<typeof action.type>)({ tab, metrics }, action as never, within),
      )
      for (const [kind, value] of Object.entries(made)) (results[kind as keyof ActionResults] as unknown[]).push(value)
    } catch (error) {
      throw signal.aborted ? error : stepFailure(error, index, action, results)
    }
  }
  return results
}

const limitOf = (action: PageAction) => (action.type === 'wait' ? (action.milliseconds ?? selectorMs) + 5000 : stepMs)

function stepFailure(error: unknown, index: number, { type }: PageAction, made: ActionResults): unknown {
  const reason = reasonOf(error, type)
  if (reason === undefined) return error
  return failure('SCRAPE_ACTION_ERROR', {
    message: `actions[${index}] (${type}) failed: ${reason}`,
    details: { index, type, reason, actions: made },
    cause: error,
  })
}

/** Only the page that a script was sent to speaks through its errors; everything else is told in words of ours. */
function reasonOf(error: unknown, type: PageAction['type']): string | undefined {
  if (error instanceof StepError) return error.message
  if (error instanceof DeadlineError) return `It did not end within ${error.ms} ms.`
  if (!(error instanceof PageError)) return undefined
  return type === 'executeJavascript' ? 'The script threw an error.' : 'The selector is not valid.'
}

/**
 * The address of the window that the click has opened, if there is any: what the page opens without a click is asked for
 * before it too. What a form posts there cannot be sent twice.
 */
async function clickAndRest(tab: Tab, count: number, signal: AbortSignal): Promise<string | undefined> {
  const posts = await tab.call('matchSubmitsPost', [], signal)
  const before = tab.windows.asked()
  await clickChosenElements(tab, count, signal)
  await rested(tab, signal)
  return posts ? undefined : tab.windows.asked().find((url) => /^https?:/.test(url) && !before.includes(url))
}

const unknownKey = (): never => {
  throw new StepError('There is no such key; use a name such as Enter, Tab, ArrowDown or a single character.')
}

/** What a step sets in motion comes to rest before the next one, if it does so soon. */
async function rested(tab: Tab, signal: AbortSignal): Promise<Record<string, never>> {
  await settle(tab, { quietMs: 150, staticQuietMs: 50, maxMs: 3000 }, signal)
  return {}
}

type Returned = ActionResults['javascriptReturns'][number]

/**
 * Runs a script of the caller in the page and takes its value by its JSON form. A lone expression is its own value;
 * anything else is the body of an async function, with `return` and `await`. Throws PageError for what the script throws.
 * A script that makes the page go elsewhere has no value.
 */
async function runScript(tab: Tab, script: string, signal: AbortSignal): Promise<Returned> {
  const expression = script.trim().replace(/;+$/, '')
  const body = compiles(`(async () => (${expression}\n))`) ? `return (${expression}\n)` : script
  try {
    return await tab.evaluate(`(async () => (${told.toString()})(await (async () => {${body}\n})()))()`, signal)
  } catch (error) {
    if (hasLeft(error)) return { type: 'undefined', value: null }
    throw error
  }
}

/** Compiled here and never run: in the page, the policy of a site may forbid to make code of text. */
function compiles(code: string): boolean {
  try {
    return new Script(code) instanceof Script
  } catch {
    return false
  }
}

/** Runs in the page. */
function told(value: unknown): Returned {
  if (value === undefined) return { type: 'undefined', value: null }
  const type = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
  if (type === 'function' || type === 'symbol' || type === 'bigint') return { type, value: String(value) }
  // JSON has no word for NaN and the infinite.
  if (type === 'number' && !Number.isFinite(value)) return { type, value: String(value) }
  return { type, value: JSON.parse(JSON.stringify(value) ?? 'null') as unknown }
}
