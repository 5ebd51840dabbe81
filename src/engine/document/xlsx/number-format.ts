import { format, getFormatFromId, type Token, tokenize } from 'numfmt'

export type DateSystem = 1900 | 1904

/** The format of an id that files need not define (ISO/IEC 29500-1, 18.8.30). */
export const builtInFormat = (id: number): string => getFormatFromId(id)

/**
 * A number as a spreadsheet shows it by a format code, but for dates, which are ISO 8601 whatever order the code asks for:
 * they must not be mistaken.
 */
export function formatValue(value: number, code = '', system: DateSystem): string {
  if (/^(?:general|@)?$/i.test(code) || code.length > 500) return general(value)
  try {
    const { text, kind } = preparedCode(code)
    // The formatter counts days from 1900 only, and errs on negative durations.
    const shown = kind === 'duration' ? Math.abs(value) : kind === 'date' && system === 1904 ? value + 1462 : value
    if (kind === 'date' && (value < 0 || shown >= year10000)) return general(value)
    const written = format(text, shown).replace(/\s+/g, ' ').trim()
    return kind === 'duration' && value < 0 ? `-${written}` : written || general(value)
  } catch {
    return general(value)
  }
}

/** 1 January 10000, which ISO 8601 has no year for. */
const year10000 = 2_958_466

/** As few digits as tell the number apart, without the noise of binary fractions. */
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

/** As written, without languages: they would change the signs and the names of months. */
const rawOf = ({ type, raw }: Token) => (type === 'LOCALE' ? raw.replace(/-[^\]]*/, '') : raw)

/** A section with its date and time in the order of ISO 8601, as exact as it was. */
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
