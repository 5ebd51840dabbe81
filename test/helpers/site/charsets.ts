import { answer, type Route, type Routes } from './route.ts'

/** Tables of the encoders below, derived from TextDecoder: the bytes of every one- and two-byte sequence. */
const tables = new Map<string, Map<string, readonly number[]>>()

/**
 * Encodes a text in any charset that TextDecoder supports, except those with shift states. Throws if a character is not
 * in the charset.
 */
export function encodeAs(charset: string, text: string): Uint8Array {
  if (charset === 'utf-8') return Buffer.from(text)
  if (charset === 'utf-16le') return Buffer.from(text, 'utf16le')
  if (charset === 'utf-16be') return Buffer.from(text, 'utf16le').swap16()
  const table = tables.get(charset) ?? reverseTable(charset)
  tables.set(charset, table)
  return Uint8Array.from(
    [...text].flatMap((character) => {
      const bytes = table.get(character)
      if (!bytes) throw new Error(`${charset} has no "${character}"`)
      return bytes
    }),
  )
}

function reverseTable(charset: string): Map<string, readonly number[]> {
  const decoder = new TextDecoder(charset)
  const table = new Map<string, readonly number[]>()
  const learn = (bytes: readonly number[]) => {
    const text = decoder.decode(Uint8Array.from(bytes))
    if ([...text].length === 1 && text !== '\ufffd' && !table.has(text)) table.set(text, bytes)
  }
  for (let lead = 0; lead < 256; lead++) learn([lead])
  for (let lead = 0x81; lead < 0xff; lead++) for (let trail = 0x30; trail < 0xff; trail++) learn([lead, trail])
  return table
}

/** Prose in the languages of each charset. */
export const samples: Readonly<Record<string, string>> = {
  'utf-8': 'Grüße, 你好, Привет, こんにちは 🎉',
  'utf-16le': 'Grüße, 你好, Привет, こんにちは 🎉',
  'utf-16be': 'Grüße, 你好, Привет, こんにちは 🎉',
  'windows-1252': 'Une journée à l’école – “très” agréable, coûte 5 €',
  'iso-8859-2': 'Příliš žluťoučký kůň úpěl ďábelské ódy, zażółć gęślą jaźń',
  'iso-8859-15': 'Un œuf coûte 5 €, Škoda et Žižka',
  'windows-1251':
    'Все люди рождаются свободными и равными в своём достоинстве и правах. Они наделены разумом и совестью',
  'koi8-r': 'Все люди рождаются свободными и равными в своём достоинстве и правах. Они наделены разумом и совестью',
  shift_jis: '吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。カタカナもある',
  'euc-jp': '吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。カタカナもある',
  'euc-kr': '모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다',
  gb18030: '人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心，并应以兄弟关系的精神相对待',
  big5: '人人生而自由，在尊嚴和權利上一律平等。他們賦有理性和良心，並應以兄弟關係的精神相對待',
}

const inHeader = (charset: string): Route => answerAs(charset, `text/html; charset=${charset}`, '')
const inMeta = (charset: string): Route => answerAs(charset, 'text/html', `<meta charset="${charset}">`)
const nowhere = (charset: string): Route => answerAs(charset, 'text/html', '')

/** `/charset/header/<name>`, `/charset/meta/<name>` and `/charset/undeclared/<name>`. */
export const charsetRoutes: Routes = Object.fromEntries(
  Object.keys(samples).flatMap((charset) => [
    [`/charset/header/${charset}`, inHeader(charset)],
    [`/charset/meta/${charset}`, inMeta(charset)],
    [`/charset/undeclared/${charset}`, nowhere(charset)],
  ]),
)

function answerAs(charset: string, contentType: string, meta: string): Route {
  return (exchange) => {
    const page = `<!doctype html><html><head>${meta}<title>Sample</title></head><body><p>${samples[charset]}</p></body></html>`
    return answer(200, { 'content-type': contentType }, encodeAs(charset, page))(exchange)
  }
}
