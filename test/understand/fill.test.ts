import { describe, expect, test } from 'vitest'
import type { PageContent } from '../../src/contracts/page-content.ts'
import { merged } from '../../src/engine/model/page/json-by-model.ts'
import { fillSchema } from '../../src/engine/understand/json/fill.ts'
import { factsOf, mainEntity, tablesOf } from '../../src/engine/understand/json/named-facts.ts'

function fill(schema: Record<string, unknown>, content: PageContent) {
  const { value, missing } = filled(schema, content)
  return { value, missing }
}
const filled = (schema: Record<string, unknown>, content: PageContent) =>
  fillSchema(schema, { facts: factsOf(content), tables: tablesOf(content.markdown ?? '') })
const object = (properties: Record<string, unknown>) => ({ type: 'object', properties })
const string = { type: 'string' }
const number = { type: 'number' }
const date = { type: 'string', format: 'date' }

const product: PageContent = {
  structuredData: [
    { '@type': 'Organization', name: 'The Shop', url: 'https://shop.test/' },
    {
      '@type': 'Product',
      name: 'Rope &amp; hook',
      sku: 'R-7',
      brand: { '@type': 'Brand', name: 'Knots' },
      offers: { price: '1.299,50', priceCurrency: 'EUR', availability: 'https://schema.org/InStock' },
      aggregateRating: { ratingValue: 4.5, reviewCount: '12' },
    },
  ],
}

describe('structured data', () => {
  test('fills a schema with any spelling of field names', () => {
    const texts = object({ name: string, currency: string, brand: string })
    const value = { name: 'Rope & hook', currency: 'EUR', brand: 'Knots' }
    expect(fill(texts, product)).toEqual({ value, missing: [] })
    const review = { review_count: { type: 'integer' }, rating: { type: ['number', 'null'] } }
    expect(fill(object({ price: number, inStock: { type: 'boolean' }, ...review }), product)).toEqual({
      value: { price: 1299.5, inStock: true, review_count: 12, rating: 4.5 },
      missing: [],
    })
  })

  test('fills nested objects, references, unions and enums', () => {
    const schema = {
      type: 'object',
      $defs: { offer: object({ price: { anyOf: [{ type: 'null' }, number] }, priceCurrency: string }) },
      properties: { offers: { $ref: '#/$defs/offer' }, availability: { enum: ['in stock', 'sold out'] } },
    }
    expect(fill(schema, product).value).toEqual({
      offers: { price: 1299.5, priceCurrency: 'EUR' },
      availability: 'in stock',
    })
  })

  test('about the site is not used for the page', () => {
    expect(fill(object({ name: string }), { structuredData: [product.structuredData?.[0]] })).toEqual({
      value: {},
      missing: ['name'],
    })
    expect(mainEntity(product)).toMatchObject({ sku: 'R-7' })
    expect(mainEntity({})).toBeUndefined()
  })

  test('about one item of a list is used only if the page has the name of the item', () => {
    const products = ['Hook', 'Steel rope', 'Sail'].map((name, at) => ({ '@type': 'Product', name, sku: `S-${at}` }))
    const schema = object({ name: string, sku: string })
    const titled = (title: string): PageContent => ({ structuredData: [{ '@graph': products }], metadata: { title } })
    expect(fill(schema, titled('Steel rope | The Shop')).value).toEqual({ name: 'Steel rope', sku: 'S-1' })
    expect(fill(object({ name: string }), titled('All for ships')).value).toEqual({ name: 'All for ships' })
    const variants = products.map((each) => ({ ...each, name: 'Rope' }))
    const page = { structuredData: variants, metadata: { title: 'For ships' } }
    expect(fill(schema, page).value).toEqual({ name: 'Rope', sku: 'S-0' })
  })
})

const shown = (...facts: [name: string, value: string, weight: number][]): PageContent => ({
  facts: {
    markup: [],
    questions: [],
    shown: facts.map(([name, value, weight]) => ({ name, value, weight, where: 'p' })),
  },
})

