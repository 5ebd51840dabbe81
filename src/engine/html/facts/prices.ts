import { classOf, closest, type Element } from '../dom/dom.ts'
import { priceOf } from '../product/price.ts'
import { selectorOf, type Spot, type Surroundings } from './surroundings.ts'
import type { ShownFact } from '../../../contracts/page-content.ts'

/** How far after the headline a price is still that of the page's own thing, in elements. */
const maxDistance = 700
const maxText = 70
const sign = String.raw`(?:[A-Z]{0,3}\s?[$€£¥₹₩₽₺฿₫₪₴₱]|kr\.?|zł|Kč|Ft|lei|CHF|EUR|USD|GBP|SEK|NOK|DKK|PLN|CAD|AUD|Rs\.?|TL)`
const amount = String.raw`\d[\d.,'’\u00A0\u202F ]*`
const money = new RegExp(String.raw`${sign}\s?${amount}|${amount}\s?${sign}(?!\p{L})`, 'u')
/** An amount of money and little else. */
const bare = new RegExp(
  String.raw`^(?:(?:(?:sale|current|our|your|unit|regular|now)\s+)?price(?:\s+is)?:?|now:?|from:?|only:?|prix|preis|precio)?\s*(?:${sign}\s*){1,2}${amount}(?:${sign})?$|^(?:price:?\s*)?${amount}\s?${sign}(?!\p{L})`,
  'iu',
)
const priceWord =
  /(?:^|[-_\s])(?:price|prices|pricing|amount|cost|prix|preis|precio)(?:$|[-_\s\d])|[a-z]Price|price[A-Z_]/
/** Prices of before, of parts, of rates, and amounts that are no prices. */
const otherPrice =
  /(?:^|[-_\s])(?:old|was|before|original|regular|compare\w*|crossed|strike\w*|list|msrp|rrp|uvp|rabatt|save|saving|savings|discount-?(?:amount|value)?|unit|per|installments?|instalment|shipping|delivery|rewards?|points|financing|monthly|klarna|afterpay|affirm|subtotal|total|tax|tiers?|bulk)(?:$|[-_\s])/i
const otherWords =
  /\b(?:was|before|original(?:ly)?|regular price|list price|msrp|rrp|you save|save|off|per month|\/\s?mo|installments?|interest-free|payments? of|shipping|delivery|orders? (?:over|above)|free over|gift card|pickup|rewards?|points|deposit|trade-?in)\b/i

/** What the thing of the page costs, as it is shown below its headline. */
export function pricesIn({ headline, spots }: Surroundings): ShownFact[] {
  if (!headline) return []
  const found = spots
    .filter(({ distance, text }) => Math.abs(distance) <= maxDistance && text.length <= maxText)
    .flatMap(priceAt)
  return found
    .filter(({ where }) => !isList(found.filter((other) => other.where === where)))
    .toSorted((one, other) => other.weight - one.weight)
    .slice(0, 4)
}

/** Many prices of one look are those of other things, such as offers and accessories. */
const isList = (alike: readonly ShownFact[]) => new Set(alike.map(({ value }) => value)).size > 2

function priceAt({ element, text, distance }: Spot): ShownFact[] {
  const marks = marksOf(element)
  if (otherPrice.test(marks) || otherWords.test(text) || isStruck(element)) return []
  const isMarked = priceWord.test(marks)
  const value = bare.test(text) ? text : isMarked ? amountIn(text) : undefined
  if (value === undefined || !priceOf(value, {})?.amount) return []
  const far = 0.3 * (Math.abs(distance) / maxDistance) + (distance < 0 ? 0.1 : 0)
  return [{ name: 'price', value, weight: trustIn(text, isMarked) - far, where: selectorOf(element) }]
}

/** The amount in a text that its class calls a price: one of money, or a bare number. */
const amountIn = (text: string): string | undefined =>
  /^\D{0,12}\d/.test(text) ? (money.exec(text)?.[0] ?? /^\d[\d.,]*$/.exec(text)?.[0]) : undefined

function trustIn(text: string, isMarked: boolean): number {
  if (/^(?:(?:sale|current|our)\s+)?price\b/i.test(text)) return 0.99
  if (!isMarked) return 0.62
  return bare.test(text) ? 0.8 : 0.7
}

const isStruck = (element: Element) =>
  closest(element, ({ localName }) => /^(?:del|s|strike)$/.test(localName), 4) !== undefined

/** Classes, ids and test ids of an element and the two around it. */
function marksOf(element: Element): string {
  const around = [element, element.parentNode, element.parentNode?.parentNode]
  return around
    .flatMap((each) =>
      each
        ? [classOf(each), each.getAttribute('id'), each.getAttribute('data-testid'), each.getAttribute('itemprop')]
        : [],
    )
    .filter(Boolean)
    .join(' ')
}
