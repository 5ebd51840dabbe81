import { expect, test } from 'vitest'
import { factsOf } from '../../src/engine/understand/json/named-facts.ts'
import { fillSchema } from '../../src/engine/understand/json/fill.ts'

const schema = { type: 'object', properties: { name: { type: 'string' } } }
const filled = (metadata: Record<string, unknown>) => fillSchema(schema, { facts: factsOf({ metadata }), tables: [] })

test.each([
  ['Rope | The Shop', { ogSiteName: 'The Shop' }, 'Rope'],
  ['Rope – THE-SHOP', { ogSiteName: 'The shop' }, 'Rope'],
  ['Rope - B&H Photo', { canonical: 'https://www.bhphoto.example/rope' }, 'Rope'],
  ['Rope|shop.example', { ogUrl: 'https://shop.example/rope' }, 'Rope'],
  ['Rope: 8 mm - 20 m | Shop', { canonical: 'https://shop.example/rope' }, 'Rope: 8 mm - 20 m'],
  ['Rope - 20 m', { ogSiteName: 'The Shop' }, 'Rope - 20 m'],
  ['The Shop', { ogSiteName: 'The Shop' }, 'The Shop'],
  ['Shop-soiled rope', { ogSiteName: 'Shop' }, 'Shop-soiled rope'],
  ['Strap for Shop Watch', { ogSiteName: 'Shop' }, 'Strap for Shop Watch'],
])('the title of a page does not include the name of its site: %s', (title, metadata, name) => {
  expect(filled({ title, ...metadata }).value).toEqual({ name })
  expect(filled({ ogTitle: title, ...metadata }).value).toEqual({ name })
})
