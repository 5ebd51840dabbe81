import { describe, expect, test } from 'vitest'
import { Document } from '../../src/schema/scrape/document.ts'
import { formatTraits, plainFormats } from '../../src/schema/scrape/formats.ts'
import { ScrapeInput } from '../../src/schema/scrape/scrape-options.ts'
import { writtenIssues } from '../helpers/issues.ts'

const url = 'https://example.com'
const parse = (options: object = {}) => ScrapeInput.parse({ url, ...options })
const faults = (options: object) => {
  const { error } = ScrapeInput.safeParse({ url, ...options })
  return error ? writtenIssues(error) : []
}
const long = (length: number) => 'x'.repeat(length)

test('missing fields get the defaults of the contract', () => {
  expect(parse()).toEqual({
    url,
    formats: [{ type: 'markdown' }],
    onlyMainContent: true,
    onlyCleanContent: false,
    waitFor: 0,
    mobile: false,
    timeout: 60_000,
    parsers: [{ type: 'pdf', mode: 'auto' }, { type: 'image' }],
    removeBase64Images: true,
    removeSmallImages: true,
    blockAds: true,
    proxy: 'auto',
    lockdown: false,
    zeroDataRetention: false,
  })
})

describe('the value of an option', () => {
  test.each<[object]>([
    [{ timeout: 300_000 }],
    [{ maxAge: 63_072_000_000 }],
    [{ minAge: 1 }],
    [{ waitFor: 30_000 }],
    [{ waitFor: 60_000, timeout: 120_000 }],
    [{ proxy: 'enhanced' }],
    [{ proxy: 'stealth' }],
    [{ headers: { Cookie: 'a=b' } }],
    [{ includeTags: ['main'], excludeTags: [] }],
    [{ profile: { name: long(128) } }],
    [{ location: { languages: [] } }],
    [{ actions: Array.from({ length: 50 }, () => ({ type: 'scrape' })) }],
    [{ origin: 'sdk', integration: 'tool' }],
  ])('%j is accepted', (options) => expect(faults(options)).toEqual([]))

  test.each<[object, string]>([
    [{ timeout: 999 }, 'timeout'],
    [{ timeout: 300_001 }, 'timeout'],
    [{ timeout: '2000' }, 'timeout'],
    [{ maxAge: -1 }, 'maxAge'],
    [{ waitFor: -1 }, 'waitFor'],
    [{ waitFor: 60_001, timeout: 300_000 }, 'waitFor'],
    [{ proxy: 'fast' }, 'proxy'],
    [{ onlyMainContent: 1 }, 'onlyMainContent'],
    [{ headers: [['a', 'b']] }, 'headers'],
    [{ headers: { 'a b': 'c' } }, 'headers.a b'],
    [{ headers: { 'X-Mark': 'a\nb' } }, 'headers.X-Mark'],
    [{ formats: ['changeTracking'] }, 'formats'],
    [{ waitFor: 30_001 }, 'waitFor'],
    [{ actions: [{ type: 'wait' }] }, 'actions[0]'],
    [{ actions: [{ type: 'wait', milliseconds: 60_000 }], waitFor: 1 }, 'actions'],
    [{ includeTags: 'main' }, 'includeTags'],
    [{ profile: { name: long(129) } }, 'profile.name'],
    [{ location: { country: 'USA' } }, 'location.country'],
    [{ location: { languages: [''] } }, 'location.languages[0]'],
    [{ parsers: ['docx'] }, 'parsers[0]'],
    [{ parsers: [{ type: 'pdf', maxPages: 0 }] }, 'parsers[0].maxPages'],
    [{ parsers: [{ type: 'pdf', maxPages: 10_001 }] }, 'parsers[0].maxPages'],
    [{ url: undefined }, 'url'],
  ])('%j is refused, at %s', (options, path) => expect(faults(options)[0]?.path).toBe(path))
})

