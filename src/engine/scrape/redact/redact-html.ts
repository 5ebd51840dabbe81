import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2'
import { decodeHTML } from 'entities/decode'
import type { FindSpans, Span } from './placeholder.ts'
import { percentDecoded } from '../../../util/words.ts'

type Replace = (span: Span, text: string) => string
/** A replaced part of the source. */
type Edit = { start: number; end: number; text: string }

/** Elements that do not interrupt the words of a sentence. */
const inline = new Set(
  'a abbr b bdi bdo big cite code data del dfn em font i ins kbd label mark nobr q s samp small span strike strong sub sup time tt u var wbr'.split(
    ' ',
  ),
)

const entity = '&(?:#\\d{1,7}|#x[\\da-f]{1,6}|[a-z][a-z\\d]{1,31});?'
const escapes = {
  text: new RegExp(entity, 'gi'),
  /** In URLs, where a plus sign may be a space. */
  address: new RegExp(`${entity}|(?:%[\\da-f]{2})+|\\+`, 'gi'),
  /** In scripts, data blocks and markdown. */
  script: /\\u00[\da-f]{2}|\\[^A-Za-z0-9\s\\"'`]|&(?:#\d{1,7}|#x[\da-f]{1,6}|commat|period);?/gi,
} as const
type Place = keyof typeof escapes

function plainOf(escape: string): string {
  if (escape === '+') return ' '
  if (escape.startsWith('%')) return percentDecoded(escape)
  if (escape.startsWith('\\u')) return String.fromCharCode(Number.parseInt(escape.slice(2), 16))
  return escape.startsWith('\\') ? escape.slice(1) : decodeHTML(escape)
}

const hasCodes = (text: string) => text.includes('%') || (text.includes('?') && text.includes('+'))

/** Invisible characters, which would split a number or an address. */
const invisible = /[\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF]/g

/** Text as a reader sees it, with the place of each character in the source. */
class Flow {
  text = ''
  private readonly starts: number[] = []
  private readonly ends: number[] = []
  private readonly source: string

  constructor(source: string) {
    this.source = source
  }

  add(start: number, end: number, place: Place): void {
    const raw = this.source.slice(start, end)
    let done = 0
    const marks = [...raw.matchAll(escapes[place]), ...raw.matchAll(invisible)].toSorted(
      (one, other) => one.index - other.index,
    )
    for (const { 0: mark, index } of marks) {
      if (index < done) continue
      this.plain(start + done, raw.slice(done, index))
      this.push(plainOf(mark).replaceAll(invisible, ''), start + index, start + index + mark.length)
      done = index + mark.length
    }
    this.plain(start + done, raw.slice(done))
  }

  private plain(start: number, text: string): void {
    this.text += text
    for (let at = 0; at < text.length; at += 1) {
      this.starts.push(start + at)
      this.ends.push(start + at + 1)
    }
  }

  /** Adds characters that one range of the source represents, such as an escape. */
  private push(text: string, start: number, end: number): void {
    this.text += text
    for (let at = 0; at < text.length; at += 1) {
      this.starts.push(start)
      this.ends.push(end)
    }
  }

  /** Returns the ranges of the source for a span of the text; tags within the span are left out. */
  partsOf({ start, end }: Span): { start: number; end: number }[] {
    const parts: { start: number; end: number }[] = []
    for (let at = start; at < end; at += 1) {
      const [from, to] = [this.starts[at] ?? -1, this.ends[at] ?? -1]
      const last = parts.at(-1)
      if (from < 0) continue
      if (last && from <= last.end) last.end = Math.max(last.end, to)
      else parts.push({ start: from, end: to })
    }
    return parts
  }
}

/**
 * Collects replacements from the tokens of a page: in its text across inline elements, in attributes, scripts and
 * comments.
 */
class Redaction implements TokenizerCallbacks {
  readonly edits: Edit[] = []
  private flow: Flow
  private pieces: { start: number; end: number }[] = []
  private name = ''
  private attributeStart = -1
  private readonly html: string
  private readonly find: FindSpans
  private readonly replace: Replace

  constructor(html: string, find: FindSpans, replace: Replace) {
    this.html = html
    this.find = find
    this.replace = replace
    this.flow = new Flow(html)
  }

  private take(flow: Flow): void {
    if (flow.text === '') return
    for (const span of this.find(flow.text)) {
      const [first, ...rest] = flow.partsOf(span)
      if (!first) continue
      this.edits.push({ ...first, text: this.replace(span, flow.text.slice(span.start, span.end)) })
      for (const part of rest) this.edits.push({ ...part, text: '' })
    }
  }

  /** Searches a range of the source by itself, and again with the escapes of URLs if it may contain a URL. */
  alone(start: number, end: number, place: Place): void {
    for (const each of hasCodes(this.html.slice(start, end)) ? [place, 'address' as const] : [place]) {
      const flow = new Flow(this.html)
      flow.add(start, end, each)
      this.take(flow)
    }
  }

  ontext(start: number, end: number): void {
    if (this.name === 'script' || this.name === 'style') return this.alone(start, end, 'script')
    this.flow.add(start, end, 'text')
    this.pieces.push({ start, end })
  }

  private tag(name: string): void {
    this.name = name
    if (inline.has(name)) return
    this.endFlow()
  }

  /** Ends a flow: adjacent texts are searched joined, and then each alone. */
  private endFlow(): void {
    this.take(this.flow)
    for (const { start, end } of this.pieces)
      if (this.pieces.length > 1 || hasCodes(this.html.slice(start, end))) this.alone(start, end, 'text')
    this.flow = new Flow(this.html)
    this.pieces = []
  }

  onopentagname(start: number, end: number): void {
    this.tag(this.html.slice(start, end).toLowerCase())
  }

  onclosetag(start: number, end: number): void {
    this.tag(this.html.slice(start, end).toLowerCase())
    this.name = ''
  }

  onattribdata(start: number, end: number): void {
    if (this.attributeStart < 0) this.attributeStart = start
    this.attributeEnd = end
  }

  private attributeEnd = -1

  onattribend(): void {
    if (this.attributeStart >= 0) this.alone(this.attributeStart, this.attributeEnd, 'text')
    this.attributeStart = -1
  }

  oncomment(start: number, end: number, endOffset: number): void {
    this.alone(start, end - endOffset, 'script')
  }

  oncdata(start: number, end: number, endOffset: number): void {
    this.alone(start, end - endOffset, 'script')
  }

  onend(): void {
    this.endFlow()
  }

  onopentagend(): void {}
  onselfclosingtag(): void {}
  onattribname(): void {}
  onattribentity(): void {}
  ontextentity(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}
}

/** Replaces all spans in the source of a page, and leaves its tags unchanged. */
export function redactHtml(html: string, find: FindSpans, replace: Replace): string {
  const redaction = new Redaction(html, find, replace)
  const tokenizer = new Tokenizer({ xmlMode: false, decodeEntities: false }, redaction)
  tokenizer.write(html)
  tokenizer.end()
  return edited(html, redaction.edits)
}

/** Replaces all spans in a text other than HTML, such as JSON or source code. */
export function redactText(text: string, find: FindSpans, replace: Replace): string {
  const redaction = new Redaction(text, find, replace)
  redaction.alone(0, text.length, 'script')
  return edited(text, redaction.edits)
}

/** Applies the first or longer of two overlapping edits; the other only deletes the rest of its range. */
function edited(source: string, edits: readonly Edit[]): string {
  let done = 0
  let result = ''
  for (const { start, end, text } of edits.toSorted((one, other) => one.start - other.start || other.end - one.end)) {
    if (end <= done) continue
    if (start >= done) result += source.slice(done, start) + text
    done = end
  }
  return result + source.slice(done)
}
