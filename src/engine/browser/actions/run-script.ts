import { Script } from 'node:vm'
import type { ActionResults } from '../../../core/render.ts'
import type { Tab } from '../tab.ts'
import { hasLeft } from '../world.ts'

type Returned = ActionResults['javascriptReturns'][number]

/**
 * Runs a script of the caller in the page and takes its value by its JSON form. A lone expression is its own value;
 * anything else is the body of an async function, with `return` and `await`. Throws PageError for what the script throws.
 * A script that makes the page go elsewhere has no value.
 */
export async function runScript(tab: Tab, script: string, signal: AbortSignal): Promise<Returned> {
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
