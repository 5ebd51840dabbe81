import { markCandidates, resolveEscapes } from './escape.ts'

/** Text of the current block, stored as pieces so each step costs only what it adds. */
export type Paragraph = {
  /** Adds page text, whose white space the caller has collapsed; it is escaped if the finished block requires it. */
  text(words: string): void
  /** Adds finished markdown. */
  add(piece: string): void
  breakLine(piece: string): void
  /** Opens a mark until `close`. White space at its edges moves outside; an empty mark is not written. */
  open(mark: Mark): void
  close(): void
  /**
   * Ends the paragraph and returns it; open marks continue in the next one. An open mark is written only once text
   * follows.
   */
  take(): string
  readonly isInside: (name: Mark['name']) => boolean
  readonly endsInBreak: () => boolean
}

type OpenMark = { mark: Mark; delimiter: Delimiter | undefined }

export function createParagraph(): Paragraph {
  let pieces: Piece[] = []
  let marks: OpenMark[] = []
  /** Pending white space, written only if text follows, so it never ends up at the inner edge of a mark. */
  let space = ''

  const begin = () => {
    if (space !== '' && pieces.length > 0) pieces.push({ kind: 'markup', text: space })
    space = ''
    for (const open of marks) open.delimiter ??= openInto(pieces, open.mark)
  }
  const addSpace = (run: string) => {
    if (pieces.length > 0) space += space !== '' && run.startsWith(' ') ? run.slice(1) : run
  }
  /** Joins text that parsers split at entities, so the text `<b>` (source `&lt;b>`) is escaped as a whole. */
  const append = (core: string, kind: 'text' | 'linked' | 'markup') => {
    const last = pieces.at(-1)
    if (kind === 'markup' && last?.kind === kind && space === '') space = gapBetween(last.text, core)
    const isText = kind !== 'markup' && marks.every((open) => open.delimiter) && !/[\n<]/.test(space)
    if (isText && last?.kind === kind) {
      last.text += space + core
      return
    }
    begin()
    pieces.push({ kind, text: core })
  }
  const put = (words: string, kind: 'text' | 'linked' | 'markup') => {
    const core = words.trim()
    if (core === '') return addSpace(words)
    const from = words.length - words.trimStart().length
    if (from > 0) addSpace(words.slice(0, from))
    append(core, kind)
    space = words.slice(from + core.length)
  }
  const isInside = (name: Mark['name']) => marks.some((open) => open.mark.name === name)

  return {
    text: (words) => (words === ' ' ? addSpace(words) : put(words, isInside('link') ? 'linked' : 'text')),
    add: (piece) => put(piece, 'markup'),
    breakLine(piece) {
      if (pieces.length > 0) space = isInside('link') ? ' ' : piece
    },
    open: (mark) => void marks.push({ mark, delimiter: undefined }),
    close() {
      const delimiter = marks.pop()?.delimiter
      if (delimiter) closeInto(pieces, delimiter)
    },
    take() {
      space = ''
      if (pieces.length === 0) return ''
      for (const { delimiter } of marks.toReversed()) if (delimiter) closeInto(pieces, delimiter)
      marks = marks.map(({ mark }) => ({ mark, delimiter: undefined }))
      const whole = finishBlock(pieces)
      pieces = []
      return whole
    },
    isInside,
    endsInBreak: () => space.includes('\n'),
  }
}

/** Adjacent backticks form one delimiter (CommonMark §6.1). */
const gapBetween = (before: string, after: string) => (before.endsWith('`') && after.startsWith('`') ? ' ' : '')

/** Opens a mark. If the same mark has just ended, continues that one, because the two delimiters would run together. */
function openInto(pieces: Piece[], mark: Mark): Delimiter {
  const last = pieces.at(-1)
  if (last?.kind === 'close' && last.mark === mark && mark.close !== '' && last.partner) {
    pieces.pop()
    return last.partner
  }
  const delimiter: Delimiter = { kind: 'open', mark, text: mark.open, outside: '', partner: undefined }
  pieces.push(delimiter)
  return delimiter
}

function closeInto(pieces: Piece[], opener: Delimiter): void {
  const closer: Delimiter = { kind: 'close', mark: opener.mark, text: opener.mark.close, outside: '', partner: opener }
  opener.partner = closer
  pieces.push(closer)
}

function finishBlock(pieces: Piece[]): string {
  if (pieces.length > 1) placeDelimiters(pieces)
  let whole = ''
  for (const piece of pieces) whole += written(piece)
  return resolveEscapes(whole, () => new Set(pieces.map(markupSign)))
}

/** Returns the first character of existing markup. */
function markupSign({ kind, text }: Piece): string {
  return kind === 'text' || kind === 'linked' ? '' : text.charAt(0)
}

function written(piece: Piece): string {
  if ('mark' in piece) {
    const outside = markCandidates(piece.outside, 'text')
    return piece.kind === 'open' ? outside + piece.text : piece.text + outside
  }
  return piece.kind === 'markup' ? piece.text : markCandidates(piece.text, piece.kind)
}

