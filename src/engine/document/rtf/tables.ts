import { charsetLabel } from './charset.ts'

export type RtfStyle = { headingLevel?: number; role?: 'code' | 'quote'; isCode?: boolean }
export type RtfFont = { label: string | undefined; name: string }

/** The fonts and styles that a file lists at its start, by number. */
export type RtfTables = {
  fonts: Map<number, RtfFont>
  styles: Map<string, RtfStyle>
  word(name: string, value: number | undefined): void
  text(text: string): void
  /** The end of an entry. */
  end(): void
}

export function createTables(): RtfTables {
  const fonts = new Map<number, RtfFont>()
  const styles = new Map<string, RtfStyle>()
  let key = ''
  let name = ''
  let outline: number | undefined
  let label: string | undefined
  const end = () => {
    if (key.startsWith('f')) fonts.set(Number(key.slice(1)), { label, name: name.replace(/;.*$/, '').trim() })
    else if (key) styles.set(key, styleNamed(name.replace(/;.*$/, '').trim(), outline))
    key = name = ''
    outline = label = undefined
  }
  return {
    fonts,
    styles,
    word(word, value) {
      // The fonts of a style are no fonts of the table.
      if (/^(?:s|cs|f)$/.test(word) && value !== undefined && key === '') key = word + value
      if (word === 'fcharset' && value !== undefined) label = charsetLabel(value)
      if (word === 'outlinelevel') outline = value
    },
    text(text) {
      if (name.length < 200) name += text
      if (text.includes(';')) end()
    },
    end,
  }
}

function styleNamed(name: string, outline: number | undefined): RtfStyle {
  const level = /^heading ([1-9])\b/i.exec(name)?.[1]
  const headingLevel =
    level !== undefined
      ? Number(level)
      : /^title$/i.test(name)
        ? 1
        : outline === undefined || outline > 8
          ? undefined
          : outline + 1
  const isCode = /preformatted|^(?:source text|teletype|verbatim(?: char)?)$|\bcode\b/i.test(name)
  const role = isCode ? 'code' : /^(?:intense )?quot(?:e|ations?)$/i.test(name) ? 'quote' : undefined
  return { ...(headingLevel !== undefined && { headingLevel }), ...(role && { role }), ...(isCode && { isCode }) }
}
