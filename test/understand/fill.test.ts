import { describe, expect, test } from 'vitest'
import type { PageContent } from '../../src/contracts/page-content.ts'
import { merged } from '../../src/engine/understand/json/by-model.ts'
import { factsOf, mainEntity, tablesOf } from '../../src/engine/understand/json/facts.ts'
import { fillSchema } from '../../src/engine/understand/json/fill.ts'

const fill = (schema: Record<string, unknown>, content: PageContent) =>
  fillSchema(schema, { facts: factsOf(content), tables: tablesOf(content.markdown ?? '') })
const object = (properties: Record<string, unknown>) => ({ type: 'object', properties })
const string = { type: 'string' }

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
  test('fills a schema in whatever spelling it asks', () => {
    const schema = object({
      name: string,
      price: { type: 'number' },
      currency: string,
      inStock: { type: 'boolean' },
      brand: string,
      review_count: { type: 'integer' },
      rating: { type: ['number', 'null'] },
    })
    expect(fill(schema, product)).toEqual({
      value: {
        name: 'Rope & hook',
        price: 1299.5,
        currency: 'EUR',
        inStock: true,
        brand: 'Knots',
        review_count: 12,
        rating: 4.5,
      },
      missing: [],
    })
  })

  test('fills nested objects, references, unions and enums', () => {
    const schema = {
      type: 'object',
      $defs: { offer: object({ price: { anyOf: [{ type: 'null' }, { type: 'number' }] }, priceCurrency: string }) },
      properties: { offers: { $ref: '#/$defs/offer' }, availability: { enum: ['in stock', 'sold out'] } },
    }
    expect(fill(schema, product).value).toEqual({
      offers: { price: 1299.5, priceCurrency: 'EUR' },
      availability: 'in stock',
    })
  })

  test('of the site is not data of the page', () => {
    expect(fill(object({ name: string }), { structuredData: [product.structuredData?.[0]] })).toEqual({
      value: {},
      missing: ['name'],
    })
    expect(mainEntity(product)).toMatchObject({ sku: 'R-7' })
    expect(mainEntity({})).toBeUndefined()
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
    const schema = object({
      title: string,
      author: string,
      published_at: { type: 'string', format: 'date' },
      captain: string,
      deck: { type: 'integer' },
      width: string,
    })
    expect(fill(schema, { markdown }).value).toEqual({
      title: 'Night ferry',
      author: 'Ann Lee',
      published_at: '2026-03-03',
      captain: 'Bo Berg',
      deck: 4,
      width: '20 m',
    })
  })

  test('fills lists of objects from the table that has their columns', () => {
    const item = object({ port: string, departure: string, price: { type: 'number' } })
    expect(fill(object({ departures: { type: 'array', items: item } }), { markdown }).value).toEqual({
      departures: [
        { port: 'Oslo', departure: '21:30', price: 45 },
        { port: 'Kiel', departure: '23:00', price: 60 },
      ],
    })
  })

  test('never makes anything up: what is not said is left out and listed', () => {
    const schema = {
      ...object({ title: string, isbn: string, publisher: object({ city: string }) }),
      required: ['isbn'],
    }
    expect(fill(schema, { markdown })).toEqual({
      value: { title: 'Night ferry' },
      missing: ['isbn', 'publisher.city', 'publisher'],
    })
  })
})

test.each<[string, Record<string, unknown>]>([
  ['a schema that refers to itself', { $ref: '#' }],
  ['a loop of references', { $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } }, $ref: '#/$defs/a' }],
  ['a tree of itself', { type: 'object', properties: { child: { $ref: '#' } } }],
  ['a reference to nowhere', object({ a: { $ref: '#/nowhere' }, b: { $ref: 'https://site.test/' } })],
  ['properties that are none', { type: 'object', properties: { a: true, b: 5, __proto__: string } }],
  ['no schema at all', {}],
])('%s ends', (_, schema) => expect(fill(schema, product).missing).toBeInstanceOf(Array))

test('parts of a long page are merged: the first counts, lists go on', () => {
  const one = { title: 'A', author: null, items: [{ n: 1 }, { n: 2 }], place: { city: '' } }
  const two = { title: 'B', author: 'Ann', items: [{ n: 2 }, { n: 3 }], place: { city: 'Oslo' } }
  expect(merged(one, two)).toEqual({
    title: 'A',
    author: 'Ann',
    items: [{ n: 1 }, { n: 2 }, { n: 3 }],
    place: { city: 'Oslo' },
  })
})
