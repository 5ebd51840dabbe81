import { describe, expect, test } from 'vitest'
import { onlyNamed } from '../../src/engine/extract/extraction.ts'
import { fieldsOf, mergePages, missingFrom } from '../../src/engine/extract/merge.ts'

/** Values found on pages, the best first; a name such as `a/1` is a page of the site `a`. */
const merged = (...pages: [page: string, json: unknown][]) =>
  mergePages(pages.map(([page, json]) => ({ url: `https://${page.replace('/', '.test/')}`, json })))

describe('a value', () => {
  test('is that of most sites, in the spelling of the best page; another is reported as disputed', () => {
    const { data, sources, disputed } = merged(
      ['a/1', { city: 'Hull' }],
      ['a/2', { city: 'Hull' }],
      ['a/3', { city: 'Hull' }],
      ['b/1', { city: 'Leeds ' }],
      ['c/1', { city: 'LEEDS' }],
    )
    expect(data).toEqual({ city: 'Leeds ' })
    expect(sources).toEqual({ city: ['https://b.test/1', 'https://c.test/1'] })
    expect(disputed).toEqual(['city'])
  })

  test('is that of most pages if equally many sites name each, then that of the best page', () => {
    expect(merged(['a/1', { n: 1 }], ['a/2', { n: 2 }], ['a/3', { n: 2 }]).data).toEqual({ n: 2 })
    expect(merged(['a/1', { n: 1 }], ['b/1', { n: 2 }]).data).toEqual({ n: 1 })
  })

  test('named like an inherited property of objects is treated as missing', () => {
    const { data, disputed } = merged(['a/1', { name: 'Acme', constructor: 'Smith' }], ['b/1', { name: 'Acme' }])
    expect(data).toEqual({ name: 'Acme', constructor: 'Smith' })
    expect(disputed).toEqual([])
    const first = [{ sku: '1', valueOf: 'x' }]
    expect(merged(['a/1', first], ['b/1', [{ sku: '1' }]]).data).toEqual(first)
  })

  test('that is empty is ignored, and false and zero are values', () => {
    const { data, disputed } = merged(
      ['a/1', { n: null, text: ' ', list: [], object: {}, off: false }],
      ['b/1', { n: 0, text: 'x', off: false }],
    )
    expect(data).toEqual({ n: 0, text: 'x', off: false })
    expect(disputed).toEqual([])
    expect(merged(['a/1', {}]).data).toBeUndefined()
  })
})

describe('a list', () => {
  test('contains the items of all pages, each once, with its sources', () => {
    const { data, sources } = merged(['a/1', { tags: ['New', 'old'] }], ['b/1', { tags: ['new ', 'red'] }])
    expect(data).toEqual({ tags: ['New', 'old', 'red'] })
    expect(sources).toEqual({
      'tags[0]': ['https://a.test/1', 'https://b.test/1'],
      'tags[1]': ['https://a.test/1'],
      'tags[2]': ['https://b.test/1'],
    })
  })

  test('joins what two pages state about one thing, and keeps contradicting ones separate', () => {
    const { data } = merged(
      [
        'a/1',
        {
          items: [
            { name: 'Kettle', price: 40 },
            { name: 'Bowl', price: 9 },
          ],
        },
      ],
      [
        'b/1',
        {
          items: [
            { name: 'kettle', colour: 'red' },
            { name: 'Bowl', price: 8 },
          ],
        },
      ],
    )
    expect(data).toEqual({
      items: [
        { name: 'Kettle', price: 40, colour: 'red' },
        { name: 'Bowl', price: 9 },
        { name: 'Bowl', price: 8 },
      ],
    })
  })

  test('keeps two things of one page with the same name separate', () => {
    const sizes = [
      { name: 'Shirt', size: 'S' },
      { name: 'Shirt', stock: 3 },
    ]
    expect(merged(['a/1', sizes]).data).toEqual(sizes)
  })
})

describe('the fields of a schema', () => {
  const text = { type: 'string' }
  const schema = {
    type: 'object',
    properties: {
      name: text,
      maker: { type: 'object', properties: { city: text, owner: { type: 'object', properties: { name: text } } } },
      items: { type: 'array', items: { type: 'object', properties: { id: text } } },
    },
  }

  test('are named by their paths, and a missing part only as a whole', () => {
    const fields = fieldsOf(schema)
    expect(fields).toEqual(['name', 'maker', 'maker.city', 'maker.owner', 'maker.owner.name', 'items'])
    expect(missingFrom({ name: 'x', maker: { city: 'y' } }, fields)).toEqual(['maker.owner', 'items'])
    expect(fieldsOf(undefined)).toEqual([])
  })

  test('are found if their names contain dots', () => {
    const dotted = { type: 'object', properties: { 'price.usd': text, maker: { properties: { 'a.b': text } } } }
    expect(missingFrom({ 'price.usd': '1', maker: { 'a.b': 'x' } }, fieldsOf(dotted))).toEqual([])
    expect(missingFrom({ maker: {} }, fieldsOf(dotted))).toEqual(['price.usd', 'maker.a.b'])
  })

  test('are the only ones kept, unless the schema permits others', () => {
    const json = { name: 'x', admin: true, maker: { city: 'y', x: 1 }, items: [{ id: '1', y: 2 }] }
    expect(onlyNamed(json, schema)).toEqual({ name: 'x', maker: { city: 'y' }, items: [{ id: '1' }] })
    expect(onlyNamed(json, { ...schema, additionalProperties: true })).toMatchObject({ admin: true })
    expect(onlyNamed(json, undefined)).toEqual(json)
    expect(onlyNamed({ __proto__: null, constructor: 1 }, schema)).toEqual({})
  })
})