describe('data that pages show', () => {
  test('an update date is not taken for the publication date', () => {
    const schema = object({ published: date, updated: date })
    const page = shown(['dateModified', '2026-03-04', 0.7])
    expect(fill(schema, page)).toEqual({ value: { updated: '2026-03-04' }, missing: ['published'] })
    const guessed = { ...page, metadata: { publishedTime: '2026-03-04' } }
    expect(fill(object({ date: string }), guessed).missing).toEqual(['date'])
  })

  test('a price marked in the text outranks one of a meta tag, but not structured data', () => {
    const price = object({ price: number })
    const variants = [{ price: { amount: 50 }, availability: { inStock: true } }]
    const page = { ...shown(['price', 'Price: USD 60.00', 0.95]), product: { title: 'Mug', url: '', variants } }
    expect(fill(price, page).value).toEqual({ price: 60 })
    expect(fill(price, { ...page, structuredData: [{ '@type': 'Product', name: 'Mug' }] }).value).toEqual({ price: 50 })
  })

  test('every value is found in the page', () => {
    const schema = object({
      name: string,
      price: number,
      departures: { type: 'array', items: object({ port: string, price: string }) },
    })
    const markdown = '## Times\n\n| Port | Price |\n| --- | --- |\n| Oslo | 45 € |'
    expect(filled(schema, { ...product, markdown }).evidence).toEqual({
      name: { quote: 'Rope & hook', source: 'json-ld', where: 'name' },
      price: { quote: '1.299,50', source: 'json-ld', where: 'offers.price' },
      'departures[0].port': { quote: 'Oslo', source: 'table', where: 'Times' },
      'departures[0].price': { quote: '45 €', source: 'table', where: 'Times' },
    })
  })
})

describe('text', () => {
  const markdown = `# Night ferry

By Ann Lee

Published: 3 March 2026

- Captain: Bo Berg
- Deck: 4

| Port | Departure | Price |
| --- | --- | --- |
| Oslo | 21:30 | 45 € |
| Kiel | 23:00 | 60 € |

| Length | 120 m |
| --- | --- |
| Width | 20 m |
`

  test('fills labels, bylines, dates and rows of two cells', () => {
    const texts = { title: 'Night ferry', author: 'Ann Lee', captain: 'Bo Berg', width: '20 m' }
    const properties = Object.fromEntries(Object.keys(texts).map((name) => [name, string]))
    const schema = object({ ...properties, published_at: date, deck: { type: 'integer' } })
    expect(fill(schema, { markdown }).value).toEqual({ ...texts, published_at: '2026-03-03', deck: 4 })
  })

  test('fills lists of objects from the table that has their columns', () => {
    const item = object({ port: string, departure: string, price: number })
    expect(fill(object({ departures: { type: 'array', items: item } }), { markdown }).value).toEqual({
      departures: [
        { port: 'Oslo', departure: '21:30', price: 45 },
        { port: 'Kiel', departure: '23:00', price: 60 },
      ],
    })
  })

  test('fills a list that is the only field with the one item of a page, but not with one of several', () => {
    const schema = object({ kettles: { type: 'array', items: object({ name: string, price: number }) } })
    const kettle = '# Whistler\n\nPrice: 40 EUR'
    expect(fill(schema, { markdown: kettle }).value).toEqual({ kettles: [{ name: 'Whistler', price: 40 }] })
    expect(fill(schema, { markdown: `${kettle}\n\nPrice: 50 EUR` }).value).toEqual({})
    const stated = shown(['price', 'Price: 40 EUR In stock', 0.8], ['price', 'Price: 40 EUR', 0.8])
    const kettles = [{ name: 'Whistler', price: 40 }]
    expect(fill(schema, { markdown: '# Whistler', ...stated }).value).toEqual({ kettles })
    const more = object({ ...schema.properties, title: string })
    expect(fill(more, { markdown: kettle }).value).toEqual({ title: 'Whistler' })
  })

  test('never invents anything: missing values are left out and listed', () => {
    const schema = {
      ...object({ title: string, isbn: string, publisher: object({ city: string }) }),
      required: ['isbn'],
    }
    const missing = ['isbn', 'publisher.city', 'publisher']
    expect(fill(schema, { markdown })).toEqual({ value: { title: 'Night ferry' }, missing })
  })
})

test('parts of a long page are merged: the first value counts, lists continue', () => {
  const one = { title: 'A', author: null, items: [{ n: 1 }, { n: 2 }], place: { city: '' } }
  const two = { title: 'B', author: 'Ann', items: [{ n: 2 }, { n: 3 }], place: { city: 'Oslo' } }
  expect(merged(one, two)).toEqual({
    title: 'A',
    author: 'Ann',
    items: [{ n: 1 }, { n: 2 }, { n: 3 }],
    place: { city: 'Oslo' },
  })
})
