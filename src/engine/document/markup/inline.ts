import { escapeHtml, openTag } from './markup.ts'

/** How a stretch of text looks, as far as markdown can say it. */
export type TextStyle = {
  bold?: boolean | undefined
  italic?: boolean | undefined
  strike?: boolean | undefined
  code?: boolean | undefined
  position?: 'sup' | 'sub' | undefined
  href?: string | undefined
}
/** `html` is finished markup (a break, a picture, a reference to a note); `text` is not yet escaped. */
export type TextRun = { style: TextStyle } & ({ text: string } | { html: string })

/** Writes stretches as markup that nests, with neighbours of one style in one element. */
export function inlineHtml(pieces: readonly TextRun[]): string {
  let html = ''
  let open: string[] = []
  for (const piece of joined(pieces)) {
    const tags = tagsOf(piece.style)
    const kept = open.findIndex((tag, depth) => tag !== tags[depth])
    const common = kept < 0 ? open.length : kept
    html += closing(open.slice(common)) + tags.slice(common).join('')
    html += 'text' in piece ? escapeHtml(piece.text) : piece.html
    open = tags
  }
  return html + closing(open)
}

export function plainText(pieces: readonly TextRun[]): string {
  return pieces.map((piece) => ('text' in piece ? piece.text : '')).join('')
}

/** White space between two stretches of one style belongs to them, whatever its own style is. */
function joined(pieces: readonly TextRun[]): TextRun[] {
  return pieces.map((piece, i) => {
    if (!('text' in piece) || piece.text.trim() !== '') return piece
    const before = pieces[i - 1]?.style
    const after = pieces[i + 1]?.style
    const isInside = before && after && tagsOf(before).join() === tagsOf(after).join()
    return { ...piece, style: isInside ? before : piece.style.href ? piece.style : {} }
  })
}

function tagsOf({ href, bold, italic, strike, position, code }: TextStyle): string[] {
  return [
    href ? openTag('a', { href }) : '',
    bold ? '<strong>' : '',
    italic ? '<em>' : '',
    strike ? '<s>' : '',
    position ? `<${position}>` : '',
    code ? '<code>' : '',
  ].filter((tag) => tag !== '')
}

function closing(tags: readonly string[]): string {
  return tags
    .toReversed()
    .map((tag) => `</${/^<(\w+)/.exec(tag)?.[1]}>`)
    .join('')
}
