import { formatDigits } from './number-digits.ts'

/** The formats that files name by number only (ISO/IEC 29500-1, 18.8.30), as far as they differ from General. */
const builtIn = new Map<number, string>([
  [1, '0'],
  [2, '0.00'],
  [3, '#,##0'],
  [4, '#,##0.00'],
  [9, '0%'],
  [10, '0.00%'],
  [11, '0.00E+00'],
  [12, '# ?/?'],
  [13, '# ??/??'],
  ...[14, 15, 27, 30, 31, 36, 50, 54, 57, 58].map((id): [number, string] => [id, 'yyyy-mm-dd']),
  [16, 'mm-dd'],
  [17, 'yyyy-mm'],
  ...[18, 20, 32, 34].map((id): [number, string] => [id, 'hh:mm']),
  ...[19, 21, 33, 35].map((id): [number, string] => [id, 'hh:mm:ss']),
  [22, 'yyyy-mm-dd hh:mm'],
  ...[37, 38].map((id): [number, string] => [id, '#,##0;-#,##0']),
  ...[39, 40].map((id): [number, string] => [id, '#,##0.00;-#,##0.00']),
  [41, '#,##0'],
  [42, '$#,##0'],
  [43, '#,##0.00'],
  [44, '$#,##0.00'],
  [45, 'mm:ss'],
  [46, '[h]:mm:ss'],
  [47, 'mm:ss'],
  [48, '0.0E+0'],
  [49, '@'],
])

export const builtInFormat = (id: number): string | undefined => builtIn.get(id)

export type DateSystem = 1900 | 1904

/**
 * A number as a spreadsheet shows it by a format code, but for dates, which are ISO 8601 whatever order the code asks for:
 * they must not be mistaken.
 */
export function formatValue(value: number, code: string | undefined, system: DateSystem): string {
  if (code === undefined || code.length > 500) return general(value)
  const sections = splitSections(code)
  const { section, isSigned } = choose(sections, value)
  if (isDateFormat(section)) return formatDate(value, section, system) ?? general(value)
  if (!/[0#?]/.test(withoutLiterals(section)))
    return /general|@/i.test(section) || section === '' ? general(value) : literalsOf(section)
  const sign = isSigned && value < 0 ? '-' : ''
  const text = formatDigits(Math.abs(value), section)
  return /[1-9]/.test(text) ? sign + text : text
}

/** As few digits as tell the number apart, without the noise of binary fractions. */
function general(value: number): string {
  return String(Number(value.toPrecision(15)))
}

function choose(sections: readonly string[], value: number): { section: string; isSigned: boolean } {
  const [first = '', second, third] = sections
  const condition = sections.find((section) => meets(section, value))
  if (condition !== undefined) return { section: condition, isSigned: true }
  if (/\[[<>=]/.test(first)) return { section: second ?? first, isSigned: true }
  if (value < 0 && second !== undefined) return { section: second, isSigned: false }
  if (value === 0 && third !== undefined) return { section: third, isSigned: false }
  return { section: first, isSigned: true }
}

function meets(section: string, value: number): boolean {
  const [, sign, number] = /\[(<=|>=|<>|[<>=])(-?[\d.]+)\]/.exec(section) ?? []
  const limit = Number(number)
  if (sign === undefined || Number.isNaN(limit)) return false
  if (sign === '<>') return value !== limit
  return (
    (sign.includes('=') && value === limit) ||
    (sign.includes('<') && value < limit) ||
    (sign.includes('>') && value > limit)
  )
}

/** Quoted text, escaped signs, colours, conditions, and signs that only take room. */
const literal = /"[^"]*"|\\.|\[[^\]]*\]|_.|\*./g

const withoutLiterals = (section: string) => section.replace(literal, '')

function literalsOf(section: string): string {
  return section
    .replace(literal, (part) => (part.startsWith('"') ? part.slice(1, -1) : part.startsWith('\\') ? part.slice(1) : ''))
    .trim()
}

function splitSections(code: string): string[] {
  const sections = ['']
  for (const [part] of code.matchAll(/"[^"]*"?|\\.|\[[^\]]*\]?|;|[^"\\[;]+|./g)) {
    if (part === ';') sections.push('')
    else sections[sections.length - 1] += part
  }
  return sections
}

const dayMs = 86_400_000
const quotedOrHidden = /"[^"]*"|\\.|_.|\*.|\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi

/** True for a section that shows parts of a date or a time. */
function isDateFormat(section: string): boolean {
  const plain = section.replace(quotedOrHidden, '')
  return !/general/i.test(plain) && /[ymdhs]/i.test(plain) && !/[#?]/.test(plain)
}

/** A serial day number as ISO 8601, as exact as the section shows it; undefined for what is no day of the calendar. */
function formatDate(serial: number, section: string, system: 1900 | 1904): string | undefined {
  const plain = section.replace(quotedOrHidden, '')
  if (/\[[hms]+\]/i.test(plain)) return elapsed(serial, plain)
  const seconds = Math.round(serial * 86_400)
  const time = new Date(epochOf(seconds / 86_400, system) + seconds * 1000)
  if (serial < 0 || !(time.getTime() < Date.UTC(10_000, 0))) return undefined
  const iso = time.toISOString()
  const hasTime = /[hs]/i.test(plain)
  const clock = /s/i.test(plain) ? iso.slice(11, 19) : iso.slice(11, 16)
  if (!/[yd]/i.test(plain) && hasTime) return clock
  const day =
    /d/i.test(plain) || !/y/i.test(plain) ? iso.slice(0, 10) : /m/i.test(plain) ? iso.slice(0, 7) : iso.slice(0, 4)
  return hasTime ? `${day} ${clock}` : day
}

/** The system of 1900 counts a 29 February 1900 that never was. */
function epochOf(serial: number, system: 1900 | 1904): number {
  if (system === 1904) return Date.UTC(1904, 0, 1)
  return Date.UTC(1899, 11, 30) + (serial < 60 ? dayMs : 0)
}

const two = (value: number) => String(value).padStart(2, '0')

function elapsed(serial: number, plain: string): string {
  const seconds = Math.round(Math.abs(serial) * 86_400)
  const sign = serial < 0 ? '-' : ''
  if (/\[s/i.test(plain)) return sign + seconds
  const minutes = Math.floor(seconds / 60)
  const rest = /s/i.test(plain) ? `:${two(seconds % 60)}` : ''
  if (/\[m/i.test(plain)) return sign + minutes + rest
  return `${sign}${Math.floor(minutes / 60)}:${two(minutes % 60)}${rest}`
}