describe('a format', () => {
  test('fills its own field of the document, and formats fill all fields', () => {
    const filled = Object.values(formatTraits).map(({ field }) => field)
    expect([...filled, 'actions', 'metadata', 'pages', 'warning'].toSorted()).toEqual(
      Object.keys(Document.shape).toSorted(),
    )
  })

  test.each(plainFormats)('%s may be sent as its name', (type) => {
    const formats = type === 'changeTracking' ? ['markdown', type] : [type]
    expect(parse({ formats }).formats.at(-1)).toEqual(
      parse({ formats: [...formats.slice(0, -1), { type }] }).formats.at(-1),
    )
  })

  test.each(['attributes', 'question', 'highlights'])('%s may not be sent as its name', (type) => {
    expect(faults({ formats: [type] })).toEqual([expect.objectContaining({ path: 'formats[0]' })])
  })

  test.each<[object, object?]>([
    [{ type: 'screenshot' }, { fullPage: false }],
    [{ type: 'screenshot', fullPage: true, quality: 100, viewport: { width: 7680, height: 4320 } }],
    [{ type: 'json', prompt: long(10_000) }],
    [{ type: 'json', schema: { type: 'object' } }],
    [{ type: 'attributes', selectors: [{ selector: 'a', attribute: 'href' }] }],
  ])('accepts the options %j', (sent, defaults = {}) => {
    expect(parse({ formats: [sent] }).formats).toEqual([{ ...sent, ...defaults }])
  })

  test.each<[object | string, string]>([
    ['text', 'formats[0]'],
    [{}, 'formats[0].type'],
    [{ type: 'screenshot', quality: 0 }, 'formats[0].quality'],
    [{ type: 'screenshot', viewport: { width: 7681, height: 1 } }, 'formats[0].viewport.width'],
    [{ type: 'screenshot', viewport: { width: 0, height: 1 } }, 'formats[0].viewport.width'],
    [{ type: 'json', prompt: long(10_001) }, 'formats[0].prompt'],
    [{ type: 'json', schema: 'object' }, 'formats[0].schema'],
    [{ type: 'json', schema: { type: 'banana' } }, 'formats[0].schema.type'],
    [{ type: 'json', schema: { properties: { a: { $ref: '#/$defs/a' } } } }, 'formats[0].schema.properties.a.$ref'],
    [{ type: 'question', question: long(10_001) }, 'formats[0].question'],
    [{ type: 'highlights', query: long(10_001) }, 'formats[0].query'],
    [{ type: 'attributes' }, 'formats[0].selectors'],
    [{ type: 'attributes', selectors: [{ selector: 'a' }] }, 'formats[0].selectors[0].attribute'],
  ])('%j is refused, at %s', (format, path) => {
    expect(faults({ formats: [format] }).map((issue) => issue.path)).toEqual([path])
  })

  test('changeTracking takes its modes, schema, prompt and tag', () => {
    const tracking = { type: 'changeTracking', modes: ['git-diff', 'json'], schema: {}, prompt: 'what', tag: 'daily' }
    expect(parse({ formats: ['markdown', tracking] }).formats[1]).toEqual(tracking)
    expect(faults({ formats: ['markdown', { ...tracking, modes: ['words'] }] })).toEqual([
      expect.objectContaining({ path: 'formats[1].modes[0]' }),
    ])
  })
})

describe('a combination of formats', () => {
  test.each([
    ['two screenshots', ['screenshot', { type: 'screenshot', fullPage: true }], /one screenshot/],
    ['changeTracking without markdown', ['html', 'changeTracking'], /changeTracking.*markdown/],
  ])('%s are refused', (_, formats, message) => {
    expect(faults({ formats })).toEqual([expect.objectContaining({ message: expect.stringMatching(message) })])
  })

  test.each([[['screenshot', 'markdown']], [['changeTracking', 'markdown']], [['links', 'links']]])(
    '%j are accepted',
    (formats) => expect(faults({ formats })).toEqual([]),
  )
})

test('a country has two letters, becomes upper case, and is US if only languages are sent', () => {
  expect(parse({ location: { country: 'de', languages: ['de-AT', 'en'] } }).location).toEqual({
    country: 'DE',
    languages: ['de-AT', 'en'],
  })
  expect(parse({ location: { languages: ['en'] } }).location?.country).toBe('US')
})

test.each([
  [['pdf'], [{ type: 'pdf', mode: 'auto' }]],
  [['image'], [{ type: 'image' }]],
  [[{ type: 'pdf', pages: true, pageMarkers: true }], [{ type: 'pdf', mode: 'auto', pages: true, pageMarkers: true }]],
  [[{ type: 'pdf', mode: 'ocr', maxPages: 10_000 }], [{ type: 'pdf', mode: 'ocr', maxPages: 10_000 }]],
  [[], []],
])('the parsers %j are read as %j', (sent, expected) => expect(parse({ parsers: sent }).parsers).toEqual(expected))
