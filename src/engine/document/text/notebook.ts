import { base64Placeholder } from '../../html/markdown/inline-rules.ts'
import { elementsIn } from '../../html/dom/dom-tree.ts'
import { parseFragment } from '../../html/parse/parse-html.ts'
import type { Converter } from '../converter.ts'
import { type MarkdownLinks, withAbsoluteLinks } from './markdown-links.ts'
import { fenced, textOf } from './plain.ts'
import { parseJsonObject } from '../../../util/json.ts'

type Json = Readonly<Record<string, unknown>>

/** Colours and cursor movements of a terminal (ECMA-48). */
// oxlint-disable-next-line no-control-regex -- they start with the control character that is removed
const terminalCodes = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/g
const picture = (alt: string) => `![${alt}](${base64Placeholder})`

/** Longer texts keep their lines, because indenting adds half of their length. */
const maxIndentedChars = 1_000_000

/** Indents JSON written on one line; its numbers and strings stay as written. */
export const readJson: Converter = (source) => {
  const text = textOf(source).trim()
  const isMinified = !text.includes('\n') && text.length < maxIndentedChars
  return { markdown: fenced((isMinified && indented(text)) || text, 'json') }
}

export const readNdjson: Converter = (source) => ({ markdown: fenced(textOf(source).trim(), 'json') })

const maxDepth = 100
const indent = '  '

/**
 * Indents JSON like JSON.stringify(value, null, 2), working on the text, so no number loses a digit. Undefined for
 * invalid or too deeply nested JSON.
 */
function indented(json: string): string | undefined {
  if (!isJson(json)) return undefined
  const written: string[] = []
  let depth = 0
  let before = ''
  for (const token of tokens(json)) {
    if (token === '}' || token === ']') depth--
    if (depth >= maxDepth) return undefined
    if (needsLine(before, token)) written.push('\n', indent.repeat(depth))
    written.push(token === ':' ? ': ' : token)
    if (token === '{' || token === '[') depth++
    before = token
  }
  return written.join('')
}

function needsLine(before: string, token: string): boolean {
  if (before === ',') return true
  if (before === '{') return token !== '}'
  if (before === '[') return token !== ']'
  return token === '}' || token === ']'
}

function* tokens(json: string): Generator<string> {
  let at = 0
  while (at < json.length) {
    const end = json[at] === '"' ? endOfString(json, at) : endOfPlain(json, at)
    const token = json.slice(at, end)
    if (token.trim() !== '') yield token
    at = end
  }
}

