import { stemOf } from '../../../util/words.ts'

/** Synonyms of field names on pages, the most usual first. */
const synonyms: Readonly<Record<string, readonly string[]>> = {
  title: ['headline', 'name', 'heading', 'ogTitle'],
  headline: ['title', 'name', 'ogTitle'],
  name: ['title', 'headline', 'ogTitle'],
  author: ['author.name', 'creator', 'creator.name', 'byline', 'writer', 'written by'],
  'publish date': [
    'datePublished',
    'publishedTime',
    'published time',
    'published',
    'date',
    'dateCreated',
    'uploadDate',
    'posted',
  ],
  'modified date': ['dateModified', 'modifiedTime', 'updated', 'last updated'],
  description: ['ogDescription', 'summary', 'abstract'],
  summary: ['description', 'abstract', 'ogDescription'],
  price: ['offers.price', 'price amount', 'amount', 'offers.lowPrice', 'lowPrice', 'cost'],
  currency: ['priceCurrency', 'offers.priceCurrency', 'price currency'],
  brand: ['brand.name', 'manufacturer', 'manufacturer.name', 'vendor'],
  sku: ['mpn', 'productID', 'item number', 'model', 'product code'],
  availability: ['offers.availability', 'stock', 'in stock'],
  'in stock': ['availability', 'offers.availability', 'stock'],
  rating: ['aggregateRating.ratingValue', 'ratingValue'],
  'review count': ['aggregateRating.reviewCount', 'reviewCount', 'ratingCount', 'aggregateRating.ratingCount'],
  image: ['ogImage', 'image.url', 'thumbnailUrl'],
  url: ['canonical', 'ogUrl'],
  language: ['inLanguage'],
  tags: ['keywords', 'articleTag'],
  company: ['hiringOrganization.name', 'publisher.name', 'ogSiteName', 'site name'],
  location: ['jobLocation.address.addressLocality', 'location.name', 'address'],
  salary: ['baseSalary.value.value', 'baseSalary.value', 'baseSalary'],
  ingredients: ['recipeIngredient'],
  instructions: ['recipeInstructions.text', 'recipeInstructions'],
}
/** Other spellings of the names above. */
const spellings: Readonly<Record<string, string>> = {
  'date published': 'publish date',
  'published date': 'publish date',
  'publication date': 'publish date',
  published: 'publish date',
  'published at': 'publish date',
  date: 'publish date',
  'updated at': 'modified date',
  updated: 'modified date',
  'last updated': 'modified date',
  modified: 'modified date',
  'date modified': 'modified date',
  'product name': 'name',
  'article title': 'title',
  'page title': 'title',
  writer: 'author',
  manufacturer: 'brand',
  keywords: 'tags',
  'image url': 'image',
  reviews: 'review count',
}

/**
 * Splits a name into lower-case words, regardless of case and separators: `publishDate`, `publish_date` and `Publish
 * date` are equal.
 */
export const wordsOfName = (name: string): string =>
  name
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()

/** Returns the names under which a page may state a field, best first. */
export function namesFor(name: string): string[] {
  const words = wordsOfName(name)
  const field = spellings[words] ?? words
  return [...new Set([words, field, ...(synonyms[field] ?? []).map(wordsOfName)])]
}

/**
 * Rates how well a fact's name fits: 1 for the name itself, less for its synonyms, little for a shared word; below .35
 * it does not match.
 */
export function fitOf(names: readonly string[], factName: string): number {
  const { whole, last: lastPart, stems: own } = partsOf(factName)
  const exact = names.indexOf(whole)
  if (exact >= 0) return 1 - 0.04 * exact
  const last = lastPart === undefined ? -1 : names.indexOf(lastPart)
  if (last >= 0) return 0.45 - 0.03 * last
  if (isOtherField(whole, names)) return 0
  const wanted = partsOf(names[0] ?? '').stems
  const common = [...wanted].filter((word) => own.has(word)).length
  return (0.7 * common) / Math.max(own.size, wanted.size, 1)
}

/** A name that denotes a different field, such as the modification date, does not match because of a shared word. */
function isOtherField(fact: string, names: readonly string[]): boolean {
  const field = names.find((name) => synonyms[name] !== undefined)
  const fields = fieldsOf.get(fact)
  return field !== undefined && fields !== undefined && !fields.includes(field)
}
const fieldsOf = new Map<string, string[]>()
for (const [field, names] of Object.entries(synonyms))
  for (const name of [field, ...names].map(wordsOfName)) fieldsOf.set(name, [...(fieldsOf.get(name) ?? []), field])

