import type { ProductPrice } from '../../../contracts/page-content.ts'

/** Context for parsing a price. `language` is a BCP 47 tag. */
export type PriceHints = {
  /** Currency as written on the page. */
  currency?: string | undefined
  /** ISO code for prices without a currency. */
  usualCurrency?: string | undefined
  language?: string | undefined
}

const maxAmount = 1e12
const numeral =
  /\d{1,3}(?:[ \u00A0\u202F\u2009'’]\d{3})+(?!\d)(?:[.,]\d{1,2}(?!\d))?|\d+(?:[.,٫٬]\d+)*|(?<![\d\p{L}])[.,]\d+/u

/**
 * Parses a price in a field or a text, such as 12, "12.50", "1.299,00 €" or "CHF 12.–"; the first of a range. Undefined
 * if there is none.
 */
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

/** True for text as shown on the page, in contrast to a bare number from its data. */
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

/** Returns the index of the decimal sign, or -1 if all signs group thousands. */
function decimalAt(digits: string, currency: string | undefined, language: string | undefined): number {
  const last = Math.max(digits.lastIndexOf('.'), digits.lastIndexOf(','))
  if (last < 0) return -1
  const sign = digits[last] ?? ''
  const before = digits.slice(0, last)
  // If both signs occur, the last one is the decimal sign; a repeated one groups thousands.
  if (/[.,]/.test(before)) return before.includes(sign) ? -1 : last
  const looksGrouped = digits.length - last === 4 && /^[1-9]\d{0,2}$/.test(before)
  return looksGrouped && !isDecimal(sign, currency, language) ? -1 : last
}

/** True if the sign in a number such as 1.299 is a decimal sign: prices hardly ever have three decimals. */
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

/** Zeros of the decimal digits used by shops: Arabic, Persian, Devanagari, Bengali, Thai, fullwidth. */
const zeros = [0x660, 0x6f0, 0x966, 0x9e6, 0xe50, 0xff10]

function asciiDigits(text: string): string {
  return text.replace(/\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0
    const zero = zeros.find((first) => code >= first && code < first + 10)
    return zero === undefined ? digit : String(code - zero)
  })
}

/** Signs of a single currency; longer ones first, because "R$" ends in "$". */
const signs: readonly (readonly [RegExp, string])[] = [
  [/R\$/, 'BRL'],
  [/US\s?\$|U\$S/, 'USD'],
  [/CA?\s?\$/, 'CAD'],
  [/AU?\s?\$/, 'AUD'],
  [/NZ\s?\$/, 'NZD'],
  [/HK\s?\$/, 'HKD'],
  [/NT\s?\$/, 'TWD'],
  [/MX?\s?\$/, 'MXN'],
  [/S\$/, 'SGD'],
  [/€|\beuros?\b/i, 'EUR'],
  [/£|\bGBP\b/, 'GBP'],
  [/(?:CN|RMB)\s?[¥¥]|元|\bRMB\b/, 'CNY'],
  [/円/, 'JPY'],
  [/₹|\bRs\.?(?=\s?\d)/, 'INR'],
  [/₩|원/, 'KRW'],
  [/₽|руб/i, 'RUB'],
  [/₺|\bTL\b/, 'TRY'],
  [/₫|\bđ(?!\p{L})/u, 'VND'],
  [/₴|грн/i, 'UAH'],
  [/₪/, 'ILS'],
  [/฿/, 'THB'],
  [/₱/, 'PHP'],
  [/₦/, 'NGN'],
  [/₸/, 'KZT'],
  [/zł(?!\p{L})/iu, 'PLN'],
  [/Kč/i, 'CZK'],
  [/\bFt\b/, 'HUF'],
  [/(?<!\p{L})(?:lei|leu)(?!\p{L})/iu, 'RON'],
  [/(?<!\p{L})лв/iu, 'BGN'],
  [/(?<!\p{L})S?Fr\.?(?!\p{L})/u, 'CHF'],
  [/\bRp\b/, 'IDR'],
  [/\bRM(?=\s?\d)/, 'MYR'],
]

/** Signs shared by several currencies, resolved by the country of the page. */
const shared: readonly (readonly [RegExp, Readonly<Record<string, string>>, fallback: string | undefined])[] = [
  [
    /\$/,
    Object.fromEntries(
      'CAD AUD NZD SGD HKD TWD MXN ARS CLP COP UYU'.split(' ').map((code) => [code.slice(0, 2), code]),
    ),
    'USD',
  ],
  [/[¥¥]/, { CN: 'CNY' }, 'JPY'],
  [/(?<!\p{L})kr(?!\p{L})/iu, { SE: 'SEK', NO: 'NOK', DK: 'DKK', IS: 'ISK' }, undefined],
]

const codes = new Set(Intl.supportedValuesOf('currency'))
const codeWord = /(?<![A-Za-z])[A-Z]{3}(?![A-Za-z])/g

/**
 * Returns the ISO 4217 code of the currency that a text names by code, word or sign; the country of `language` (BCP 47)
 * decides between dollars, between crowns, and between yen and yuan.
 */
function currencyIn(text: string, language: string | undefined): string | undefined {
  const code = (text.match(codeWord) ?? []).find((word) => codes.has(word))
  if (code) return code
  const sign = signs.find(([pattern]) => pattern.test(text))
  if (sign) return sign[1]
  const [, byCountry, fallback] = shared.find(([pattern]) => pattern.test(text)) ?? []
  return byCountry?.[countryOf(language) ?? ''] ?? fallback
}

/** Parses a field for the currency alone, which shops also write in lower case. */
function currencyCode(field: string | undefined, language: string | undefined): string | undefined {
  const text = field?.trim().slice(0, 20) ?? ''
  return codes.has(text.toUpperCase()) ? text.toUpperCase() : currencyIn(text, language)
}

function countryOf(language: string | undefined): string | undefined {
  try {
    return language ? new Intl.Locale(language).maximize().region : undefined
  } catch {
    return undefined
  }
}

/** Returns the number of decimal digits in prices of a currency. */
function minorDigits(currency: string): number {
  return new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2
}
