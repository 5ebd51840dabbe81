import { afterAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { defineOperation } from '../../src/kernel/operation.ts'
import { readInput } from '../../src/kernel/lenient/read-leniently.ts'
import { readLeniently } from '../../src/middleware/check-input.ts'
import { fakeCtx } from '../helpers/fakes.ts'
import { toy, under } from '../middleware/toy.ts'
import { openTools, operationOf } from './corpus.ts'

const read = (name: string, sent: Record<string, unknown>) => readInput(operationOf(name), sent)
const url = 'https://example.com'

describe('input with several possible meanings', () => {
  test.each<[string, Record<string, unknown>]>([
    ['two names of one field with two values', { url, maxPages: 5, max_results: 6 }],
    ['a number for an address', { url: 5 }],
    ['a number with a unit', { url, delay: '2s' }],
    ['a number with a separator', { url, limit: '1,000' }],
    ['an unknown enum value', { url, sitemap: 'all' }],
    ['a pattern with a comma, which may separate two', { url, includePaths: 'a,b' }],
    ['two values for a single field', { url: [url, url] }],
    ['truncated JSON', { url, scrapeOptions: '{"formats": [' }],
    ['names that objects inherit', { url, constructor: 5, toString: 'x', hasOwnProperty: true }],
  ])('stays unchanged: %s', (_what, sent) => expect(read('crawl', sent)).toEqual({ input: sent, warning: undefined }))

  test('stays unchanged: a word that may mean two values of an enum', () => {
    const operation = defineOperation({
      ...toy(),
      route: 'POST /v2/toy',
      input: z.object({ text: z.enum(['aB', 'a_b', 'c']) }),
    })
    expect(readInput(operation, { text: 'AB' }).input).toEqual({ text: 'AB' })
    expect(readInput(operation, { text: 'C' }).input).toEqual({ text: 'c' })
  })
})

test('the names shown to agents for actions are accepted without a warning', () => {
  const actions = [
    { type: 'click', target: '#more' },
    { type: 'write', value: 'rope' },
  ]
  const { input, warning } = read('scrape', { url, actions })
  expect(input['actions']).toEqual([
    { type: 'click', selector: '#more' },
    { type: 'write', text: 'rope' },
  ])
  expect(warning).toBeUndefined()
})

describe('objects in which the caller chooses the names', () => {
  test.each(['schema', 'headers', 'metadata'])('are not changed: %s', (name) => {
    const own = { max_pages: '5', Limit: 'true', formats: 'md', nested: { only_main_content: 'false' }, none: null }
    const sent =
      name === 'metadata'
        ? { url, webhook: { url, metadata: own } }
        : { url, scrapeOptions: name === 'schema' ? { formats: [{ type: 'json', schema: own }] } : { headers: own } }
    const { input, warning } = read('crawl', sent)
    expect(input).toBe(sent)
    expect(warning).toBeUndefined()
  })

  test('may contain the name __proto__, which has no effect on prototypes', () => {
    const sent = JSON.parse(`{"url": "${url}", "max_pages": "5", "__proto__": {"limit": 9}}`) as Record<string, unknown>
    const { input } = read('crawl', sent)
    expect(Object.getPrototypeOf(input)).toBe(Object.prototype)
    expect(Object.hasOwn(input, '__proto__')).toBe(true)
    expect(input['limit']).toBe(5)
    const packed = read('crawl', { scrape_options: '{"__proto__": {"mobile": true}, "mobile": "no"}' }).input
    expect(packed['scrapeOptions']).toMatchObject({ mobile: false })
    expect({}).not.toHaveProperty('mobile')
  })
})

describe('limits', () => {
  test.each<[string, Record<string, unknown>]>([
    ['too many items', { urls: Array.from({ length: 100_001 }, () => '1') }],
    ['too many names', Object.fromEntries(Array.from({ length: 1001 }, (_, index) => [`max_pages${index}`, 1]))],
    ['JSON with too much in it', { urls: [url], headers: `{"a": [${'[],'.repeat(10_001)}0]}` }],
    ['JSON that is too deep', { urls: [url], webhook: `{"url": ${'['.repeat(65)}${']'.repeat(65)}}` }],
    ['a text with too many items', { urls: `${url} `.repeat(1001) }],
  ])('%s stays unchanged, for validation to refuse', (_what, sent) => {
    expect(read('batch_scrape', sent).input).toBe(sent)
  })

  test('a warning does not grow with the call, and repeats no value', () => {
    const names = ['limit', 'delay', 'wait', 'maxConcurrency', 'maxDiscoveryDepth', 'mobile', 'allow_subdomains']
    const sent = { url, ...Object.fromEntries(names.map((name) => [name, '1'])), ['Scrape_Options'.repeat(50)]: 1 }
    const { warning = '' } = read('crawl', sent)
    expect(warning).toMatch(/^Read .* and \d+ more\.$/)
    expect(warning.length).toBeLessThan(250)
    expect(read('browser_execute', { code: '```\nconst secret = 5\n```' }).warning).not.toContain('secret')
  })
})

const code = (text: string, language?: string) =>
  read('browser_execute', { code: text, ...(language && { language }) }).input

test.each([
  ['two fences', '```js\na\n```\n```js\nb\n```'],
  ['words around a fence', 'Run this:\n```js\na\n```'],
  ['a function and a call of it', '(page => page.title())(page)'],
  ['two functions', '() => 1\n() => 2'],
  ['an arrow function followed by another statement', 'page => page.title()\nawait page.reload()'],
  ['brackets that close the surrounding call', 'page => 1); process.exit(); ('],
  ['a function with an unknown parameter', '(page, expect) => expect(page)'],
  ['a broken function', 'async (page) => {'],
])('code stays unchanged: %s', (_what, text) => expect(code(text)).toEqual({ code: text }))

describe('a strict call', () => {
  const tools = openTools('strict')
  afterAll(() => tools.close())

  test('is validated without coercion by the middleware', async () => {
    const invoke = under(readLeniently)
    const sent = { text: 'a', Times: '2' }
    expect(await invoke(toy(), sent, fakeCtx({ handling: 'strict' }))).toEqual({ got: sent })
    expect(await invoke(toy(), sent, fakeCtx())).toEqual({ got: { text: 'a', times: 2 } })
  })

  test.each<[string, Record<string, unknown>]>([
    ['limit', { url, limit: '5' }],
    ['max_pages', { url, max_pages: 5 }],
    ['prompt', { url, prompt: null }],
  ])('is refused over MCP for %s', async (field, sent) => {
    expect((await tools.call({ tool: 'crawl', sent })).error).toContain(`- ${field}: `)
    expect(await tools.call({ tool: 'crawl', sent: { url, limit: 5 } })).toMatchObject({ input: { url, limit: 5 } })
  })
})
