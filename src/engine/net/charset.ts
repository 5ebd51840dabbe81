import { isAscii, isUtf8 } from 'node:buffer'

/** Replacement character for bytes that are invalid in the charset. */
const replacement = /\uFFFD/g
/** Accented letters and quotation marks whose UTF-8 bytes were decoded as windows-1252 and then encoded again. */
const encodedTwice = /Ã[\u00A0-\u00BC\u0192\u201C\u20AC\u2030]|â€[\u0153\u009D\u02DC\u2122\u201C\u201D\u00A2\u00A6]/g
/** Valid pages may contain a few such characters, such as in quoted text; long pages may contain more. */
const minGarbled = { count: 3, share: 1 / 20_000 }

/** Returns a warning for text with garbled characters; undefined if the text is fine. */
export function garbledText(text: string): string | undefined {
  const least = Math.max(minGarbled.count, text.length * minGarbled.share)
  const lost = countOf(text, replacement)
  if (lost >= least)
    return `${lost} characters of the page are lost (U+FFFD): its bytes do not fit the charset that it declares.`
  // Most pages contain neither of these characters, and `includes` takes a thirtieth of the time.
  return (text.includes('Ã') || text.includes('â€')) && countOf(text, encodedTwice) >= least
    ? 'Letters of the page are garbled (such as Ã© for é): its text was encoded twice before it was sent.'
    : undefined
}

function countOf(text: string, pattern: RegExp): number {
  let found = 0
  for (const _ of text.matchAll(pattern)) found += 1
  return found
}

/**
 * Decodes a page. The charset is the first that is found: the byte order mark; UTF-8 if the page itself declares it (by
 * meta or XML) and all bytes are valid; Content-Type; the page's own declaration; UTF-16 by its zero bytes; UTF-8 if
 * all bytes are valid; a guess by language; windows-1252. `charset` is its WHATWG name in lower case. Invalid bytes
 * become U+FFFD; the function never throws.
 */
export function decodeText(body: Uint8Array, contentType: string | undefined): { text: string; charset: string } {
  const inPage = prescan(body)
  // The Content-Type may only be the server's default.
  const isSurelyUtf8 = inPage === 'utf-8' && !isAscii(body) && isUtf8(body)
  const charset =
    bomOf(body) ?? (isSurelyUtf8 ? inPage : (knownCharset(labelIn(contentType)) ?? inPage ?? detectedCharset(body)))
  return { text: new TextDecoder(charset).decode(body), charset }
}

/** Returns the guessed charset of a text if its sender and first bytes declare none; undefined if not guessed. */
export function guessedCharset(body: Uint8Array, contentType: string | undefined): string | undefined {
  const charset = (bomOf(body) ?? knownCharset(labelIn(contentType))) ? undefined : detectedCharset(body)
  return charset?.startsWith('utf-') ? undefined : charset
}

function bomOf([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  return first === 0xff && second === 0xfe ? 'utf-16le' : undefined
}

function labelIn(contentType = ''): string | undefined {
  const found = /;\s*charset\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s;,]+))/i.exec(contentType)
  return found?.[1] ?? found?.[2] ?? found?.[3]
}

function detectedCharset(body: Uint8Array): string {
  // Check for UTF-16 first: ASCII text encoded as UTF-16 is also valid UTF-8.
  return guessUtf16(body) ?? (isUtf8(body) ? 'utf-8' : (guessByLanguage(body) ?? usualCharset))
}

/**
 * Finds a charset declared in the first 1024 bytes: "prescan a byte stream to determine its encoding" and "get an XML
 * encoding" of the WHATWG HTML standard (13.2.3.2). Undefined if there is none.
 */
function prescan(body: Uint8Array): string | undefined {
  const head = Buffer.from(body.subarray(0, 1024)).toString('latin1')
  if (head.startsWith('<\0?\0x\0')) return 'utf-16le'
  if (head.startsWith('\0<\0?\0x')) return 'utf-16be'
  return inMeta(head) ?? inXml(head)
}

