import { type Delimiter, type Mark, type Piece, settleMarks } from './marks.ts'
import { markCandidates, settleEscapes } from './escape.ts'

/** The text of the block being written, as pieces, so that no step costs more than what it adds. */
export type Paragraph = {
  /** Text as the page has it, with white space collapsed; it is escaped where the whole block shows that it must be. */
  text(words: string): void
  /** Something that is markdown already. */
  add(piece: string): void
  breakLine(piece: string): void
  /** Opens a mark around what comes until `close`. White space at its edges goes outside; around nothing it is not written. */
  open(mark: Mark): void
  close(): void
  /** Ends the paragraph; marks that are open go on in the next one. */
  take(): string
  readonly isInside: (name: Mark['name']) => boolean
  readonly endsInBreak: () => boolean
}

type OpenMark = { mark: Mark; delimiter: Delimiter | undefined }

export function createParagraph(): Paragraph {
  let pieces: Piece[] = []
  let marks: OpenMark[] = []
  /** White space that is written only when something follows, so that it never stands inside the edge of a mark. */
  let space = ''

  const begin = () => {
    if (space !== '' && pieces.length > 0) pieces.push({ kind: 'markup', text: space })
    space = ''
    for (const open of marks) open.delimiter ??= openInto(pieces, open.mark)
  }
  const addSpace = (run: string) => {
    if (pieces.length > 0) space += space !== '' && run.startsWith(' ') ? run.slice(1) : run
  }
  /** Parsers cut text at entities; it is one piece again, so that `&lt;b>` is seen to be a tag. */
  const append = (core: string, kind: 'text' | 'linked' | 'markup') => {
    const last = pieces.at(-1)
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
    text: (words) => put(words, isInside('link') ? 'linked' : 'text'),
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
      for (const { delimiter } of marks.toReversed()) if (delimiter) closeInto(pieces, delimiter)
      marks = marks.map(({ mark }) => ({ mark, delimiter: undefined }))
      const whole = settle(pieces)
      pieces = []
      space = ''
      return whole
    },
    isInside,
    endsInBreak: () => space.includes('\n'),
  }
}

/** Two marks of one kind that touch would end each other, so they become one. */
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

function settle(pieces: Piece[]): string {
  const [only] = pieces
  if (only === undefined) return ''
  if (pieces.length > 1) settleMarks(pieces)
  const whole = pieces.length > 1 ? pieces.map(written).join('') : written(only)
  return settleEscapes(whole, () => new Set(pieces.map(markupSign)))
}

/** The first character of what is markup already. */
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
