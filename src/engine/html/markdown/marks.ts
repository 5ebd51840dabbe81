export type Mark = {
  name: 'strong' | 'emphasis' | 'deleted' | 'link' | 'raised' | 'lowered'
  open: string
  close: string
}

export type Delimiter = {
  kind: 'open' | 'close'
  mark: Mark
  /** What is written; emphasis is settled when both of its neighbours are known. */
  text: string
  /** Punctuation that was moved out of the mark. */
  outside: string
  partner: Delimiter | undefined
}
export type Piece = { kind: 'text' | 'linked' | 'markup'; text: string } | Delimiter

/** True for a character that is neither white space nor punctuation, for which CommonMark §6.2 has no word. */
const isWordy = (character: string): boolean => character !== '' && !/[\s\p{P}\p{S}]/u.test(character)

const firstOf = (text: string) => String.fromCodePoint(text.codePointAt(0) ?? 32)
const lastOf = (text: string) => (/[\uDC00-\uDFFF]$/.test(text) ? text.slice(-2) : text.slice(-1))

const isPaired = (piece: Piece | undefined): piece is Delimiter =>
  piece !== undefined && 'mark' in piece && piece.mark.open === piece.mark.close

/**
 * Makes every delimiter one that renderers see as such (flanking rules of CommonMark 0.31 §6.2). Between a letter and
 * punctuation a delimiter means nothing: `**（注）**文` stays as it is written. There the punctuation moves out of the mark,
 * or, where it is other markup, the mark is left out.
 */
export function settleMarks(pieces: readonly Piece[]): void {
  if (!pieces.some(isPaired)) return
  pieces.forEach((piece, at) => {
    if (piece.kind === 'open' && isPaired(piece)) settleEdge(pieces, at, -1)
  })
  for (let at = pieces.length - 1; at >= 0; at--)
    if (pieces[at]?.kind === 'close' && isPaired(pieces[at])) settleEdge(pieces, at, 1)
  const hasUnderscore = pieces.some((piece) => 'mark' in piece && piece.mark.name === 'lowered')
  pieces.forEach((piece, at) => {
    if (piece.kind === 'open' && piece.mark.name === 'emphasis') settleEmphasis(pieces, at, hasUnderscore ? '*' : '_')
  })
}

/** An underscore inside a word is no markup (CommonMark §6.2), an asterisk is. */
function settleEmphasis(pieces: readonly Piece[], at: number, sign: '*' | '_'): void {
  const opener = pieces[at] as Delimiter
  const { partner } = opener
  if (opener.text === '' || !partner) return
  const isInWord = isWordy(outer(pieces, at, -1)) || isWordy(outer(pieces, pieces.indexOf(partner, at), 1))
  opener.text = isInWord ? '*' : sign
  partner.text = opener.text
}

/** `step` leads out of the mark: -1 from where it opens, 1 from where it closes. */
function settleEdge(pieces: readonly Piece[], at: number, step: -1 | 1): void {
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

/** Characters of punctuation that are looked at; more of it is no word's neighbour. */
const maxMoved = 40
const edge = (step: -1 | 1) => (step < 0 ? /^[\p{P}\p{S}\s]+/u : /[\p{P}\p{S}\s]+$/u)

/** The character outside a delimiter, beyond other marks that begin or end at the same place. */
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

/** The first place on the way that is not another mark that begins or ends together with this one. */
function beyond(pieces: readonly Piece[], at: number, step: number): number {
  const kind = pieces[at]?.kind
  let i = at + step
  while (pieces[i]?.kind === kind && isPaired(pieces[i])) i += step
  return i
}
