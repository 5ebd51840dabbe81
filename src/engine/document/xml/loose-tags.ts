export type Tag = {
  /** As written, with its prefix, in lower case. */
  name: string
  kind: 'open' | 'close' | 'empty'
  attributes: string
  start: number
  end: number
}

const maxTagChars = 20_000
const tag = /^<(\/?)([a-z_][\w:.-]*)(?![\w:.-])((?:[^<>"']|"[^<"]*"|'[^<']*')*?)(\/?)>/i
/** What is no element, and how it ends. A document type is passed over with the entities it declares. */
const skipped: readonly (readonly [begin: string, end: string])[] = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
]

/** The tags of an XML text in order, however broken it is: a `<` that begins no tag is a character. Time is linear. */
export function* tagsIn(xml: string): Generator<Tag> {
  let at = xml.indexOf('<')
  while (at !== -1) {
    const next = xml.indexOf('<', at + 1)
    const [, begin = '', end = ''] = skippedAt(xml, at)
    if (begin) {
      const close = xml.indexOf(end, at + begin.length)
      at = close === -1 ? -1 : xml.indexOf('<', close + end.length)
      continue
    }
    const found = tag.exec(xml.slice(at, Math.min(next === -1 ? xml.length : next, at + maxTagChars)))
    if (found) yield tagOf(found, at)
    at = next
  }
}

function skippedAt(xml: string, at: number): readonly string[] {
  const rule = skipped.find(([begin]) => xml.startsWith(begin, at))
  if (rule) return ['', ...rule]
  if (!/^<!doctype/i.test(xml.slice(at, at + 9))) return []
  const bracket = xml.indexOf('[', at)
  const close = xml.indexOf('>', at)
  return ['', '<!doctype', bracket !== -1 && bracket < close ? ']>' : '>']
}

function tagOf([whole, slash, name = '', attributes = '', empty]: RegExpExecArray, start: number): Tag {
  const kind = slash ? 'close' : empty ? 'empty' : 'open'
  return { name: name.toLowerCase(), kind, attributes, start, end: start + whole.length }
}

/** Values by name in lower case, with their references resolved. */
export function attributesIn(written: string): ReadonlyMap<string, string> {
  const found = written.matchAll(/(?<![\w:.-])([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)
  return new Map(
    [...found].map(([, name = '', double, single]) => [name.toLowerCase(), unescaped(double ?? single ?? '')]),
  )
}

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** The references every XML reader knows, once: nothing declared is expanded, and what is not known stays as written. */
function unescaped(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|lt|gt|quot|apos));/gi, (whole, decimal, hex, name) => {
    if (name) return named[String(name).toLowerCase()] ?? whole
    const code = decimal ? Number(decimal) : Number.parseInt(String(hex), 16)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ''
  })
}

/** The text of an element as its author meant it: CDATA as it is, references resolved around it. */
export function textIn(raw: string): string {
  if (!raw.includes('<![CDATA[')) return unescaped(raw)
  return raw
    .split('<![CDATA[')
    .map((part, index) => {
      const end = index === 0 ? -1 : part.indexOf(']]>')
      if (index === 0) return unescaped(part)
      return end === -1 ? part : part.slice(0, end) + unescaped(part.slice(end + 3))
    })
    .join('')
}
