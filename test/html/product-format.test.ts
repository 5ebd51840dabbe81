import { describe, expect, test } from 'vitest'
import { Product } from '../../src/schema/scrape/document.ts'
import { jsonLd } from './product-format-data.ts'
import { data, mug, script } from './product-format-frame.ts'
import { markup } from './product-format-markup.ts'
import { read } from './read.ts'

const productOf = (html: string) => {
  const { product } = read(html, ['product'])
  if (product) Product.parse(product)
  return product
}
describe('the product of a page', () => {
  test.each([...jsonLd, ...markup])('is read from %s', (_, html, wanted) => expect(productOf(html)).toEqual(wanted))

  test.each<[name: string, html: string]>([
    ['a page of prose', '<h1>Hello</h1><p>Costs $12.</p>'],
    ['a list of products', data(mug, { ...mug, name: 'Red mug' })],
    ['an ItemList', data({ '@type': 'ItemList', itemListElement: [{ '@type': 'ListItem', item: mug }] })],
    ['a review of a product', data({ '@type': 'Review', itemReviewed: mug })],
    ['an article', data({ '@type': 'Article', name: 'On mugs' }) + '<meta property="og:type" content="article">'],
    ['data that is broken beyond repair', script('{"@type":"Product","name":')],
    ['data that is null, a number and a text', data(null, 7, 'Product')],
    ['a product without any name', data({ '@type': 'Product' })],
  ])('is missing for %s', (_, html) => expect(productOf(html)).toBeNull())

  test('has the dollars of the page’s country', () => {
    const html = `<html lang="en"><meta property="og:locale" content="en_CA"><div itemscope itemtype="https://schema.org/Product"><b itemprop="name">Mug</b><i itemprop="offers" itemscope><b itemprop="price">$12.00</b></i></div>`
    expect(productOf(html)?.variants[0]?.price).toEqual({ amount: 12, currency: 'CAD', formatted: '$12.00' })
  })
})

describe('malicious product data', () => {
  test('changes no prototype and overwrites no field', () => {
    const evil = script(
      `{"@type":"Product","name":"Mug","__proto__":{"polluted":1},"additionalProperty":[{"name":"__proto__","value":"x"},{"name":"constructor","value":"x"},{"name":"Fit","value":"slim"}]}`,
    )
    expect(productOf(evil)?.variants[0]?.values).toEqual({ Fit: 'slim' })
    expect(({} as { polluted?: number }).polluted).toBeUndefined()
  })

  test.each<[name: string, thing: string]>([
    [
      'objects without text',
      '{"@type":"Product","name":"Mug","sku":{"toString":1},"offers":{"price":{"valueOf":1},"availability":{"toString":1},"priceSpecification":{"priceType":{"toString":1}},"inventoryLevel":{"value":{"valueOf":1}}},"image":{"height":{"toString":1}},"height":{"toString":1}}',
    ],
    [
      'names within names',
      `{"@type":"Product","name":"Mug","brand":${'{"name":'.repeat(20_000)}1${'}'.repeat(20_000)}}`,
    ],
    ['lists within lists', `{"@type":"Product","name":"Mug","offers":${'['.repeat(50_000)}${']'.repeat(50_000)}}`],
    [
      'ids that go in a circle',
      '{"@graph":[{"@type":"Product","@id":"a","name":"Mug","isVariantOf":{"@id":"a"},"hasVariant":[{"@id":"a"}],"sku":"1"}]}',
    ],
  ])('with %s is harmless', (_, thing) => {
    expect(read(script(thing), ['product', 'media', 'metadata']).product?.title).toBe('Mug')
  })

  test('is truncated if there is too much', () => {
    const many = {
      '@type': 'ProductGroup',
      name: 'a'.repeat(5000),
      description: 'b'.repeat(50_000),
      image: Array.from({ length: 900 }, (_, i) => `/${i}.jpg`),
      hasVariant: Array.from({ length: 900 }, (_, i) => ({ '@type': 'Product', sku: `${i}` })),
    }
    const product = productOf(data(many))
    expect(product?.title).toHaveLength(500)
    expect(product?.description).toHaveLength(5000)
    expect(product?.variants).toHaveLength(250)
    expect(JSON.stringify(product).length).toBeLessThan(100_000)
  })

  test.each<[name: string, html: string]>([
    ['escaped quotes without an end', script(`{"a":"${'\\"'.repeat(240_000)}`)],
    ['comments without an end', script('/*'.repeat(240_000))],
    ['a run of blanks', script(`{"@type":${' '.repeat(480_000)}`)],
    ['commas and blanks', script(`[${', '.repeat(240_000)}`)],
    ['products within products', '<div itemscope itemprop="about" itemtype="https://schema.org/Product">'.repeat(5000)],
  ])('is read in bounded time with %s', (_, html) => {
    // Each of these would take minutes if the time were quadratic in the length.
    expect(productOf(html)).toBeNull()
  })
})