export type Mark = {
  name: 'strong' | 'emphasis' | 'deleted' | 'link' | 'raised' | 'lowered'
  open: string
  close: string
}

type Delimiter = {
  kind: 'open' | 'close'
  mark: Mark
  /** Final text; for emphasis it depends on both neighbours. */
  text: string
  /** Punctuation moved out of the mark. */
  outside: string
  partner: Delimiter | undefined
}
type Piece = { kind: 'text' | 'linked' | 'markup'; text: string } | Delimiter

/** True for a character that is neither white space nor punctuation (CommonMark §6.2 has no term for it). */
const isWordy = (character: string): boolean => character !== '' && !/[\s\p{P}\p{S}]/u.test(character)

const firstOf = (text: string) => String.fromCodePoint(text.codePointAt(0) ?? 32)
const lastOf = (text: string) => (/[\uDC00-\uDFFF]$/.test(text) ? text.slice(-2) : text.slice(-1))

const isPaired = (piece: Piece | undefined): piece is Delimiter =>
  piece !== undefined && 'mark' in piece && piece.mark.open === piece.mark.close

/**
 * Makes renderers recognise every delimiter (flanking rules of CommonMark 0.31 §6.2). Between a letter and punctuation
 * a delimiter is literal text: `**（注）**文` is printed unchanged. There the punctuation moves out of the mark or, if it
 * is other markup, the mark is omitted.
 */
function placeDelimiters(pieces: readonly Piece[]): void {
  if (!pieces.some(isPaired)) return
  pieces.forEach((piece, at) => {
    if (piece.kind === 'open' && isPaired(piece)) placeDelimiter(pieces, at, -1)
  })
  for (let at = pieces.length - 1; at >= 0; at--)
    if (pieces[at]?.kind === 'close' && isPaired(pieces[at])) placeDelimiter(pieces, at, 1)
  const hasUnderscore = pieces.some((piece) => 'mark' in piece && piece.mark.name === 'lowered')
  pieces.forEach((piece, at) => {
    if (piece.kind === 'open' && piece.mark.name === 'emphasis')
      chooseEmphasisSign(pieces, at, hasUnderscore ? '*' : '_')
  })
}

/** An underscore inside a word is not markup (CommonMark §6.2), an asterisk is. */
function chooseEmphasisSign(pieces: readonly Piece[], at: number, sign: '*' | '_'): void {
  const opener = pieces[at] as Delimiter
  const { partner } = opener
  if (opener.text === '' || !partner) return
  const isInWord = isWordy(outer(pieces, at, -1)) || isWordy(outer(pieces, pieces.indexOf(partner, at), 1))
  opener.text = isInWord ? '*' : sign
  partner.text = opener.text
}

/** `step` points out of the mark: -1 at its start, 1 at its end. */
function placeDelimiter(pieces: readonly Piece[], at: number, step: -1 | 1): void {
  if (!isWordy(outer(pieces, at, step))) return
  const delimiter = pieces[at] as Delimiter
  const inner = pieces[beyond(pieces, at, -step)]
  if (!inner || isWordy(step < 0 ? firstOf(inner.text) : lastOf(inner.text))) return
  const isText = inner.kind === 'text' || inner.kind === 'linked'
  const run = isText ? (edge(step).exec(step < 0 ? inner.text : inner.text.slice(-maxMoved))?.[0] ?? '') : ''
  if (run !== '' && run.length < inner.text.length) {
    delimiter.outside = run
    inner.text = step < 0 ? inner.text.slice(run.length) : inner.text.slice(0, -run.length)
  } else {
    delimiter.text = ''
    if (delimiter.partner) delimiter.partner.text = ''
  }
}

/** Maximum number of characters that move out at the end of a mark. */
const maxMoved = 40
const edge = (step: -1 | 1) => (step < 0 ? /^[\p{P}\p{S}\s]+/u : /[\p{P}\p{S}\s]+$/u)

/** Returns the character outside a delimiter, skipping other marks that start or end at the same place. */
function outer(pieces: readonly Piece[], at: number, step: -1 | 1): string {
  const edgeOf = step < 0 ? lastOf : firstOf
  const kind = pieces[at]?.kind
  for (let i = at; ; i += step) {
    const piece = pieces[i]
    if (!piece) return ' '
    const isSame = piece.kind === kind && isPaired(piece)
    if (isSame && piece.outside !== '') return edgeOf(piece.outside)
    if (!isSame && piece.text !== '') return edgeOf(piece.text)
  }
}

/** Returns the next position that is not another mark opening or closing at the same place. */
function beyond(pieces: readonly Piece[], at: number, step: number): number {
  const kind = pieces[at]?.kind
  let i = at + step
  while (pieces[i]?.kind === kind && isPaired(pieces[i])) i += step
  return i
}
