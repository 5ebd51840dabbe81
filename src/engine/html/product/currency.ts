/** Signs of one currency each; longer ones first, because "R$" ends in "$". */
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

/** Signs that several currencies share, by the country of the page. */
const shared: readonly (readonly [RegExp, Readonly<Record<string, string>>, fallback: string | undefined])[] = [
  [
    /\$/,
    {
      CA: 'CAD',
      AU: 'AUD',
      NZ: 'NZD',
      SG: 'SGD',
      HK: 'HKD',
      TW: 'TWD',
      MX: 'MXN',
      AR: 'ARS',
      CL: 'CLP',
      CO: 'COP',
      UY: 'UYU',
    },
    'USD',
  ],
  [/[¥¥]/, { CN: 'CNY' }, 'JPY'],
  [/(?<!\p{L})kr(?!\p{L})/iu, { SE: 'SEK', NO: 'NOK', DK: 'DKK', IS: 'ISK' }, undefined],
]

const codes = new Set(Intl.supportedValuesOf('currency'))
const codeWord = /(?<![A-Za-z])[A-Z]{3}(?![A-Za-z])/g

/** ISO 4217 code of the currency that a text names by code, word or sign; `language` (BCP 47) tells dollars and crowns apart. */
export function currencyIn(text: string, language: string | undefined): string | undefined {
  const code = (text.match(codeWord) ?? []).find((word) => codes.has(word))
  if (code) return code
  const sign = signs.find(([pattern]) => pattern.test(text))
  if (sign) return sign[1]
  const [, byCountry, fallback] = shared.find(([pattern]) => pattern.test(text)) ?? []
  return byCountry?.[countryOf(language) ?? ''] ?? fallback
}

/** A field that is meant for the currency alone, which shops also write in lower case. */
export function currencyCode(field: string | undefined, language: string | undefined): string | undefined {
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

/** Digits after the point in prices of a currency. */
export function minorDigits(currency: string): number {
  return new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2
}
