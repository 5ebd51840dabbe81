import { escapeHtml } from '../../markup/inline-markup.ts'
import type { TextLine } from './text-lines.ts'
import { noBlanks, type Word, wordGap } from './pdf-words.ts'

const rtl = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC]/
const rtlAll = new RegExp(rtl.source, 'g')
/** Letters and digits, which run to the right in any context if they are not in `rtl`. */
const ltr = /[\p{L}\p{N}]/u

const countOf = (text: string) => text.match(rtlAll)?.length ?? 0
const isRtl = (text: string) => rtl.test(text)
const isLtr = (text: string) => !isRtl(text) && ltr.test(text)

export function isMostlyRtl(words: readonly Word[]): boolean {
  const text = words.map((word) => word.text).join('')
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  return letters > 0 && countOf(text) * 2 > letters
}

/**
 * Returns the words of a line in reading order; a page contains right-to-left scripts in visual order. Inverts the
 * Unicode bidirectional algorithm, as far as single lines need it.
 */
function inLogicalOrder(words: readonly Word[], direction: 'rtl' | 'ltr'): { text: string; word: Word }[] {
  const sorted = [...words].sort((one, other) => one.left - other.left)
  const pieces = sorted.map((word) => ({
    word,
    text: direction === 'rtl' || isRtl(word.text) ? logicalText(word) : word.text,
  }))
  if (direction === 'ltr' && !words.some(({ text }) => isRtl(text))) return pieces
  return direction === 'rtl'
    ? turnRuns(
        pieces.toReversed(),
        ({ text }) => isLtr(text),
        ({ text }) => !isRtl(text),
      )
    : turnRuns(
        pieces,
        ({ text }) => isRtl(text),
        ({ text }) => !isLtr(text),
      )
}

