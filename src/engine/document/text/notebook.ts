import { base64Placeholder } from '../../html/markdown/rules.ts'
import { elementsIn } from '../../html/dom/dom-tree.ts'
import { parseFragment } from '../../html/parse/parse-html.ts'
import type { Converter } from '../converter.ts'
import { type MarkdownLinks, withAbsoluteLinks } from './markdown-links.ts'
import { fenced, textOf } from './plain.ts'
import { isRecord, parseJson, parseJsonObject, recordsIn } from '../../../util/json.ts'

type Json = Readonly<Record<string, unknown>>

/** Colours and cursor movements of a terminal (ECMA-48). */
// oxlint-disable-next-line no-control-regex -- they start with the control character that is removed
const terminalCodes = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/g
const picture = (alt: string) => `![${alt}](${base64Placeholder})`

/** Length above which JSON is not indented, because indenting adds half of the length. */
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

/** Matches strings, empty brackets and signs with the white space around them, but not numbers and words. */
const tokens = /\s*("(?:[^"\\]|\\.)*"|\{\s*\}|\[\s*\]|[{}[\],:])\s*/g

/**
 * Indents JSON like JSON.stringify(value, null, 2), working on the text, so no number loses a digit. Undefined for
 * invalid or too deeply nested JSON.
 */
function indented(json: string): string | undefined {
  if (parseJson(json) === undefined) return undefined
  let [depth, deepest] = [0, 0]
  const line = () => `\n${indent.repeat(Math.min(depth, maxDepth))}`
  const written = json.replace(tokens, (_, token: string) => {
    if (deepest >= maxDepth) return token
    if (token === ',') return token + line()
    if (token === ':') return ': '
    if (token.startsWith('"')) return token
    if (token.length > 1) return token.replace(/\s/g, '')
    if (token === '}' || token === ']') {
      depth--
      return line() + token
    }
    deepest = Math.max(deepest, ++depth)
    return token + line()
  })
  return deepest < maxDepth ? written : undefined
}

/**
 * Converts a Jupyter notebook (nbformat 3 and 4): markdown cells unchanged, code in fences, outputs as text, pictures
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
  const sheets = [notebook, ...recordsIn(notebook['worksheets'])]
  return sheets.flatMap((sheet) => recordsIn(sheet['cells']))
}

const sourceOf = (cell: Json) => linesAt(cell, 'source') || linesAt(cell, 'input')

/** Returns the text of a cell without code, and adds its links. In nbformat 3, a heading is a separate cell. */
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
  return [source.trim() === '' ? '' : fenced(source, language), ...recordsIn(cell['outputs']).map(outputOf)]
}

/** Returns the most readable form of an output. */
function outputOf(output: Json): string {
  const data = output['data'] === undefined ? output : objectAt(output, 'data')
  const [markdown, plain, html] = ['text/markdown', 'text/plain', 'text/html'].map((type) => linesAt(data, type))
  const hasPicture = Object.keys(data).some((type) => /^image\/|^(?:png|jpeg|svg)$/.test(type))
  if (hasPicture) return picture((plain ?? '').replace(/[[\]\s]+/g, ' ').trim())
  const shown = linesAt(output, 'text') || shownText(plain ?? '', html ?? '') || errorIn(output)
  return markdown || (shown && fenced(shown.replace(terminalCodes, '').replace(overwritten, ''), 'text'))
}

/** Prefers HTML if the plain text is only the name of an object, such as `<pandas.Styler at 0x7f>`. */
function shownText(plain: string, html: string): string {
  const isName = html !== '' && /^<[^<>\n]*>$/.test(plain)
  return isName || plain === '' ? textIn(html) || plain : plain
}

const errorIn = (output: Json) =>
  linesAt(output, 'traceback') || [output['ename'], output['evalue']].filter(Boolean).join(': ')

/** Matches the start of a line that the terminal overwrites, such as the steps of a progress bar. */
const overwritten = /^.*\r(?!$)/gm

function textIn(html: string): string {
  const content = parseFragment(html)
  for (const node of elementsIn(content))
    if (/^(?:script|style)$/.test(node.localName)) node.remove()
    else if (/^(?:p|div|h[1-6]|li|tr|br|pre|caption)$/.test(node.localName)) node.append('\n')
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

const objectAt = (from: Json, key: string): Json => (isRecord(from[key]) ? from[key] : {})
const nameIn = (from: unknown, key: string) =>
  isRecord(from) && typeof from[key] === 'string' ? from[key].toLowerCase() : undefined
