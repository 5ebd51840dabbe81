import type { ProductProfile, ProductVariant } from '../../../contracts/page-content.ts'
import { elementsIn } from '../dom/dom.ts'
import type { ElementIndex } from '../dom/element-index.ts'
import { jsonLdData, entitiesIn } from '../structured-data/json-ld.ts'
import type { ParsedPage } from '../parse/parse.ts'
import { mainProduct, type PageIdentity, plainName, plainUrl, productsIn } from './main-product.ts'
import { currencyIn, markedUpProducts, type Metas, metasOf, productOfMetas } from './microdata.ts'
import { type Graph, graphOf, known, listOf, type Entity, textOf } from '../structured-data/entity.ts'
import { shopProducts } from './shopify.ts'
import { variantsOf } from './variants.ts'
import { absoluteUrl } from '../dom/absolute-url.ts'

/**
 * The product that a page is about, from JSON-LD, microdata, RDFa, Shopify's page data and Open Graph tags, in that order of
 * trust. Null when the page describes none, or several of equal standing.
 */
export function productOf(page: ParsedPage, elements: ElementIndex, base: string, url: string): ProductProfile | null {
  const metas = metasOf(elements)
  const data = jsonLdData(elements)
  const graph = graphOf(data.flatMap((each) => [...entitiesIn(each)]))
  const facts = factsOf(page, elements, metas, [url, base])
  const sources = [
    productsIn(data, graph),
    markedUpProducts(page.body),
    shopProducts(elements),
    [productOfMetas(metas)].filter((product) => product !== undefined),
  ]
  const context = { base, url, graph, language: languageOf(page, metas), currency: currencyIn(metas) }
  const profiles: ProductProfile[] = []
  for (const source of sources) {
    const node = mainProduct(source, facts, graph)
    const currency = currencyOf(profiles) ?? context.currency
    const profile = node && profileOf(node, { ...context, currency }, facts)
    if (profile) profiles.push(profile)
  }
  return profiles.length > 0 ? mergedProfile(profiles) : null
}

function factsOf(
  { body }: ParsedPage,
  elements: ElementIndex,
  metas: Metas,
  urls: readonly string[],
): PageIdentity & { title?: string | undefined } {
  const canonical = elements.named('link').find((link) => /\bcanonical\b/i.test(link.getAttribute('rel') ?? ''))
  const heading = textOf(elementsIn(body).find(({ localName }) => localName === 'h1')?.textContent)
  const ogTitle = metas.get('og:title')
  const all = [...urls, canonical?.getAttribute('href') ?? '', metas.get('og:url') ?? ''].map(plainUrl)
  return {
    urls: all.filter((each) => each !== ''),
    names: [heading, ogTitle].map(plainName).filter((each) => each !== ''),
    title: heading ?? ogTitle,
  }
}

/** A locale in the meta tags is more specific than a language without a country. */
function languageOf({ root }: ParsedPage, metas: Metas): string | undefined {
  const language = root.getAttribute('lang')?.trim().replace('_', '-') || undefined
  const locale = metas.get('og:locale')?.replace('_', '-')
  const isNarrower =
    language !== undefined && !language.includes('-') && locale?.toLowerCase().startsWith(`${language.toLowerCase()}-`)
  return isNarrower ? locale : (language ?? locale)
}

type Context = {
  base: string
  url: string
  graph: Graph
  language: string | undefined
  currency: string | undefined
}

function profileOf(
  node: Entity,
  { base, url, graph, language, currency }: Context,
  { title }: { title?: string | undefined },
): ProductProfile | undefined {
  const name = textOf(node['name'], 500) ?? title
  if (!name) return undefined
  const own = listOf(node['url'])[0]
  const address = typeof own === 'string' ? absoluteUrl(own, base) : undefined
  return known<ProductProfile>({
    title: name,
    brand: textOf(node['brand'] ?? node['manufacturer']),
    category: categoryOf(node),
    url: address && /^https?:/.test(address) ? address : url,
    description: textOf(node['description'], 5000),
    variants: variantsOf(node, { base, graph, hints: { language, usualCurrency: currency } }),
  })
}

function categoryOf(node: Entity): string | undefined {
  const names = listOf(node['category']).flatMap((each) => textOf(each) ?? [])
  return names.length > 0 ? names.slice(0, 10).join(' > ') : undefined
}

const currencyOf = (profiles: readonly ProductProfile[]): string | undefined =>
  profiles.flatMap(({ variants }) => variants).find(({ price }) => price?.currency)?.price?.currency

/** The first source wins; later ones fill gaps, and replace the variants when they have more prices. */
function mergedProfile([first, ...others]:
  | (ProductProfile[] & { 0: ProductProfile })
  | ProductProfile[]): ProductProfile {
  return others.reduce((all, other) => (isSame(all, other) ? withGapsFilled(all, other) : all), first as ProductProfile)
}

function isSame(one: ProductProfile, other: ProductProfile): boolean {
  const [a, b] = [` ${plainName(one.title)} `, ` ${plainName(other.title)} `]
  return a.includes(b) || b.includes(a)
}

function withGapsFilled(one: ProductProfile, other: ProductProfile): ProductProfile {
  const [a, b] = [one.variants, other.variants]
  const isMore = pricesIn(b) > pricesIn(a)
  const [mine, theirs] = [a[0], b[0]]
  const isSingle = a.length === 1 && b.length === 1 && mine !== undefined && theirs !== undefined
  const variants = isSingle ? [filledVariant(mine, theirs)] : isMore ? b : a
  return { ...other, ...one, variants }
}

const pricesIn = (variants: readonly ProductVariant[]) => variants.filter(({ price }) => price !== undefined).length

function filledVariant(one: ProductVariant, other: ProductVariant): ProductVariant {
  const isSamePrice = one.price === undefined || one.price.amount === other.price?.amount
  const { sale, ...rest } = other
  const saysMore =
    one.availability.text === undefined && (one.price === undefined || other.availability.text !== undefined)
  return {
    ...rest,
    ...(isSamePrice && sale && { sale }),
    ...one,
    availability: saysMore ? other.availability : one.availability,
  }
}
