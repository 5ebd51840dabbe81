import { isDeepStrictEqual } from 'node:util'
import type * as phones from 'libphonenumber-js/min'
import type { CountryCode, PhoneNumber } from 'libphonenumber-js/min'
import { piiEntities, type PiiEntity, type Redaction } from '../../../schema/scrape/scrape-options.ts'
import { isRecord } from '../../../util/json.ts'
import { createSpanFinder, type Finders } from './find-spans.ts'
import { placeholder, type Span } from './placeholder.ts'
import { redactHtml, redactText } from './redact-html.ts'

/** Our own fields, which contain no text of the page. */
const own = new Set(['scrapeId', 'cachedAt', 'previousScrapeAt'])
const htmlFields = new Set(['html', 'rawHtml'])

export type Redactor = {
  /** Replaces personal data in the source of a page. */
  html(source: string, url: string): string
  /** Replaces personal data in a text other than HTML. */
  text(source: string): string
  /** Replaces personal data in every text within a value. */
  values<T>(value: T): T
  /** Adds names and addresses that a model found, verbatim. */
  learn(named: Finders['named']): void
  /** Writes the replaced parts in the requested style. */
  finish<T>(value: T): T
}

type Library = Pick<typeof phones, 'parsePhoneNumberFromString' | 'isSupportedCountry'>