function inMeta(head: string): string | undefined {
  let at = head.indexOf('<')
  while (at !== -1) {
    const { charset, end } = scanTag(head, at)
    if (charset !== undefined) return charset
    at = end === -1 ? -1 : head.indexOf('<', end)
  }
  return undefined
}

/**
 * Parses the markup that starts with the `<` at a position. `end` is where to continue; -1 if that is beyond the head.
 */
function scanTag(head: string, at: number): { end: number; charset?: string | undefined } {
  // The dashes of "<!--" may overlap with those of "-->".
  if (head.startsWith('<!--', at)) return { end: head.indexOf('-->', at + 2) }
  if (matchAt(/<[!/?](?![a-z])|<[!?]/iy, head, at)) return { end: head.indexOf('>', at) }
  const tag = matchAt(/<\/?[a-z][^\t\n\f\r />]*/iy, head, at)
  if (!tag) return { end: at + 1 }
  const { attributes, end } = attributesFrom(head, at + tag[0].length)
  return { end, charset: /^<meta$/i.test(tag[0]) ? charsetOf(attributes) : undefined }
}

const attribute =
  /[\t\n\f\r /]*([^\t\n\f\r />][^\t\n\f\r />=]*)(?:[\t\n\f\r ]*=[\t\n\f\r ]*(?:"([^"]*)"|'([^']*)'|([^\t\n\f\r >]*)))?/y

function attributesFrom(head: string, start: number): { attributes: ReadonlyMap<string, string>; end: number } {
  const attributes = new Map<string, string>()
  let end = start
  for (let found = matchAt(attribute, head, end); found; found = matchAt(attribute, head, end)) {
    const [whole, name = '', double, single, bare = ''] = found
    const key = name.toLowerCase()
    if (!attributes.has(key)) attributes.set(key, double ?? single ?? bare)
    end += whole.length
  }
  return { attributes, end }
}

function charsetOf(attributes: ReadonlyMap<string, string>): string | undefined {
  const isPragma = attributes.get('http-equiv')?.trim().toLowerCase() === 'content-type'
  const label = attributes.get('charset') ?? (isPragma ? labelInContent(attributes.get('content')) : undefined)
  return declared(label)
}

function labelInContent(content = ''): string | undefined {
  const found = /charset\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s;"'][^\s;]*))/i.exec(content)
  return found?.[1] ?? found?.[2] ?? found?.[3]
}

function inXml(head: string): string | undefined {
  const found = /^<\?xml[^>]*?encoding\s*=\s*(?:"([^"\s]*)"|'([^'\s]*)')/.exec(head)
  return declared(found?.[1] ?? found?.[2])
}

/**
 * Returns the charset that a declaration means: one that is readable as ASCII cannot mean UTF-16, and x-user-defined
 * means raw bytes (WHATWG HTML, prescan).
 */
function declared(label: string | undefined): string | undefined {
  if (label?.trim().toLowerCase() === 'x-user-defined') return 'windows-1252'
  const charset = knownCharset(label?.trim())
  return charset?.startsWith('utf-16') ? 'utf-8' : charset
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}

/** Returns the WHATWG name of a label such as "latin1"; undefined if unknown. */
function knownCharset(label: string | undefined): string | undefined {
  if (label === undefined || label === '') return undefined
  try {
    return new TextDecoder(label).encoding
  } catch {
    return undefined
  }
}

type Language = { charset: string; common: RegExp | (() => RegExp); minimum: number }

const sampleBytes = 32_768

/** The most frequent letters of Cyrillic alphabets; the last one does not exist in Russian. */
const cyrillic = /[оеаинтсрвлі]/g

const japanese = /[ぁ-ゖァ-ヺー]/g

/**
 * A charset is likely if the letters that its language uses most are at least the share `minimum` of all non-ASCII
 * letters in the decoded text.
 */