/** True for left-to-right letters, digits, and the signs next to a number. */
const isNumeric = (glyph: string) => isLtr(glyph) || /[%‰°#\p{Sc}]/u.test(glyph)

/** Returns the text of a word in right-to-left text; one with letters of another script reads as it is drawn. */
export function logicalText({ text, drawn }: Word): string {
  if (!isRtl(text) && /\p{L}/u.test(text)) return text
  const glyphs = turnRuns(
    drawn.toReversed(),
    isNumeric,
    (glyph) => isNumeric(glyph) || (!isRtl(glyph) && /[\p{L}.,:/+-]/u.test(glyph)),
  )
  return glyphs.map((glyph) => mirrored[glyph] ?? glyph).join('')
}

/** Brackets by their mirror image: in right-to-left text an opening bracket is drawn as a closing one. */
const mirrored: Readonly<Record<string, string>> = {
  '(': ')',
  ')': '(',
  '[': ']',
  ']': '[',
  '{': '}',
  '}': '{',
  '<': '>',
  '>': '<',
}

/**
 * Reverses each run that starts and ends with items accepted by `isRun` and otherwise contains only items accepted by
 * `mayBeWithin`.
 */
function turnRuns<T>(items: readonly T[], isRun: (item: T) => boolean, mayBeWithin: (item: T) => boolean): T[] {
  const turned: T[] = []
  for (let at = 0; at < items.length;) {
    const end = isRun(items[at]!) ? runEnd(items, at, isRun, mayBeWithin) : at
    turned.push(...items.slice(at, end + 1).reverse())
    at = end + 1
  }
  return turned
}

function runEnd<T>(
  items: readonly T[],
  at: number,
  isRun: (item: T) => boolean,
  mayBeWithin: (item: T) => boolean,
): number {
  let end = at
  for (let next = at; next < items.length && mayBeWithin(items[next]!); next += 1) if (isRun(items[next]!)) end = next
  return end
}

type RunStyle = {
  isBold: boolean
  isItalic: boolean
  isCode: boolean
  script: 'sup' | 'sub' | undefined
  href: string | undefined
}
type Run = { text: string; look: RunStyle }

/**
 * Renders the lines of one paragraph, cell or item as inline HTML: joined, without hyphens at line ends, with font
 * styles and links.
 */
export function inlineHtml(lines: readonly TextLine[]): string {
  return htmlOf(joinedRuns(lines))
}

export function plainText(lines: readonly TextLine[]): string {
  return joinedRuns(lines)
    .map(({ text }) => text)
    .join('')
}

function joinedRuns(lines: readonly TextLine[]): Run[] {
  const joined: Run[] = []
  const direction = isMostlyRtl(lines.flatMap(({ words }) => words)) ? 'rtl' : 'ltr'
  for (const line of lines) {
    const tokens = runsOf(line, direction)
    const last = joined.at(-1)
    const first = tokens[0]
    if (last && first) {
      const { keptEnd, separator } = joinLineEnds(last.text, first.text)
      joined[joined.length - 1] = { ...last, text: keptEnd + separator }
    }
    joined.push(...tokens)
  }
  return mergedRuns(joined)
    .map((token) => ({ ...token, text: token.text.replaceAll('\u00AD', '').replace(leaders, ' … ') }))
    .filter(({ text }) => text !== '')
}

/** Dot leaders to a page number. */
const leaders = /(?:(?<!\s)\s+)?(?:(?:[.·] ?){5,}|…{2,})\s*/g

/** Maximum number of characters to inspect: no word or URL is longer, but a single line may be. */
const maxTail = 1000

/**
 * Determines how the end of a line and the start of the next are joined: the part of the end to keep, and the
 * separator.
 */
export function joinLineEnds(end: string, start: string): { keptEnd: string; separator: '' | ' ' } {
  const tail = end.slice(-maxTail)
  if (end.endsWith('\u00AD')) return { keptEnd: end.slice(0, -1), separator: '' }
  if (/[\p{L}\p{N}][-\u2010]$/u.test(end) && /^[\p{L}\p{N}]/u.test(start)) {
    const isBroken =
      /(?<![-\u2010])\p{L}{2,}[-\u2010]$/u.test(tail) && /^\p{Ll}/u.test(start) && !/\S-\p{L}+-$/u.test(tail)
    return { keptEnd: isBroken ? end.slice(0, -1) : end, separator: '' }
  }
  if (noBlanks.test(end.slice(-1)) && noBlanks.test(start.slice(0, 1))) return { keptEnd: end, separator: '' }
  if (/:\/\/\S*[/._=&?-]$/.test(tail) && /^\S/.test(start)) return { keptEnd: end, separator: '' }
  return { keptEnd: end, separator: /\s$/.test(end) ? '' : ' ' }
}

function runsOf(line: TextLine, direction: 'rtl' | 'ltr'): Run[] {
  const pieces = inLogicalOrder(line.words, direction)
  return pieces.map(({ word, text }, index) => {
    const before = pieces[index - 1]?.word
    return { text: (before && isParted(before, word) ? ' ' : '') + text, look: runStyleOf(word, line) }
  })
}

function isParted(before: Word, word: Word): boolean {
  const [first, second] = before.left <= word.left ? [before, word] : [word, before]
  const gap = second.left - first.right
  const size = Math.min(before.size, word.size)
  if (noBlanks.test(first.text.slice(-1)) && noBlanks.test(second.text.slice(0, 1))) return gap > size * 0.6
  return gap > size * wordGap || (second.isSpaced && gap > -size * 0.1)
}

function runStyleOf(word: Word, line: TextLine): RunStyle {
  const { font, size, baseline, href, isTyped } = word
  const isSmall = size < line.size * 0.86
  const lift = line.baseline - baseline
  const script = isSmall && lift > line.size * 0.08 ? 'sup' : isSmall && lift < -line.size * 0.08 ? 'sub' : undefined
  return {
    isBold: font.weight === 'bold',
    isItalic: font.slant === 'italic',
    isCode: isTyped,
    script,
    href,
  }
}

const tags: readonly (readonly [keyof RunStyle, string])[] = [
  ['isBold', 'b'],
  ['isItalic', 'i'],
  ['isCode', 'code'],
]

const htmlOf = (tokens: readonly Run[]): string => tokens.map(noteMarked).map(runHtml).join('').trim()

/**
 * Puts raised numbers after a word or a sign, and before the text of a note, in brackets: as digits they would read as
 * part of a word. After a digit or a unit such as `m` they are powers.
 */
function noteMarked(run: Run, index: number, runs: readonly Run[]): Run {
  const number = run.text.trim()
  if (run.look.script !== 'sup' || !/^\d{1,3}(?:[,–-]\d{1,3})*$/.test(number)) return run
  if (/(?:\p{L}{3}|[^\s\p{L}\p{N})])$/u.test(runs[index - 1]?.text ?? ''))
    return { ...run, text: run.text.replace(number, '[$&]') }
  return index === 0 && /^\s*\p{L}{2}/u.test(runs[1]?.text ?? '') ? { ...run, text: `[${number}] ` } : run
}

/** Merges words of one style into one text. */
function mergedRuns(tokens: readonly Run[]): Run[] {
  const whole: { texts: string[]; look: RunStyle }[] = []
  for (const { text, look } of tokens) {
    const last = whole.at(-1)
    if (last && isAlike(last.look, look)) last.texts.push(text)
    else whole.push({ texts: [text], look })
  }
  return whole.map(({ texts, look }) => ({ text: texts.join(''), look }))
}

const isAlike = (one: RunStyle, other: RunStyle) =>
  one.isBold === other.isBold &&
  one.isItalic === other.isItalic &&
  one.isCode === other.isCode &&
  one.script === other.script &&
  one.href === other.href

/** Keeps blanks outside the tags, so emphasis never starts or ends with a blank. */
function runHtml({ text, look }: Run): string {
  const inner = text.trim()
  if (inner === '') return ' '
  const before = text.startsWith(' ') ? ' ' : ''
  const after = text.endsWith(' ') ? ' ' : ''
  return before + tagged(escapeHtml(inner), look) + after
}

function tagged(inner: string, look: RunStyle): string {
  let html = inner
  for (const [flag, tag] of /[\p{L}\p{N}]/u.test(inner) ? tags : []) if (look[flag]) html = `<${tag}>${html}</${tag}>`
  if (look.script) html = `<${look.script}>${html}</${look.script}>`
  return look.href ? `<a href="${escapeHtml(look.href)}">${html}</a>` : html
}
