type RtfStyle = { headingLevel?: number; role?: 'code' | 'quote'; isCode?: boolean }
type RtfFont = { label: string | undefined; name: string }

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
    if (key.startsWith('f')) fonts.set(Number(key.slice(1)), { label, name: name.replace(/;.*$/s, '').trim() })
    else if (key) styles.set(key, styleNamed(name.replace(/;.*$/s, '').trim(), outline))
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

/** Windows character sets of fonts, and the code pages of `\ansicpg` that are called otherwise, as labels of decoders. */
const charsets: Readonly<Record<number, string>> = {
  77: 'macintosh',
  128: 'shift_jis',
  129: 'euc-kr',
  134: 'gbk',
  136: 'big5',
  161: 'windows-1253',
  162: 'windows-1254',
  163: 'windows-1258',
  177: 'windows-1255',
  178: 'windows-1256',
  186: 'windows-1257',
  204: 'windows-1251',
  222: 'windows-874',
  238: 'windows-1250',
}
const codePages: Readonly<Record<number, string>> = {
  866: 'ibm866',
  874: 'windows-874',
  932: 'shift_jis',
  936: 'gbk',
  949: 'euc-kr',
  950: 'big5',
  10000: 'macintosh',
  10007: 'x-mac-cyrillic',
  65001: 'utf-8',
}

const charsetLabel = (charset: number): string | undefined => charsets[charset]

export function codePageLabel(page: number): string {
  return codePages[page] ?? (page >= 1250 && page <= 1258 ? `windows-${page}` : 'windows-1252')
}

const decoders = new Map<string, InstanceType<typeof TextDecoder>>()

export function decodeBytes(bytes: readonly number[], label: string): string {
  const decoder = decoders.get(label) ?? new TextDecoder(label)
  decoders.set(label, decoder)
  return decoder.decode(Uint8Array.from(bytes))
}
