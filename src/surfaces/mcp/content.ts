import type { CallToolResult } from '@modelcontextprotocol/server'
import type { Part, Presentation } from '../../kernel/operation.ts'
import { sanitiseText } from '../../util/sanitise-text.ts'
import { cutEnd, offPair, standalone, type Heading, headingsOf, outlineText } from './reading/outline.ts'

export type Limits = {
  /** Length of one response in UTF-16 units, notes and marks included. */
  maxCharacters: number
  /** Total of all pictures in one response, decoded bytes. */
  maxImageBytes: number
}

/** The requested part of the text, and its maximum length. */
export type Window = { offset: number; maxCharacters: number }
export type Content = CallToolResult['content']
type TextPart = Extract<Part, { kind: 'text' | 'page' }>
type NextCall = NonNullable<Presentation['readOn']>
/** The current call. `isRepeatable` is false if repeating it to read on would repeat its effect. */
type CurrentCall = NextCall & { isRepeatable?: boolean }

/** Characters reserved for the note about the call that reads on. */
const noteRoom = 200
/** Minimum length of text in a response, even if marks and notes leave less, so that each call reads something. */
const minPiece = 200

/**
 * A presentation as the content of a tool result. Text that does not fit is left for later calls. Their offsets count
 * only the text of pages, because the program's own text (such as "cached") may differ from call to call.
 */
export function toContent(presentation: Presentation, window: Window, limits: Limits, self: CurrentCall): Content {
  const next = nextCall(presentation.readOn, self)
  const all = chosenParts(presentation, window)
  const counted = countedParts(all, window.maxCharacters)
  const total = counted.reduce((sum, part) => sum + part.text.length, 0)
  const parts = window.offset === 0 ? all : counted
  const outlined = window.offset === 0 ? outlinedPart(counted, total, window.maxCharacters) : undefined
  const fenced = fenceFor([...all, ...(outlined ? [outlined.part] : [])])
  const marks = (part: Part) => (part.kind === 'page' ? fenced(part, '').length : 0)
  const own = parts.filter((part) => part.kind === 'text' && !counted.includes(part)) as TextPart[]
  const fixed = own.reduce((sum, part) => sum + part.text.length + 2, 0)
  const noted = noteRoom + JSON.stringify(next ?? '').length + (outlined ? outlined.room + marks(outlined.part) : 0)
  const room = window.maxCharacters - fixed - noted
  const { slices, end } = sliced(counted, window.offset, room, marks)
  const texts = new Map(slices.map(({ part, text }) => [part, part.kind === 'page' ? fenced(part, text) : text]))
  for (const part of own) texts.set(part, part.text)
  const shown = parts.filter((part) => texts.has(part) || part.kind === 'image' || part.kind === 'link')
  const notes = [rangeNote(window, end, total, next)]
  if (outlined && end < total) notes.unshift(outlineOf(outlined, end, fenced))
  return blocks(shown, texts, limits.maxImageBytes, notes.filter((note) => note !== undefined).join('\n\n'))
}

/** The full text if it fits, otherwise the overview. Ignores the offset, so all calls for parts choose the same. */
function chosenParts({ parts, inFull }: Presentation, { maxCharacters }: Window): Part[] {
  const whole = inFull?.map(sanitised)
  const fenced = fenceFor(whole ?? [])
  const length = whole?.reduce((sum, part) => sum + lengthOf(part, fenced) + 2, 0) ?? Infinity
  return whole && length + noteRoom <= maxCharacters ? whole : parts.map(sanitised)
}

function lengthOf(part: Part, fenced: Fenced): number {
  if (part.kind === 'page') return fenced(part, part.text).length
  return part.kind === 'text' ? part.text.length : 0
}

type Outlined = { part: PagePart; headings: readonly Heading[]; base: number; room: number }

/** The markdown, if it does not fit and has headings: the response then lists the headings of the rest. */
function outlinedPart(counted: readonly TextPart[], total: number, maxCharacters: number): Outlined | undefined {
  const at = counted.findIndex((part) => part.kind === 'page' && part.label === 'markdown')
  const part = counted[at]
  if (part?.kind !== 'page' || total <= maxCharacters || maxCharacters < minOutlined) return undefined
  const headings = headingsOf(part.text)
  const base = counted.slice(0, at).reduce((sum, { text }) => sum + text.length, 0)
  const room = Math.min(maxOutline, Math.floor(maxCharacters / 10))
  return headings.length < 2 ? undefined : { part: { ...part, label: outlineLabel }, headings, base, room }
}
/** Shorter responses have no outline, because the text itself needs the room. */
const minOutlined = 4000
const maxOutline = 2000
const outlineLabel = 'headings of the rest: offset, heading, characters'

function outlineOf({ part, headings, base, room }: Outlined, end: number, fenced: Fenced): string | undefined {
  const rest = headings.filter(({ at }) => base + at >= end)
  const text = outlineText(rest, base, room)
  return text === '' ? undefined : fenced(part, text)
}

/** The whole text, for readers without a limit of length. */
export function wholeText(presentation: Presentation): string {
  const fenced = fenceFor(presentation.parts)
  const texts = presentation.parts.flatMap((part) => {
    if (part.kind === 'page') return [fenced(part, sanitised(part).text)]
    return part.kind === 'text' ? [part.text] : []
  })
  return texts.join('\n\n')
}

/** Removes characters that are invisible to people from all text for agents, whatever its source. */
export const sanitised = <P extends Part>(part: P): P =>
  part.kind === 'page' ? { ...part, text: sanitiseText(part.text) } : part

