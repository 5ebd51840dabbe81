const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => escapes[character] ?? character)
}

type Attributes = Readonly<Record<string, string | number | undefined>>

/** Wraps finished HTML in an element; attributes without a value are omitted. */
export function element(name: string, html: string, attributes: Attributes = {}): string {
  return `${openTag(name, attributes)}${html}</${name}>`
}

export function openTag(name: string, attributes: Attributes = {}): string {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${escapeHtml(String(value))}"`)
  return `<${name}${written.join('')}>`
}

/** Returns the file name in a path, which describes a picture without a description. */
export const fileNameIn = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** Writes a picture inside the file: its description, and a placeholder URL. */
export function picture(alt: string | undefined): string {
  const label = alt?.replace(/\s+/g, ' ').trim()
  return label ? openTag('img', { alt: label, src: 'data:,' }) : ''
}

/** Writes a formula as TeX, in the form that the HTML reader recognises. */
export function formula(tex: string, display: 'block' | 'inline'): string {
  const written = tex.replace(/\s+/g, ' ').trim()
  return written ? element('math', '', { alttext: written, display }) : ''
}

export function heading(level: number, html: string): string {
  if (isBlank(html)) return ''
  return element(`h${Math.min(6, Math.max(1, Math.trunc(level)))}`, html)
}

/** True for markup without visible content. */
export function isBlank(html: string): boolean {
  return !/<(?:img|math|table|hr)\b/.test(html) && html.replace(/<[^<>]*>/g, '').trim() === ''
}

export function paragraph(html: string): string {
  return isBlank(html) ? '' : element('p', html)
}

/** Renders plain text: blank lines separate paragraphs, other line breaks are kept. */
export function htmlOfText(text: string, escape = escapeHtml): string {
  return text
    .split(/\n\s*\n/)
    .map((part) => paragraph(escape(part.trim()).replaceAll('\n', '<br>')))
    .join('')
}

/** Returns the URL of a link; undefined for a place on the author's disk or inside the file. */
export function usableHref(target: string | undefined): string | undefined {
  const written = target?.trim()
  if (!written || written.startsWith('#') || written.length > 4000) return undefined
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(written)?.[1]?.toLowerCase()
  if (scheme !== undefined && !/^(?:https?|mailto|ftp|tel)$/.test(scheme)) return undefined
  return /^(?:[\\/]{2}|\.\.?\\)/.test(written) && written.includes('\\') ? undefined : written
}

/** Style of a text run, as far as markdown supports it. */
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

/** Writes runs as nested markup, with adjacent runs of one style in one element. */
export function inlineHtml(pieces: readonly TextRun[]): string {
  let html = ''
  let open: string[] = []
  for (const piece of joined(pieces)) {
    const tags = tagsOf(piece.style)
    const change = open.findIndex((tag, depth) => tag !== tags[depth])
    const common = change < 0 ? open.length : change
    html += closing(open.slice(common)) + tags.slice(common).join('')
    html += 'text' in piece ? escapeHtml(piece.text) : piece.html
    open = tags
  }
  return html + closing(open)
}

/** Returns the runs of a heading, which is bold anyway. */
export const withoutBold = (pieces: readonly TextRun[]): TextRun[] =>
  pieces.map((piece) => ({ ...piece, style: { ...piece.style, bold: false } }))

/** Returns a line of code as written, with its line breaks. */
export const codeText = (pieces: readonly TextRun[]): string =>
  pieces.map((piece) => ('text' in piece ? piece.text : piece.html === '<br>' ? '\n' : '')).join('')

/** White space between two runs of one style takes that style. */
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
