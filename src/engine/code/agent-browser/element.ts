import type { LoadState } from '../playwright/core.ts'
import { evaluateGiven, heldInPage, type Remote, resultOf } from '../playwright/evaluate.ts'
import { createHandle, type Handle } from '../playwright/handle.ts'
import type { Locator } from '../playwright/locator.ts'
import { coreOf } from '../playwright/page.ts'
import { parseSelector } from '../playwright/steps.ts'
import { CommandError, type CommandScope, needed, numberOf, type CommandOutput } from './arguments.ts'

/** The element that `@e3` or a selector refers to. */
export async function elementOf(scope: CommandScope, word: string): Promise<Locator | Handle> {
  const ref = /^(?:@|ref=)?(e\d+)$/.exec(word)?.[1]
  return ref === undefined ? scope.page.locator(word).first() : referred(scope, ref)
}

async function referred({ page, state }: CommandScope, ref: string): Promise<Handle> {
  const gone = new CommandError(
    `Element @${ref} is not known or gone. Run "agent-browser snapshot -i" for new references.`,
  )
  const { refs } = state
  if (refs?.pageId !== page[coreOf].targetId) throw gone
  const session = await page[coreOf].session()
  const list = createHandle(page[coreOf], refs.list, page)
  const pick = '(list, index) => list[index]?.isConnected ? list[index] : undefined'
  const picked = await evaluateGiven(session, pick, [list, Number(ref.slice(1)) - 1], 'handle').catch(() => {
    throw gone
  })
  const { objectId } = resultOf(picked)
  if (objectId === undefined) throw gone
  return createHandle(page[coreOf], { objectId }, page)
}

/** Waits for an element, a number of milliseconds, a text, a URL or a load state. */
export async function wait(scope: CommandScope): Promise<string> {
  const { page, words, options } = scope
  const limit = options.has('timeout') ? { timeout: numberOf(options.get('timeout'), 30_000) } : {}
  const text = options.get('text')
  const url = options.get('url')
  const load = options.get('load')
  const fn = options.get('fn')
  if (text !== undefined) await page.getByText(text).first().waitFor(limit)
  else if (url !== undefined) await page.waitForURL(url, limit)
  else if (load !== undefined) await page.waitForLoadState(load as LoadState, limit)
  else if (fn !== undefined) await page.waitForFunction(fn, undefined, limit)
  else {
    const word = needed(words, 0, 'selector, @ref or milliseconds')
    if (/^\d+$/.test(word)) await page.waitForTimeout(Number(word))
    else if (word.startsWith('@')) await elementOf(scope, word)
    else await page.locator(word).first().waitFor(limit)
  }
  return '✓ Done'
}

/** A snapshot of the page with a ref for each interactive element. */
export async function snapshot({ page, state, options }: CommandScope): Promise<CommandOutput> {
  const session = await page[coreOf].session()
  const selector = options.get('selector')
  const asked = {
    isInteractive: options.has('interactive'),
    isCompact: options.has('compact'),
    maxDepth: numberOf(options.get('depth'), 100),
    root: selector === undefined ? [] : parseSelector(selector),
  }
  const seen = await heldInPage(session, 'outlinePage', [asked])
  const handle = createHandle(page[coreOf], seen!, page)
  const list = resultOf(await evaluateGiven(session, '(seen) => seen.elements', [handle], 'handle'))
  const text = String(await handle.evaluate('(seen) => seen.text'))
  if (state.refs) await session.send('Runtime.releaseObject', state.refs.list).catch(() => undefined)
  state.refs = { list: list as Remote, pageId: page[coreOf].targetId }
  return { text: text === '' ? '(no interactive elements)' : text, data: { snapshot: text } }
}
