import { describe, expect, test } from 'vitest'
import { priceOf } from '../../src/engine/html/product/product-price.ts'

describe('a price', () => {
  test.each<[text: string | number, language: string | undefined, amount: number, currency: string | undefined]>([
    ['1.299,00 €', 'de', 1299, 'EUR'],
    ['$1,299.00', 'en', 1299, 'USD'],
    ['CHF 12.–', 'de-CH', 12, 'CHF'],
    ['¥1,200', 'ja', 1200, 'JPY'],
    ['¥1,200', 'zh-CN', 1200, 'CNY'],
    ['12.5', undefined, 12.5, undefined],
    ['1.299', 'de', 1299, undefined],
    ['1.299', undefined, 1299, undefined],
    ['1.299', 'en', 1.299, undefined],
    ['1,299', 'en', 1299, undefined],
    ['0.500', 'de', 0.5, undefined],
    ['1 299,90 kr', 'sv', 1299.9, 'SEK'],
    ["CHF 1'299.50", 'de-CH', 1299.5, 'CHF'],
    ['₹1,29,999.00', 'en-IN', 129_999, 'INR'],
    ['R$ 1.299,90', 'pt-BR', 1299.9, 'BRL'],
    ['US$25', 'en-AU', 25, 'USD'],
    ['299.000 ₫', 'vi', 299_000, 'VND'],
    ['49,99 zł', 'pl', 49.99, 'PLN'],
    ['١٬٢٩٩٫٥٠ SAR', 'ar', 1299.5, 'SAR'],
    ['12€50', 'fr', 12.5, 'EUR'],
    ['$10 – $20', 'en', 10, 'USD'],
    [12.5, undefined, 12.5, undefined],
    [0, undefined, 0, undefined],
  ])('%j in %s is %d %s', (text, language, amount, currency) => {
    const price = priceOf(text, { language })
    expect({ amount: price?.amount, currency: price?.currency }).toEqual({ amount, currency })
  })

  test.each<[currency: string, wanted: string | undefined]>([
    ['eur', 'EUR'],
    ['€', 'EUR'],
    ['Euro', 'EUR'],
    [' USD ', 'USD'],
    ['points', undefined],
  ])('in %j is in %s', (currency, wanted) => expect(priceOf('5', { currency })?.currency).toBe(wanted))

  test('is shown as on the page, unless the data has only a number', () => {
    expect(priceOf(' 1.299,00\n€ ', {})?.formatted).toBe('1.299,00 €')
    expect(priceOf('1299.00', {})).not.toHaveProperty('formatted')
    expect(priceOf(`$5 ${'a'.repeat(60)}`, {})).not.toHaveProperty('formatted')
  })

  test.each<[unknown]>([
    ['call us'],
    [''],
    ['-5'],
    [-5],
    [Number.NaN],
    [Infinity],
    [1e300],
    ['9'.repeat(100)],
    [null],
    [{ amount: 5 }],
    [true],
  ])('is not read from %j', (value) => expect(priceOf(value, { language: 'en' })).toBeUndefined())

  test('is read with an invalid language', () => {
    expect(priceOf('$1.299', { language: 'not a language' })).toMatchObject({ amount: 1299, currency: 'USD' })
  })
})
