import type { LoadState } from '../../api/core.ts'
import { needed, numberOf } from './arguments.ts'
import { elementOf } from './element.ts'
import type { CommandScope } from './scope.ts'

/** Until an element is there, some milliseconds have gone, or the page says, is at, or has loaded something. */
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