function endOfPlain(json: string, start: number): number {
  const pattern = /[{}[\],:]|[^\s{}[\],:"]+|\s+/y
  pattern.lastIndex = start
  return pattern.test(json) ? pattern.lastIndex : start + 1
}

function endOfString(json: string, start: number): number {
  let at = json.indexOf('"', start + 1)
  while (at !== -1 && isEscaped(json, at)) at = json.indexOf('"', at + 1)
  return at === -1 ? json.length : at + 1
}

function isEscaped(json: string, at: number): boolean {
  let backslashes = 0
  while (json[at - 1 - backslashes] === '\\') backslashes++
  return backslashes % 2 === 1
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/**
 * Converts a Jupyter notebook (nbformat 3 and 4): markdown cells as they are, code in fences, outputs as text, pictures
 * as placeholders. Any other JSON is shown unchanged.
 */
export const readNotebook: Converter = (source) => {
  const notebook = parseJsonObject(textOf(source))
  const cells = notebook && cellsOf(notebook)
  if (!notebook || !cells) return readJson(source)
  const { language_info: info, kernelspec: kernel, title } = objectAt(notebook, 'metadata')
  const language = nameIn(info, 'name') ?? nameIn(kernel, 'language') ?? ''
  const links: MarkdownLinks = { anchors: [], images: [] }
  const text = cells
    .flatMap((cell) =>
      cell['cell_type'] === 'code'
        ? codeParts(cell, /^[\w+#.-]{1,30}$/.test(language) ? language : '')
        : [textPart(cell, source.url, links)],
    )
    .map((part) => part.trimEnd())
    .filter((part) => part.trim() !== '')
    .join('\n\n')
  const named = typeof title === 'string' ? title : /^#[ \t]+(\S.{0,499})$/m.exec(text.slice(0, 20_000))?.[1]
  return { markdown: `${text}\n`, links, ...(named && { metadata: { title: named } }) }
}

function cellsOf(notebook: Json): Json[] | undefined {
  if (typeof notebook['nbformat'] !== 'number') return undefined
  const sheets = [notebook, ...objectsAt(notebook, 'worksheets')]
  return sheets.flatMap((sheet) => objectsAt(sheet, 'cells'))
}

const sourceOf = (cell: Json) => linesAt(cell, 'source') || linesAt(cell, 'input')

/** Returns the text of a cell without code; adds its links. Headings of nbformat 3 have a cell of their own. */
function textPart(cell: Json, base: string, links: MarkdownLinks): string {
  const text = sourceOf(cell)
  if (cell['cell_type'] === 'heading') return `${'#'.repeat(Math.min(6, Number(cell['level']) || 1))} ${text}`
  if (cell['cell_type'] !== 'markdown') return text
  const { markdown, links: own } = withAbsoluteLinks(text, base)
  links.anchors.push(...own.anchors)
  links.images.push(...own.images)
  return markdown.replace(/!\[([^\]]*)\]\((?:attachment|data):[^()]*\)/g, (_, alt: string) => picture(alt))
}

function codeParts(cell: Json, language: string): string[] {
  const source = sourceOf(cell)
  return [source.trim() === '' ? '' : fenced(source, language), ...objectsAt(cell, 'outputs').map(outputOf)]
}

/** The most readable form of an output is shown. */
function outputOf(output: Json): string {
  const data = output['data'] === undefined ? output : objectAt(output, 'data')
  const [markdown, plain, html] = ['text/markdown', 'text/plain', 'text/html'].map((type) => linesAt(data, type))
  const hasPicture = Object.keys(data).some((type) => /^image\/|^(?:png|jpeg|svg)$/.test(type))
  if (hasPicture) return picture((plain ?? '').replace(/[[\]\s]+/g, ' ').trim())
  const shown = linesAt(output, 'text') || shownText(plain ?? '', html ?? '') || errorIn(output)
  return markdown || (shown && fenced(shown.replace(terminalCodes, '').replace(overwritten, ''), 'text'))
}

/** The plain text of an object that only HTML can show is its name. */
function shownText(plain: string, html: string): string {
  const isName = html !== '' && /^<[^<>\n]*>$/.test(plain)
  return isName || plain === '' ? textIn(html) || plain : plain
}

const errorIn = (output: Json) =>
  linesAt(output, 'traceback') || [output['ename'], output['evalue']].filter(Boolean).join(': ')

/** Start of a line that a terminal writes again, such as the steps of a progress bar. */
const overwritten = /^.*\r(?!$)/gm

function textIn(html: string): string {
  const content = parseFragment(html.replace(/<(script|style)\b[^]*?<\/\1\s*>/gi, ''))
  for (const node of elementsIn(content))
    if (/^(?:p|div|h[1-6]|li|tr|br|pre|caption)$/.test(node.localName)) node.append('\n')
    else if (/^t[dh]$/.test(node.localName)) node.append(' ')
  return content.textContent.replace(/\n\s*\n/g, '\n').trim()
}

/** Multi-line strings are stored as arrays of lines; tracebacks lack the line breaks. */
function linesAt(from: Json, key: string): string {
  const value = from[key]
  if (typeof value === 'string') return value
  if (!Array.isArray(value)) return ''
  return value.filter((line) => typeof line === 'string').join(key === 'traceback' ? '\n' : '')
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
const objectAt = (from: Json, key: string): Json => (isObject(from[key]) ? from[key] : {})
const objectsAt = (from: Json, key: string): Json[] => (Array.isArray(from[key]) ? from[key].filter(isObject) : [])
const nameIn = (from: unknown, key: string) =>
  isObject(from) && typeof from[key] === 'string' ? from[key].toLowerCase() : undefined
