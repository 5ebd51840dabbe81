import type { PageContent, ProductProfile } from '../../../contracts/page-content.ts'
import { isRecord } from '../../../util/json.ts'
import { plainLine } from '../../../util/plain-markdown.ts'

/** Something a page says under a name, such as `offers.price`. The weight tells how much such a place is worth. */
export type Fact = { name: string; value: string | number | boolean; weight: number }
/** A table of a page: the names of its columns, and its rows. */
export type Table = { columns: string[]; rows: string[][] }

const maxFacts = 3000
const maxValue = 2000

/** What the built-in extraction chooses from: structured data, metadata, tables, lists and labelled lines of a page. */
export function factsOf({ metadata = {}, product, structuredData = [], markdown = '' }: PageContent): Fact[] {
  return [
    ...structuredData.flatMap((entity) => [...factsIn(entity, '')]),
    ...productFacts(product),
    ...Object.entries(metadata).flatMap(([name, value]) => fact(name.replace(site, ''), value, weightOfMeta(name))),
    ...markdown.split('\n').flatMap(labelled),
  ].slice(0, maxFacts)
}

const site = /^(?:og|twitter|article|product|dc|dcterms|citation|book|profile)[:._]/i
const weightOfMeta = (name: string) => (/^(?:og|article|product|citation)[:._]|Time$|^author$/.test(name) ? 0.85 : 0.7)

function fact(name: string, value: unknown, weight: number): Fact[] {
  if (typeof value === 'number' || typeof value === 'boolean') return [{ name, value, weight }]
  if (Array.isArray(value)) return value.flatMap((each) => fact(name, each, weight))
  const text = typeof value === 'string' ? withoutEntities(value).replace(/\s+/g, ' ').trim() : ''
  return text === '' || text.length > maxValue ? [] : [{ name, value: text, weight }]
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  bull: '•',
}

/** JSON-LD is often written with the entities of HTML, which it does not have. */
const withoutEntities = (text: string) =>
  text.replace(
    /&(?:#x([\da-f]{1,5})|#(\d{1,6})|([a-z]{2,6}));/gi,
    (written, hex?: string, decimal?: string, name = '') => {
      const point = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
      return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : (entities[name.toLowerCase()] ?? written)
    },
  )

/** They describe the site, or list other pages. */
const ofSite =
  /^(?:WebSite|Organization|Corporation|LocalBusiness|NewsMediaOrganization|BreadcrumbList|ItemList|FAQPage|ImageObject|SearchAction|Person|SiteNavigationElement|WPHeader|WPFooter)$/
const maxDepth = 6

function* factsIn(node: unknown, path: string, depth = 0): Generator<Fact> {
  if (depth > maxDepth) return
  if (Array.isArray(node)) for (const each of node.slice(0, 50)) yield* factsIn(each, path, depth + 1)
  else if (!isRecord(node)) yield* fact(path, node, path.includes('.') ? 0.8 : 1)
  else if (path !== '' || !typesOf(node).some((type) => ofSite.test(type)))
    for (const [name, value] of Object.entries(node)) {
      const inner = name === '@graph' ? path : [path, name].filter(Boolean).join('.')
      if (name === '@graph' || !name.startsWith('@')) yield* factsIn(value, inner, depth + 1)
    }
}

const typesOf = (node: Record<string, unknown>): string[] =>
  [node['@type']].flat().flatMap((type) => (typeof type === 'string' ? type.replace(/^.*[/#:]/, '') : []))

function productFacts(product: ProductProfile | null | undefined): Fact[] {
  if (!product) return []
  const [variant] = product.variants
  const { price, sku, availability } = variant ?? {}
  const named: Record<string, unknown> = {
    name: product.title,
    brand: product.brand,
    category: product.category,
    price: price?.amount,
    currency: price?.currency,
    sku,
    availability: availability && (availability.text ?? (availability.inStock ? 'InStock' : 'OutOfStock')),
  }
  return Object.entries(named).flatMap(([name, value]) => fact(name, value, 1))
}

/** `Label: value`, as a line, an item of a list or a row of two cells; the first heading is a title. */
function labelled(line: string): Fact[] {
  if (/^#\s/.test(line)) return fact('title', plainLine(line), 0.75)
  const cells = cellsOf(line)
  if (cells.length === 2) return fact((cells[0] ?? '').replace(/:$/, ''), cells[1], 0.65)
  const [, label, value] = /^([\p{L}][\p{L}\p{N} /()-]{1,40}):\s+(.{1,300})$/u.exec(plainLine(line)) ?? []
  return label === undefined ? byline(plainLine(line)) : fact(label, value, 0.6)
}

function byline(text: string): Fact[] {
  if (text.length > 120) return []
  const [, author] =
    /^(?:[Ww]ritten |[Pp]osted )?[Bb]y:?\s+(\p{Lu}[\p{L}.'’-]+(?:\s+\p{Lu}[\p{L}.'’-]+){1,3})/u.exec(text) ?? []
  const [date] = datePattern.exec(text) ?? []
  return [...fact('author', author, 0.55), ...fact('datePublished', date, 0.5)]
}
const month = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*'
const datePattern = new RegExp(
  String.raw`\b(?:${month}\.?\s+\d{1,2}(?:st|nd|rd|th)?,?\s+20\d\d|\d{1,2}\.?\s+${month}\.?,?\s+20\d\d|20\d\d-\d\d-\d\d)\b`,
  'i',
)

const isRow = (line: string) => /^\s*\|.*\|\s*$/.test(line)
const isRule = (line: string) => /^\s*\|(?:\s*:?-+:?\s*\|)+\s*$/.test(line)

function cellsOf(line: string): string[] {
  if (!isRow(line) || isRule(line)) return []
  return line
    .trim()
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => plainLine(cell))
}

/** The tables of a page that have a head. */
export function tablesOf(markdown: string): Table[] {
  const tables: Table[] = []
  let open: Table | undefined
  const lines = markdown.split('\n')
  for (const [at, line] of lines.entries()) {
    if (!isRow(line)) open = undefined
    else if (isRule(line)) {
      open = { columns: cellsOf(lines[at - 1] ?? ''), rows: [] }
      tables.push(open)
    } else open?.rows.push(cellsOf(line))
  }
  return tables
}

/** What the page is about, as its structured data says it: an article, a product, an event. */
export function mainEntity({ structuredData = [] }: PageContent): object | undefined {
  const nodes = structuredData
    .flatMap((data) => [data].flat())
    .flatMap((node) => (isRecord(node) ? [node, ...graphOf(node)] : []))
  return nodes.find((node) => typesOf(node).some((type) => !ofSite.test(type) && type !== 'WebPage'))
}

const graphOf = (node: Record<string, unknown>) =>
  Array.isArray(node['@graph']) ? node['@graph'].filter(isRecord) : []
