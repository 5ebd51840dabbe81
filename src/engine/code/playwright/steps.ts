import type { Pattern, Step } from '../../page-script/code/find.ts'

export const patternOf = (text: string | RegExp, isExact = false): Pattern =>
  typeof text === 'string' ? { text, isExact } : { source: text.source, flags: text.flags }

const engine = /^(css|text|xpath|role|id|data-testid|data-test-id|data-test|placeholder|label|alt|title|nth|visible)=/

/**
 * The steps behind a selector as Playwright writes them (https://playwright.dev/docs/other-locators): CSS with
 * `:has-text()`, `:text()`, `:text-is()` and `:visible`, `text=`, `role=`, `xpath=` or `//`, `id=`, `nth=`, and `>>` between them.
 */
export function parseSelector(selector: string): Step[] {
  return splitOutside(selector, '>>').flatMap((part) => parsePart(part.trim()))
}

function parsePart(part: string): Step[] {
  if (part.startsWith('//') || part.startsWith('..')) return [{ by: 'xpath', path: part }]
  if (/^(["']).*\1$/s.test(part)) return [{ by: 'text', pattern: quoted(part) }]
  const name = engine.exec(part)?.[1]
  if (name === undefined) return parseCss(part)
  const body = part.slice(name.length + 1)
  return engines[name]?.(body) ?? [attribute(name, body)]
}

const attribute = (name: string, value: string): Step => ({ by: 'css', css: `[${name}=${JSON.stringify(value)}]` })
const textual = (by: 'text' | 'placeholder' | 'label' | 'alt' | 'title') => (body: string) => [
  { by, pattern: quoted(body) },
]
const engines: Readonly<Record<string, (body: string) => Step[]>> = {
  css: (body) => parseCss(body),
  text: textual('text'),
  placeholder: textual('placeholder'),
  label: textual('label'),
  alt: textual('alt'),
  title: textual('title'),
  xpath: (path) => [{ by: 'xpath', path }],
  role: (body) => [parseRole(body)],
  nth: (body) => [{ by: 'nth', index: Number(body) }],
  visible: (body) => [{ by: 'filter', with: { isVisible: body === 'true' } }],
}

/** `"Save"` matches exactly, `/save/i` is a regular expression, anything else is a case-insensitive substring. */
function quoted(text: string): Pattern {
  const trimmed = text.trim()
  const regular = /^\/(.+)\/([a-z]*)$/s.exec(trimmed)
  if (regular) return { source: regular[1]!, flags: regular[2]! }
  const inner = /^(["'])(.*)\1[is]?$/s.exec(trimmed)?.[2]
  return inner === undefined
    ? patternOf(trimmed)
    : patternOf(inner.replace(/\\(["'\\])/g, '$1'), !trimmed.endsWith('i'))
}

/** `button[name="Save"][pressed]`. */
function parseRole(body: string): Step {
  const role = /^[\w-]+/.exec(body)?.[0] ?? ''
  const found = [
    ...body.matchAll(/\[\s*([\w-]+)\s*(?:=\s*("[^"]*"[is]?|'[^']*'[is]?|\/(?:\\.|[^/])+\/[a-z]*|[^\]]+))?\s*\]/g),
  ]
  const name = found.find(([, key]) => key === 'name')?.[2]
  const level = found.find(([, key]) => key === 'level')?.[2]
  const states = found.filter(([, key]) => key !== 'name' && key !== 'level')
  return {
    by: 'role',
    role,
    ...(name !== undefined && { name: quoted(name) }),
    ...(level !== undefined && { level: Number(level) }),
    states: Object.fromEntries(states.map(([, key, value]) => [key!, value !== 'false'])),
  }
}

const extension = /:(has-text|text-is|text|visible)\b(?:\((?:\s*("(?:\\.|[^"])*"|'(?:\\.|[^'])*'|[^)]*)\s*)\))?/

function parseCss(css: string): Step[] {
  if (!extension.test(css)) return [{ by: 'css', css }]
  const ways = splitOutside(css, ',')
  if (ways.length > 1) return [{ by: 'either', ways: ways.map((way) => parseCss(way.trim())) }]
  const { index, 0: whole, 1: name = '', 2: argument = '' } = extension.exec(css)!
  const before = css.slice(0, index)
  const rest = css.slice(index + whole.length)
  const start: Step[] = [{ by: 'css', css: before.trim() === '' || /[\s>+~]$/.test(before) ? `${before}*` : before }]
  return [...start, extensionStep(name, unquoted(argument)), ...after(rest)]
}

const unquoted = (argument: string) => argument.trim().replace(/^(["'])(.*)\1$/s, '$2')

function extensionStep(name: string, argument: string): Step {
  if (name === 'visible') return { by: 'filter', with: { isVisible: true } }
  if (name === 'has-text') return { by: 'filter', with: { text: patternOf(argument) } }
  return { by: 'both', way: [{ by: 'text', pattern: patternOf(argument, name === 'text-is') }] }
}

/** The rest filters the same element, or searches below it. */
function after(rest: string): Step[] {
  if (rest.trim() === '') return []
  if (/^[\s>+~]/.test(rest)) return parseCss(`:scope ${rest}`)
  const compound = /^(?:[^\s>+~([]|\[[^\]]*\]|\([^)]*\))+/.exec(rest)?.[0] ?? rest
  const more = after(rest.slice(compound.length))
  if (!extension.test(compound)) return [{ by: 'filter', with: { css: compound } }, ...more]
  return [...parseCss(`:scope${compound}`).slice(1), ...more]
}

/** Splits at separators outside quotes and brackets. */
function splitOutside(text: string, mark: string): string[] {
  const parts: string[] = []
  let depth = 0
  let quote = ''
  let start = 0
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]!
    if (sign === '\\') at++
    else if (quote) quote = sign === quote ? '' : quote
    else if (sign === '"' || sign === "'") quote = sign
    else if ('([{'.includes(sign)) depth++
    else if (')]}'.includes(sign)) depth--
    else if (depth === 0 && text.startsWith(mark, at)) {
      parts.push(text.slice(start, at))
      start = at + mark.length
      at = start - 1
    }
  }
  // An apostrophe in `text=don't` is no quote.
  if (quote && start === 0 && text.includes(mark)) return text.split(mark)
  return [...parts, text.slice(start)]
}