type Parts = { whole: string; last: string | undefined; stems: ReadonlySet<string> }
/** Cached, because each field of a schema is compared with the same names. */
const cache = new Map<string, Parts>()
const maxCached = 5000

function partsOf(name: string): Parts {
  const cached = cache.get(name)
  if (cached) return cached
  const whole = wordsOfName(name)
  const last = name.includes('.') ? wordsOfName(name.split('.').at(-1) ?? '') : undefined
  const parts = { whole, last, stems: new Set(whole.split(' ').filter(Boolean).map(stemOf)) }
  if (cache.size >= maxCached) cache.clear()
  cache.set(name, parts)
  return parts
}

/** Keywords of a schema for one value that the built-in extraction supports. */
export type ValueRule = { type?: unknown; format?: unknown; enum?: unknown }

const maxText = 1000

/** Converts a page's text to a value of a type; undefined if it does not fit. */
export function coerce(value: string | number | boolean, rule: ValueRule): unknown {
  if (Array.isArray(rule.enum)) return rule.enum.find((each) => holds(String(value), String(each)))
  const types = [rule.type].flat()
  if (types.includes('integer')) return wholeNumber(value)
  if (types.includes('number')) return numberIn(value)
  if (types.includes('boolean')) return truth(value)
  if (rule.format === 'date' || rule.format === 'date-time') return dateIn(String(value), rule.format)
  const text = String(value)
  if (rule.format === 'uri' || rule.format === 'url') return URL.canParse(text) ? text : undefined
  if (rule.format === 'email') return /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/.exec(text)?.[0]
  return text.length > maxText ? undefined : text
}

const holds = (text: string, word: string) => ` ${wordsOfName(text)} `.includes(` ${wordsOfName(word)} `)

function wholeNumber(value: unknown): number | undefined {
  const number = numberIn(value)
  return number === undefined ? undefined : Math.round(number)
}

/** Parses `1.299,00 €`, `$1,299.00` and `1299` as the same number. */
function numberIn(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  const [digits] =
    /-?\d[\d.,]*/.exec(
      String(value)
        .normalize('NFKC')
        .replace(/[\s'’]/g, ''),
    ) ?? []
  if (digits === undefined) return undefined
  const isComma = /,\d{1,2}$/.test(digits) && !/\.\d{1,2}$/.test(digits)
  const isGrouped = /^-?\d{1,3}(?:\.\d{3})+$/.test(digits)
  const plain = isComma || isGrouped ? digits.replaceAll('.', '').replace(',', '.') : digits.replaceAll(',', '')
  const number = Number(plain.replace(/\.$/, ''))
  return Number.isFinite(number) ? number : undefined
}

function truth(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value
  const text = String(value)
  if (/out ?of ?stock|sold ?out|discontinued|unavailable|^(?:false|no|0)$/i.test(text)) return false
  if (/\b(?:not|no longer|never)\b.{0,20}(?:in ?stock|available)/i.test(text)) return false
  return /in ?stock|available|pre ?order|^(?:true|yes|1)$/i.test(text) ? true : undefined
}

function dateIn(text: string, format: 'date' | 'date-time'): string | undefined {
  const [day] = /^\d{4}-\d\d-\d\d/.exec(text) ?? []
  if (day !== undefined && format === 'date') return day
  // Without a year the engine assumes one: "Issue 5" would become a day in 2001.
  if (!/(?<!\d)\d{4}(?!\d)/.test(text)) return undefined
  const at = new Date(day === text ? text : spelledOut(text))
  if (Number.isNaN(at.getTime())) return undefined
  if (format === 'date-time' && /^\d{4}-\d\d-\d\dT\d/.test(text)) return text
  const hasZone = day === text || /(?:Z|GMT|UTC|[+-]\d\d:?\d\d)\)?$/i.test(text)
  // A date without a time zone is kept as written, regardless of the machine's time zone.
  const local = hasZone && format === 'date-time' ? at : new Date(at.getTime() - at.getTimezoneOffset() * 60_000)
  return format === 'date-time' ? local.toISOString() : local.toISOString().slice(0, 10)
}

/** Rewrites 3rd as 3, and East Asian dates as year/month/day. */
const spelledOut = (text: string) =>
  text
    .replace(/(\d)(?:st|nd|rd|th)\b/, '$1')
    .replace(/^(\d{4})\s*[年년]\s*(\d{1,2})\s*[月월]\s*(\d{1,2})\s*[日일].*$/s, '$1/$2/$3')
