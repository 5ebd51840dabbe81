import { format, getFormatFromId, type Token, tokenize } from 'numfmt'

export type DateSystem = 1900 | 1904

/** Returns the format of an id that files need not define (ISO/IEC 29500-1, 18.8.30). */
export const builtInFormat = (id: number): string => getFormatFromId(id)

/**
 * Formats a number by a format code like a spreadsheet, except for dates, which become ISO 8601 regardless of the
 * code's order to avoid ambiguity.
 */
export function formatValue(value: number, code = '', system: DateSystem): string {
  if (/^(?:general|@)?$/i.test(code) || code.length > 500) return general(value)
  try {
    const { text, kind } = preparedCode(code)
    // The formatter counts days from 1900 only, and fails on negative durations.
    const shown = kind === 'duration' ? Math.abs(value) : kind === 'date' && system === 1904 ? value + 1462 : value
    if (kind === 'date' && (value < 0 || shown >= year10000)) return general(value)
    const written = format(text, shown).replace(/\s+/g, ' ').trim()
    return kind === 'duration' && value < 0 ? `-${written}` : written || general(value)
  } catch {
    return general(value)
  }
}

/** 1 January 10000, which ISO 8601 cannot represent with four digits. */
const year10000 = 2_958_466

/** Rounds to the digits that identify the number, without the noise of binary fractions. */
const general = (value: number) => String(Number(value.toPrecision(15)))

type Code = { text: string; kind: 'number' | 'date' | 'duration' }

const maxPrepared = 500
const prepared = new Map<string, Code>()

function preparedCode(code: string): Code {
  const known = prepared.get(code)
  if (known) return known
  if (prepared.size >= maxPrepared) prepared.clear()
  const sections = sectionsOf(tokenize(code)).map(isoSection)
  const kind = sections.find((section) => section.kind !== 'number')?.kind ?? 'number'
  const made = { text: sections.map(({ text }) => text).join(';'), kind }
  prepared.set(code, made)
  return made
}

function sectionsOf(tokens: readonly Token[]): Token[][] {
  const sections: Token[][] = [[]]
  for (const token of tokens)
    if (token.type === 'BREAK') sections.push([])
    else sections.at(-1)?.push(token)
  return sections
}

/** Returns a token as written, without its language, which would change signs and month names. */
const rawOf = ({ type, raw }: Token) => (type === 'LOCALE' ? raw.replace(/-[^\]]*/, '') : raw)

/** Rewrites a section with its date and time in ISO 8601 order, at the same precision. */
function isoSection(tokens: readonly Token[]): Code {
  const parts = tokens.filter(({ type }) => type === 'DATETIME' || type === 'DURATION')
  if (parts.length === 0) return { text: tokens.map(rawOf).join(''), kind: 'number' }
  const conditions = tokens.filter(({ type }) => type === 'CONDITION').map(rawOf)
  const duration = parts.find(({ type }) => type === 'DURATION')
  const letters = parts.map(({ value }) => value).join('')
  const iso = duration ? durationCode(duration.raw, letters) : dateCode(letters)
  return { text: conditions.join('') + iso, kind: duration ? 'duration' : 'date' }
}

function dateCode(letters: string): string {
  const [hasYear, hasDay, hasTime] = [/[yeb]/i, /d/i, /[hs]/i].map((part) => part.test(letters))
  const clock = /s/i.test(letters) ? 'hh:mm:ss' : 'hh:mm'
  if (hasTime && !hasYear && !hasDay) return clock
  const day = hasDay || !hasYear ? 'yyyy-mm-dd' : /m/i.test(letters) ? 'yyyy-mm' : 'yyyy'
  return hasTime ? `${day} ${clock}` : day
}

function durationCode(first: string, letters: string): string {
  if (/h/i.test(first)) return /s/i.test(letters) ? '[h]:mm:ss' : '[h]:mm'
  return /m/i.test(first) && /s/i.test(letters) ? '[m]:ss' : first
}
