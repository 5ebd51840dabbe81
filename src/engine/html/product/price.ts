import type { ProductPrice } from '../../../core/product.ts'
import { currencyCode, currencyIn, minorDigits } from './currency.ts'

/** What is known of a price beside its text. `language` is a BCP 47 tag. */
export type PriceHints = {
  /** As the page writes it beside the price. */
  currency?: string | undefined
  /** ISO code of prices that name none. */
  usualCurrency?: string | undefined
  language?: string | undefined
}

const maxAmount = 1e12
const numeral =
  /\d{1,3}(?:[ \u00A0\u202F\u2009'’]\d{3})+(?!\d)(?:[.,]\d{1,2}(?!\d))?|\d+(?:[.,٫٬]\d+)*|(?<![\d\p{L}])[.,]\d+/u

/** A price in a field or a text, such as 12, "12.50", "1.299,00 €" or "CHF 12.–"; the first of a range. Undefined where there is none. */
export function priceOf(value: unknown, hints: PriceHints): ProductPrice | undefined {
  const { usualCurrency, language } = hints
  const named = currencyCode(hints.currency, language)
  if (typeof value === 'number') return fittingPrice(value, named ?? usualCurrency)
  if (typeof value !== 'string') return undefined
  const text = asciiDigits(value.slice(0, 200)).replace(/(\d)[€£](\d{2})(?!\d)/, '$1.$2€')
  const currency = named ?? currencyIn(text, language) ?? usualCurrency
  const [digits] = numeral.exec(text) ?? []
  if (!digits || /^\s*-\s*\d/.test(text)) return undefined
  const price = fittingPrice(amountOf(digits, currency, language), currency)
  const shown = value.replace(/\s+/g, ' ').trim()
  return price && isShown(shown) ? { ...price, formatted: shown } : price
}

/** A text of the page, not a bare number of its data. */
const isShown = (text: string) => text.length <= 40 && /[^\d.,\s]/.test(text)

function fittingPrice(amount: number, currency: string | undefined): ProductPrice | undefined {
  if (!Number.isFinite(amount) || amount < 0 || amount > maxAmount) return undefined
  return currency ? { amount, currency } : { amount }
}

function amountOf(digits: string, currency: string | undefined, language: string | undefined): number {
  const plain = digits.replace(/[ \u00A0\u202F\u2009'’٬]/g, '').replace('٫', '.')
  const at = decimalAt(plain, currency, language)
  if (at < 0) return Number(plain.replace(/[.,]/g, ''))
  return Number(`${plain.slice(0, at).replace(/[.,]/g, '')}.${plain.slice(at + 1)}`)
}

/** Where the decimal sign stands, -1 where all signs group thousands. */
function decimalAt(digits: string, currency: string | undefined, language: string | undefined): number {
  const last = Math.max(digits.lastIndexOf('.'), digits.lastIndexOf(','))
  if (last < 0) return -1
  const sign = digits[last] ?? ''
  const before = digits.slice(0, last)
  // Of two kinds the last one is the decimal sign; one that is repeated groups thousands.
  if (/[.,]/.test(before)) return before.includes(sign) ? -1 : last
  const looksGrouped = digits.length - last === 4 && /^[1-9]\d{0,2}$/.test(before)
  return looksGrouped && !isDecimal(sign, currency, language) ? -1 : last
}

/** Whether the sign in a number such as 1.299 is a decimal sign: prices hardly ever have three decimals. */
function isDecimal(sign: string, currency: string | undefined, language: string | undefined): boolean {
  const minor = currency === undefined ? 2 : minorDigits(currency)
  if (minor !== 2) return minor === 3
  return language !== undefined && decimalSign(language) === sign
}

function decimalSign(language: string): string | undefined {
  try {
    return new Intl.NumberFormat(language).formatToParts(1.5).find(({ type }) => type === 'decimal')?.value
  } catch {
    return undefined
  }
}

/** Zeros of the decimal digits that shops write: Arabic, Persian, Devanagari, Bengali, Thai, fullwidth. */
const zeros = [0x660, 0x6f0, 0x966, 0x9e6, 0xe50, 0xff10]

function asciiDigits(text: string): string {
  return text.replace(/\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0
    const zero = zeros.find((first) => code >= first && code < first + 10)
    return zero === undefined ? digit : String(code - zero)
  })
}