/** Matches groups of digits with the separators that people write between them. */
const candidate = /(?<![\p{L}\d_@])(?:\+ ?|\+\(|(?<![#&]))[(]?\d(?:[ ().\-/]{0,3}\d){5,16}(?![\d_@]|[\p{L}]{2})/gu
const telLink = /(?<=\b(?:tel|sms|callto|fax):(?:\/\/)?)\+?[\d ().\-/]{3,25}/gi
const groups = /\+?\(?\d+\)?/g
const date = /\b(?:(?:1[89]|20)\d\d([-./ ])\d{1,2}\1\d{1,2}|\d{1,2}([-./ ])\d{1,2}\2(?:1[89]|20)\d\d)\b/
const isbn10 = /^\d{1,5}[- ]\d{1,7}[- ]\d{1,7}[- ][\dX]$/

function passesIsbn10(text: string): boolean {
  const digits = text.replaceAll(/[- ]/g, '')
  const sum = [...digits].reduce((all, digit, at) => all + (10 - at) * Number(digit), 0)
  return digits.length === 10 && sum % 11 === 0
}

/** True for numbers that look like phone numbers but are dates, ISBNs, amounts or versions. */
function isOther(text: string, found: string, start: number): boolean {
  const before = text.slice(Math.max(0, start - 20), start)
  const after = text.slice(start + found.length, start + found.length + 4)
  return (
    date.test(found) ||
    (isbn10.test(found) && passesIsbn10(found)) ||
    /(?:ISBN|ISSN|EAN|GTIN|UPC)(?:-1[03])?:? ?$/i.test(before) ||
    // Amounts, and numbers of parts and versions.
    /[\p{Sc}%]\s?$|\d[-.,/]$|\p{L}-$/u.test(before) ||
    /^(?:[-.,/]\d|\s?[\p{Sc}%])/u.test(after)
  )
}

const digitsOf = (text: string) => text.replaceAll(/\D/g, '')
const groupsOf = (text: string): readonly string[] => text.match(/\d+/g) ?? []

function hasGroupsOf(national: string, found: string, countryCallingCode: string): boolean {
  const [given, its] = [groupsOf(found), groupsOf(national)]
  return its.length > 2 && isDeepStrictEqual(given[0] === countryCallingCode ? given.slice(1) : given, its)
}

/**
 * True if a number without country code is written as in its country: with the national prefix if that country has one,
 * otherwise in groups.
 */
function isNational(found: string, number: PhoneNumber): boolean {
  const { nationalNumber, countryCallingCode } = number
  const national = number.formatNational()
  // North American numbers are written in one way only; invalid ones may be numbers reserved for fiction.
  if (!number.isValid() || (countryCallingCode === '1' && !found.startsWith('(')))
    return hasGroupsOf(national, found, countryCallingCode)
  const [digits, inNational] = [digitsOf(found), digitsOf(national)]
  // A country that writes its numbers without groups has no form to compare with.
  if (inNational !== nationalNumber || national === inNational)
    return digits === inNational && (digits !== nationalNumber || digits.startsWith('0'))
  if (digits !== nationalNumber && digits !== countryCallingCode + nationalNumber) return false
  const parts = groupsOf(found).length
  return digits.startsWith('0') || parts > 2 || (parts === 2 && found.startsWith('('))
}

/** Creates a finder of phone numbers in the forms of these countries, and in international form. */
function createPhoneFinder(library: Library, countries: readonly string[], isEager: boolean) {
  const known = countries.filter((code): code is CountryCode => library.isSupportedCountry(code))
  const homes = [...new Set(known)]
  const numberIn = (text: string, country?: CountryCode) => {
    const options = { ...(country && { defaultCountry: country }), extract: false }
    const number = library.parsePhoneNumberFromString(text, options)
    return number?.isPossible() ? number : undefined
  }
  const isPhone = (found: string): boolean => {
    if (found.startsWith('+')) {
      const number = numberIn(found)
      return number !== undefined && (number.isValid() || number.number.length > 10 || groupsOf(found).length > 2)
    }
    if (/^00[1-9]/.test(found) && numberIn(`+${found.slice(2)}`)?.isValid()) return true
    return homes.some((country) => {
      const number = numberIn(found, country)
      return number !== undefined && (isNational(found, number) || (isEager && number.isValid()))
    })
  }

  /** Returns the longest runs of groups that are phone numbers: two numbers may be next to each other. */
  function numbersIn(text: string, run: string, offset: number): Span[] {
    const parts = [...run.matchAll(groups)].map(({ 0: part, index }) => ({ start: index, end: index + part.length }))
    const spans: Span[] = []
    for (let from = 0; from < parts.length; from += 1) {
      for (let to = parts.length - 1; to >= from; to -= 1) {
        const whole = run.slice(parts[from]!.start, parts[to]!.end)
        const start = parts[from]!.start + (/^\([^)]*$/.test(whole) ? 1 : 0)
        const found = run.slice(start, parts[to]!.end)
        const count = digitsOf(found).length
        if (count < 7 || count > 17 || isOther(text, found, offset + start) || !isPhone(found)) continue
        spans.push({ start: offset + start, end: offset + start + found.length, kind: 'PHONE' })
        from = to
        break
      }
    }
    return spans
  }

  return (text: string): Span[] => [
    ...[...text.matchAll(telLink)].map(({ 0: found, index }): Span => ({
      start: index,
      end: index + found.trimEnd().length,
      kind: 'PHONE',
    })),
    ...[...text.matchAll(candidate)].flatMap(({ 0: run, index }) => numbersIn(text, run, index)),
  ]
}

/** Returns the countries in whose forms a page may write numbers: by its location, domain and language. */
function countriesOf(html: string, url: string, location: string | undefined): string[] {
  const language = /<html\b[^>]{0,2000}?\slang\s*=\s*["']?([a-z]{2,3}(?:-[a-z0-9]{2,8})*)/i.exec(
    html.slice(0, 20_000),
  )?.[1]
  const ending = URL.parse(url)?.hostname.split('.').at(-1)?.toUpperCase() ?? ''
  return [location?.toUpperCase() ?? '', ending === 'UK' ? 'GB' : ending, regionOf(language), 'US'].filter(Boolean)
}

function regionOf(language: string | undefined): string {
  try {
    return language === undefined ? '' : (new Intl.Locale(language).maximize().region ?? '')
  } catch {
    return ''
  }
}

/** Creates a redactor. Loads the phone number library on first use, because most scrapes redact nothing. */
export async function createRedactor(
  { mode, entities, replaceStyle }: Redaction,
  { location, url: pageUrl }: { location?: string | undefined; url?: string | undefined },
): Promise<Redactor> {
  const library = await import('libphonenumber-js/min')
  const isEager = mode === 'aggressive'
  const wanted = new Set<PiiEntity>(entities ?? piiEntities)
  const state = { countries: countriesOf('', '', location), named: [] as Finders['named'] }
  const finder = () => {
    const found = createSpanFinder({
      entities: wanted,
      isEager,
      phones: createPhoneFinder(library, state.countries, isEager),
      named: state.named,
    })
    return (text: string) => found(text).filter((span) => !isOwnHost(text, span, pageUrl))
  }
  let find = finder()
  const replace = ({ kind }: Span, text: string) =>
    `redactedpii${kind.toLowerCase()}${replaceStyle === 'mask' ? `x${text.length}` : ''}z`
  const redactor: Redactor = {
    html(source, url) {
      state.countries = countriesOf(source, url, location)
      find = finder()
      return redactHtml(source, find, replace)
    },
    text: (source) => redactText(source, find, replace),
    values: (value) => mapTexts(value, (text, isHtml) => (isHtml ? redactHtml : redactText)(text, find, replace)),
    learn(named) {
      state.named = [...state.named, ...named.filter(({ kind }) => wanted.has(kind))]
      find = finder()
    },
    finish: (value) => mapTexts(redactor.values(value), (text, isHtml) => inStyle(text, replaceStyle, isHtml)),
  }
  return redactor
}

/** True for the page's own host in a URL: it may be an IP address, and without it the URL could not be fetched. */
const isOwnHost = (text: string, { start, end }: Span, url: string | undefined): boolean =>
  text.slice(start - 2, start) === '//' && text.slice(start, end) === (url && URL.parse(url)?.hostname)

function inStyle(text: string, style: Redaction['replaceStyle'], isHtml: boolean): string {
  return text.replaceAll(placeholder, (_, kind: string, length: string | undefined) => {
    if (style === 'remove') return ''
    if (style === 'mask') return '*'.repeat(Number(length))
    const tag = `<${kind.toUpperCase()}>`
    return isHtml ? tag.replace('<', '&lt;').replace('>', '&gt;') : tag
  })
}

/** Maps every text within a value, and large whole numbers, which may be phone numbers. Data URLs are left out. */
function mapTexts<T>(value: T, map: (text: string, isHtml: boolean) => string): T {
  const walk = (each: unknown, field: string): unknown => {
    if (typeof each === 'string') return each.startsWith('data:') ? each : map(each, htmlFields.has(field))
    if (typeof each === 'number' && Number.isSafeInteger(each) && each > 1e9 && field !== 'at') {
      const text = map(String(each), false)
      return text === String(each) ? each : text
    }
    if (Array.isArray(each)) return each.map((item) => walk(item, field))
    if (!isRecord(each)) return each
    return Object.fromEntries(
      Object.entries(each).map(([name, item]) => [map(name, false), own.has(name) ? item : walk(item, name)]),
    )
  }
  return walk(value, '') as T
}