const languages: readonly Language[] = [
  { charset: 'shift_jis', common: japanese, minimum: 0.25 },
  { charset: 'euc-jp', common: japanese, minimum: 0.25 },
  { charset: 'euc-kr', common: /[가-힣]/g, minimum: 0.9 },
  // Both charsets list the characters in everyday use first.
  { charset: 'gb18030', common: () => charactersIn('gb18030', [0xb0, 0xd7], 0xa1), minimum: 0.95 },
  { charset: 'big5', common: () => charactersIn('big5', [0xa4, 0xc6], 0x40), minimum: 0.95 },
  { charset: 'windows-1251', common: cyrillic, minimum: 0.45 },
  { charset: 'koi8-r', common: cyrillic, minimum: 0.45 },
  { charset: 'koi8-u', common: cyrillic, minimum: 0.45 },
  { charset: 'iso-8859-5', common: cyrillic, minimum: 0.45 },
  { charset: 'ibm866', common: cyrillic, minimum: 0.45 },
  { charset: 'windows-1253', common: /[αοιετσνηυρ]/g, minimum: 0.45 },
  { charset: 'windows-1255', common: /[יוהלאמרתבש]/g, minimum: 0.45 },
  { charset: 'windows-1256', common: /[اليمونترب]/g, minimum: 0.45 },
  { charset: 'windows-874', common: /[านรอกเงยลมสว]/g, minimum: 0.5 },
]

const patterns = new Map<string, RegExp>()

/** Returns a pattern of the letters of a two-byte charset whose first byte is in the range `first` to `last`. */
function charactersIn(charset: string, [first, last]: readonly [number, number], firstTrail: number): RegExp {
  const leads = Array.from({ length: last - first + 1 }, (_, index) => first + index)
  const trails = Array.from({ length: 0xff - firstTrail }, (_, index) => firstTrail + index)
  const bytes = Uint8Array.from(leads.flatMap((lead) => trails.flatMap((trail) => [lead, trail])))
  const pattern =
    patterns.get(charset) ?? new RegExp(`[${new TextDecoder(charset).decode(bytes).replace(/\P{L}/gu, '')}]`, 'gu')
  patterns.set(charset, pattern)
  return pattern
}

/**
 * True for bytes that no text contains, in the first 1445 bytes (WHATWG MIME Sniffing, "binary data byte"); for UTF-16,
 * checks its characters.
 */
export function isBinary(bytes: Uint8Array): boolean {
  const start = bytes.subarray(0, 1445)
  const charset = utf16Of(bytes)
  const units = charset ? [...new TextDecoder(charset).decode(start)].map((each) => each.charCodeAt(0)) : start
  return units.some((unit) => unit <= 0x08 || unit === 0x0b || (unit >= 0x0e && unit <= 0x1f && unit !== 0x1b))
}

/** Detects UTF-16 by its byte order mark or by its zero bytes. */
export function utf16Of(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  const [first, second] = bytes
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  return first === 0xff && second === 0xfe ? 'utf-16le' : guessUtf16(bytes)
}

/** Detects UTF-16 without a byte order mark: the markup of a page is ASCII, so every other byte is zero. */
function guessUtf16(body: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  const head = body.subarray(0, 1024)
  if (head.length < 8) return undefined
  const zeros = [0, 1].map((odd) => head.filter((byte, at) => byte === 0 && at % 2 === odd).length / (head.length / 2))
  const [even = 0, odd = 0] = zeros
  if (odd > 0.4 && even < 0.05) return 'utf-16le'
  return even > 0.4 && odd < 0.05 ? 'utf-16be' : undefined
}

/** Guesses a charset for bytes that are not valid UTF-8, by language; undefined if no language is likely. */
function guessByLanguage(body: Uint8Array): string | undefined {
  const start = body.findIndex((byte) => byte > 0x7f)
  const sample = body.subarray(start, start + sampleBytes)
  if (isNearlyUtf8(sample)) return 'utf-8'
  const ranked = languages
    .map((language) => ({ charset: language.charset, score: likelihood(sample, language) / language.minimum }))
    .toSorted((one, other) => other.score - one.score)
  return ranked[0] && ranked[0].score >= 1 ? ranked[0].charset : guessLatin(sample)
}