/**
 * The parts that offsets count: the pages, or all text if there is no page or the program's own text alone fills a
 * response.
 */
function countedParts(parts: readonly Part[], maxCharacters: number): TextPart[] {
  const texts = parts.filter((part) => part.kind === 'text' || part.kind === 'page')
  const pages = texts.filter((part) => part.kind === 'page')
  const ownLength = texts.reduce((sum, part) => sum + (part.kind === 'text' ? part.text.length : 0), 0)
  return pages.length > 0 && ownLength <= maxCharacters / 2 ? pages : texts
}

function sliced(parts: readonly TextPart[], offset: number, room: number, marks: (part: Part) => number) {
  const slices: { part: Part; text: string }[] = []
  let left = room
  let start = 0
  let end = offset
  for (const part of parts) {
    const { text } = part
    const from = offPair(text, Math.max(0, end - start))
    if (from < text.length) {
      left -= marks(part) + 2
      if (left < minPiece && slices.length > 0) break
      const to = cutEnd(text, from, Math.max(left, minPiece))
      slices.push({ part, text: standalone(text, from, to) })
      left -= to - from
      end = start + to
      if (to < text.length) break
    }
    start += text.length
  }
  return { slices, end }
}

/** Joins adjacent texts into one block, because some clients show their model only the first. */
function blocks(
  parts: readonly Part[],
  texts: ReadonlyMap<Part, string>,
  maxImageBytes: number,
  note: string,
): Content {
  const content: Content = []
  let pending: string[] = []
  let imageRoom = maxImageBytes
  const flush = () => {
    if (pending.length > 0) content.push({ type: 'text', text: pending.join('\n\n') })
    pending = []
  }
  for (const part of parts) {
    const text = texts.get(part)
    if (text !== undefined) pending.push(text)
    else if (part.kind === 'image' && byteLength(part.base64) > imageRoom) pending.push(tooLarge(part, maxImageBytes))
    else if (part.kind === 'image' || part.kind === 'link') {
      flush()
      content.push(media(part))
      if (part.kind === 'image') imageRoom -= byteLength(part.base64)
    }
  }
  if (note !== '') pending.push(note)
  flush()
  return content
}

function media(part: Extract<Part, { kind: 'image' | 'link' }>): Content[number] {
  if (part.kind === 'image') return { type: 'image', data: part.base64, mimeType: part.mimeType }
  const { uri, name, mimeType, size } = part
  return { type: 'resource_link', uri, name, mimeType, ...(size !== undefined && { size }) }
}

/** Keeps the requested length for the next call. */
function nextCall(readOn: NextCall | undefined, { isRepeatable = true, ...self }: CurrentCall): NextCall | undefined {
  const call = readOn ?? (isRepeatable ? self : undefined)
  const { maxCharacters } = self.arguments
  return call && { ...call, arguments: { ...call.arguments, ...(maxCharacters !== undefined && { maxCharacters }) } }
}

function rangeNote({ offset }: Window, end: number, total: number, next: NextCall | undefined): string | undefined {
  if (offset > 0 && offset >= total) return `[There are ${total} characters; nothing is left after ${offset}.]`
  if (end >= total) return offset === 0 ? undefined : `[Characters ${offset}-${total} of ${total}: the end.]`
  if (!next) return `[Characters ${offset}-${end} of ${total}. The rest was not stored: request less per call.]`
  const call = JSON.stringify({ ...next.arguments, offset: end })
  return `[Characters ${offset}-${end} of ${total}. To read on, call ${next.tool} with ${call}]`
}

type PagePart = Extract<Part, { kind: 'page' }>

/**
 * Puts marks around the text of pages. They explain themselves, because not every client shows its model the
 * instructions. They name the content and the origin only if there are several blocks; for a single one, the text
 * before it does. A page cannot forge them: their number is chosen after the page was read, and text in the page that
 * resembles a mark is changed.
 */
type Fenced = (part: PagePart, text: string) => string
function fenceFor(parts: readonly Part[]): Fenced {
  const pages = parts.filter((part) => part.kind === 'page')
  const namesOrigin = new Set(pages.map(({ origin }) => origin)).size > 1
  const tag = `untrusted${randomNumber()}`
  return ({ label, origin }, text) => {
    const about = [...(pages.length > 1 ? [label] : []), ...(namesOrigin ? [origin] : [])].map(attribute)
    return `<${[tag, ...about].join(' ')}>\n${markless(text)}\n</${tag}>`
  }
}

/** Six digits, which take only two tokens. */
const randomNumber = () => 100_000 + ((crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) % 900_000)

/**
 * Changes text that resembles a mark, whatever its number, since readers may ignore the number. The length stays the
 * same, so offsets do too.
 */
const markless = (text: string) => (looksMarked(text) ? text.replace(markStart, '‹') : text)
const markStart = /<(?=\s*(?:\/\s*)?untrusted)/gi
const markHere = new RegExp(markStart, 'iy')

/** Checks only at each `<`, which is rare in text. */
function looksMarked(text: string): boolean {
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', at + 1)) {
    markHere.lastIndex = at
    if (markHere.test(text)) return true
  }
  return false
}

const attribute = (value: string) => value.replace(/["<>\p{Cc}\u2028\u2029]/gu, encodeURIComponent).slice(0, 2000)

const byteLength = (base64: string) => Math.floor((base64.length * 3) / 4)

const tooLarge = (part: Extract<Part, { kind: 'image' }>, limit: number) =>
  `[A picture (${part.mimeType}, ${byteLength(part.base64)} bytes) was left out: an answer contains at most ${limit} bytes of pictures. Request a smaller one.]`
