import { compileFunction } from 'node:vm'
import { wordMeant } from './words.ts'

export type CodeRead = { code: string; language?: string; notes: readonly string[] }

const languages = ['node', 'python', 'bash']

/** Code as it is meant to run: out of its fence, and called where it is nothing but a function. */
export function codeMeant(text: string, language: string | undefined): CodeRead {
  const fenced = outOfFence(text)
  const code = fenced?.code ?? text
  const told = fenced && language === undefined ? wordMeant(fenced.label, languages) : undefined
  const called = (language ?? told ?? 'node') === 'node' ? calledFunction(code) : undefined
  return {
    code: called ?? code,
    ...(told !== undefined && told !== 'node' && { language: told }),
    notes: [...(fenced ? ['what is in its fence'] : []), ...(called === undefined ? [] : ['a function to call'])],
  }
}

/** Undefined where there is no fence, or more than one. */
function outOfFence(text: string): { code: string; label: string } | undefined {
  const trimmed = text.trim()
  const [, mark, label = ''] = /^(`{3,}|~{3,})[ \t]*([\w.+-]*)/.exec(trimmed) ?? []
  const from = trimmed.indexOf('\n')
  if (mark === undefined || from < 0 || !trimmed.endsWith(mark)) return undefined
  const inner = trimmed.slice(from + 1, -mark.length)
  return inner.includes(mark) ? undefined : { code: inner.trimEnd(), label }
}

const head =
  /^\s*(?:async\b\s*)?(?:function\b\s*\*?\s*[\w$]*\s*\((?<of>[^()]*)\)\s*\{|(?:\((?<arrow>[^()]*)\)|(?<one>[A-Za-z_$][\w$]*))\s*=>)/

/** A call of the function that the code consists of; undefined where it is anything else. */
function calledFunction(code: string): string | undefined {
  const found = head.exec(code.trimStart())
  if (!found) return undefined
  const expression = code.trim().replace(/;+$/, '')
  if (!isExpression(expression)) return undefined
  const names = (found.groups?.['of'] ?? found.groups?.['arrow'] ?? found.groups?.['one'] ?? '').trim()
  const passed = argumentsFor(names)
  return passed === undefined ? undefined : `await (${expression}\n)(${passed})`
}

/** In both kinds of brackets, so that `1); f(` is none. It is compiled, never run. */
function isExpression(text: string): boolean {
  try {
    compileFunction(`return [async () => (${text}\n), async () => [${text}\n]]`)
    return true
  } catch {
    return false
  }
}

/** What functions of browser code are handed, by the names of their parameters; undefined where that is not known. */
function argumentsFor(names: string): string | undefined {
  if (names === '') return ''
  if (/^\{[\s\w,]*\}$/.test(names)) return '{ page, context, browser }'
  const each = names.split(',').map((name) => name.trim())
  if (each.every((name) => ['page', 'context', 'browser'].includes(name))) return each.join(', ')
  // By whatever name, a single one is the page.
  return each.length === 1 && /^[\w$]+$/.test(names) ? 'page' : undefined
}