/**
 * Returns the share of common letters among the non-ASCII letters; 0 if these occur only singly, as accents do in Latin
 * text.
 */
function likelihood(sample: Uint8Array, { charset, common }: Language): number {
  const text = new TextDecoder(charset).decode(sample, { stream: true })
  const letters = countOf(text, /[^\0-\x7f\P{L}]/gu)
  const inRuns = text.match(/[^\0-\x7f\P{L}]{2,}/gu)?.join('').length ?? 0
  if (letters === 0 || inRuns < 0.8 * letters || countOf(text, /\ufffd/g) > 0.01 * letters) return 0
  return countOf(text, common instanceof RegExp ? common : common()) / letters
}

/** True if all but a few characters are valid UTF-8: a single stray byte must not garble a whole page. */
function isNearlyUtf8(sample: Uint8Array): boolean {
  const text = new TextDecoder().decode(sample, { stream: true })
  const bad = countOf(text, /\ufffd/g)
  return countOf(text, /[^\0-\x7f]/g) - bad > 20 * bad
}

/** Non-ASCII letters per language, grouped by the charset of its legacy pages. */
const alphabets: Readonly<Record<string, readonly string[]>> = {
  'windows-1252': [
    'àâæçéèêëîïôœùûüÿ',
    'äöüßé',
    'áéíóúüñ',
    'áâãàçéêíóôõú',
    'àèéìòùî',
    'åäöæøé',
    'áéíóúýþæöð',
    'àçèéíïòóúü',
    'éëïóöüèê',
  ],
  'windows-1250': central(),
  'iso-8859-2': central(),
  'windows-1254': ['çğıöşüâîû'],
  'windows-1257': ['ąčęėįšųūž', 'āčēģīķļņšūž'],
}

/** Alphabets of Polish, Czech, Slovak, Hungarian, Croatian and Slovene, Romanian. */
function central(): readonly string[] {
  return ['ąćęłńóśźż', 'áčďéěíňóřšťúůýž', 'áäčďéíĺľňóôŕšťúýž', 'áéíóöőúüű', 'čćđšž', 'ăâîşţ']
}

const usualCharset = 'windows-1252'

const minLetters = 4

const minShare = 0.95

/** Minimum lead over the share of the usual charset. */
const minLead = 0.1

/** Non-ASCII characters next to letters: in the wrong charset, words contain symbols and control characters. */
const atLetters = /(?<=\p{L})[^\0-\x7f]|[^\0-\x7f](?=[a-z])/gu

/** Symbols that occur next to letters in every language. */
const punctuation = /[\u2010-\u2026\u00a0\u00ab\u00bb\u00a9\u00ae\u2122\u00b0\u00b7\u20ac]/

/**
 * Guesses a charset for Latin text whose accented letters fit no Western European language but fit one further east or
 * south. Undefined for Western Europe and if the evidence is weak.
 */
function guessLatin(sample: Uint8Array): string | undefined {
  const ranked = Object.entries(alphabets)
    .map(([charset, lettersOfEach]) => ({ charset, share: bestShare(sample, charset, lettersOfEach) }))
    .toSorted((one, other) => other.share - one.share)
  const [best] = ranked
  const usualShare = ranked.find(({ charset }) => charset === usualCharset)?.share ?? 0
  return best && best.share >= minShare && best.share - usualShare >= minLead ? best.charset : undefined
}

/** Returns the highest share of letters that belong to a single language. */
function bestShare(sample: Uint8Array, charset: string, lettersOfEach: readonly string[]): number {
  const text = new TextDecoder(charset).decode(sample, { stream: true }).toLowerCase()
  const letters = (text.match(atLetters) ?? []).filter((letter) => !punctuation.test(letter))
  if (letters.length < minLetters) return 0
  const counts = lettersOfEach.map((alphabet) => letters.filter((letter) => alphabet.includes(letter)).length)
  return Math.max(...counts) / letters.length
}
