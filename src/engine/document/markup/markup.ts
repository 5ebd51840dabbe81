const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => escapes[character] ?? character)
}

export type Attributes = Readonly<Record<string, string | number | undefined>>

/** An element around finished HTML; attributes without a value are left out. */
export function element(name: string, html: string, attributes: Attributes = {}): string {
  return `${openTag(name, attributes)}${html}</${name}>`
}

export function openTag(name: string, attributes: Attributes = {}): string {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${escapeHtml(String(value))}"`)
  return `<${name}${written.join('')}>`
}

/** A picture inside the file: what it shows, and an address that says that it has none. */
export function picture(alt: string | undefined): string {
  const said = alt?.replace(/\s+/g, ' ').trim()
  return said ? openTag('img', { alt: said, src: 'data:,' }) : ''
}

/** A formula as TeX, in the form that the HTML reader takes for one. */
export function formula(tex: string, display: 'block' | 'inline'): string {
  const written = tex.replace(/\s+/g, ' ').trim()
  return written ? element('math', '', { alttext: written, display }) : ''
}

export function heading(level: number, html: string): string {
  if (isBlank(html)) return ''
  return element(`h${Math.min(6, Math.max(1, Math.trunc(level)))}`, html)
}

/** True for markup that shows nothing. */
export function isBlank(html: string): boolean {
  return !/<(?:img|math|table|hr)\b/.test(html) && html.replace(/<[^<>]*>/g, '').trim() === ''
}

export function paragraph(html: string): string {
  return isBlank(html) ? '' : element('p', html)
}

/** Addresses a reader can use; those of the author's own disk and inside the file are not. */
export function usableHref(target: string | undefined): string | undefined {
  const written = target?.trim()
  if (!written || written.startsWith('#') || written.length > 4000) return undefined
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(written)?.[1]?.toLowerCase()
  if (scheme !== undefined && !/^(?:https?|mailto|ftp|tel)$/.test(scheme)) return undefined
  return /^(?:[\\/]{2}|\.\.?\\)/.test(written) && written.includes('\\') ? undefined : written
}
