import { stemOf } from '../../../util/words.ts'

/** Names that people give to what pages call otherwise, the most usual first. */
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

/** A name as words, whatever its case and separators: `publishDate`, `publish_date` and `Publish date` are one. */
export const wordsOfName = (name: string): string =>
  name
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()

/** Under which names a page may say what is asked for, the best first. */
export function namesFor(asked: string): string[] {
  const words = wordsOfName(asked)
  const field = spellings[words] ?? words
  return [...new Set([words, field, ...(synonyms[field] ?? []).map(wordsOfName)])]
}

/** How well a fact's name fits: 1 for the name itself, less for its synonyms, little for a shared word; below .35 it does not. */
export function fitOf(names: readonly string[], factName: string): number {
  const { whole, last: lastPart, stems: own } = partsOf(factName)
  const exact = names.indexOf(whole)
  if (exact >= 0) return 1 - 0.04 * exact
  const last = lastPart === undefined ? -1 : names.indexOf(lastPart)
  if (last >= 0) return 0.45 - 0.03 * last
  if (isOtherField(whole, names)) return 0
  const asked = partsOf(names[0] ?? '').stems
  const common = [...asked].filter((word) => own.has(word)).length
  return (0.7 * common) / Math.max(own.size, asked.size, 1)
}

/** What pages call another field altogether, such as the day of a change, is not it for a word they share. */
function isOtherField(fact: string, names: readonly string[]): boolean {
  const asked = names.find((name) => synonyms[name] !== undefined)
  const fields = fieldsOf.get(fact)
  return asked !== undefined && fields !== undefined && !fields.includes(asked)
}
const fieldsOf = new Map<string, string[]>()
for (const [field, names] of Object.entries(synonyms))
  for (const name of [field, ...names].map(wordsOfName)) fieldsOf.set(name, [...(fieldsOf.get(name) ?? []), field])

type Parts = { whole: string; last: string | undefined; stems: ReadonlySet<string> }
/** Each field of a schema is compared with the same names. */
const known = new Map<string, Parts>()
const maxKnown = 5000

function partsOf(name: string): Parts {
  const kept = known.get(name)
  if (kept) return kept
  const whole = wordsOfName(name)
  const last = name.includes('.') ? wordsOfName(name.split('.').at(-1) ?? '') : undefined
  const made = { whole, last, stems: new Set(whole.split(' ').filter(Boolean).map(stemOf)) }
  if (known.size >= maxKnown) known.clear()
  known.set(name, made)
  return made
}
