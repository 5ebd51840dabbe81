import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { flatScrapeOptions, foldScrapeOptions } from '../../src/schema/scrape/scrape-arguments.ts'
import { ScrapeInput, scrapeOptions } from '../../src/schema/scrape/scrape-options.ts'

const url = 'https://example.com'
const Flat = z.object({ url: z.string(), ...flatScrapeOptions })
const selectors = [{ selector: 'a', attribute: 'href' }]
const types = (args: object) =>
  ScrapeInput.parse(foldScrapeOptions({ url, ...args })).formats.map((format) => format.type)

test('the field target of an action, as in browser_act, becomes selector', () => {
  const actions = [{ type: 'scroll', target: '#more' }, { type: 'wait', selector: 'li', target: 'ul' }, 'scrape']
  expect(foldScrapeOptions({ url, actions })).toEqual({
    url,
    actions: [{ type: 'scroll', selector: '#more' }, { type: 'wait', selector: 'li', target: 'ul' }, 'scrape'],
  })
})

describe('options of a format', () => {
  test.each([
    [
      'jsonOptions',
      { prompt: 'price', schema: { type: 'object' } },
      { type: 'json', prompt: 'price', schema: { type: 'object' } },
    ],
    ['screenshotOptions', { fullPage: true, quality: 50 }, { type: 'screenshot', fullPage: true, quality: 50 }],
    ['changeTrackingOptions', { modes: ['json'], tag: 'a' }, { type: 'changeTracking', modes: ['json'], tag: 'a' }],
    ['attributes', selectors, { type: 'attributes', selectors }],
    ['question', 'Who?', { type: 'question', question: 'Who?' }],
    ['highlights', 'prices', { type: 'highlights', query: 'prices' }],
  ])('in %s are set on the named format, or add it', (field, value, format) => {
    const sent = { url, formats: ['html', format.type, 'markdown'], [field]: value }
    expect(foldScrapeOptions(sent)).toEqual({ url, formats: ['html', format, 'markdown'] })
    expect(ScrapeInput.parse(foldScrapeOptions(sent)).formats).toContainEqual(format)
    expect(types({ formats: ['markdown', 'links'], [field]: value })).toEqual(['markdown', 'links', format.type])
    const isAlone = !['screenshot', 'changeTracking'].includes(format.type)
    expect(types({ [field]: value })).toEqual(isAlone ? [format.type] : ['markdown', format.type])
  })

  test('are merged over several formats', () => {
    const { formats } = foldScrapeOptions({
      url,
      formats: ['json'],
      jsonOptions: { prompt: 'a' },
      question: 'b',
      attributes: selectors,
    })
    expect(formats).toEqual([
      { type: 'json', prompt: 'a' },
      { type: 'attributes', selectors },
      { type: 'question', question: 'b' },
    ])
  })

  test.each([
    ['question', 5],
    ['question', ''],
    ['attributes', []],
    ['attributes', 'href'],
    ['jsonOptions', { prompt: 5 }],
    ['screenshotOptions', { quality: 0 }],
  ])('that are invalid are refused after folding: %s %j', (field, value) => {
    expect(ScrapeInput.safeParse(foldScrapeOptions({ url, [field]: value })).success).toBe(false)
  })
})

test.each<[object]>([
  [{ url }],
  [{ url, formats: ['markdown', { type: 'json', prompt: 'a' }], parsers: [{ type: 'pdf', mode: 'ocr' }] }],
  [{ url, formats: [{ type: 'question', question: 'Who?' }], actions: [{ type: 'pdf', scale: 2 }] }],
  [{ url, parsers: [], waitFor: 5, unknown: { deep: [1] } }],
])('arguments that are input already stay unchanged: %j', (input) => {
  expect(foldScrapeOptions({ ...input })).toEqual(input)
})

test('the arguments themselves stay unchanged', () => {
  const args = { url, formats: ['json'], jsonOptions: { prompt: 'a' }, pdfOptions: { mode: 'ocr' } }
  const before = structuredClone(args)
  foldScrapeOptions(args)
  expect(args).toEqual(before)
})

test.each([
  [{ pdfOptions: { mode: 'ocr', maxPages: 5 } }, [{ type: 'pdf', mode: 'ocr', maxPages: 5 }]],
  [{ parsers: ['pdf'], pdfOptions: { maxPages: 5 } }, [{ type: 'pdf', mode: 'auto', maxPages: 5 }]],
  [{ parsers: [] }, []],
  [{}, [{ type: 'pdf', mode: 'auto' }, { type: 'image' }]],
])('%j sets the parsers %j', (args, parsers) => {
  expect(ScrapeInput.parse(foldScrapeOptions({ url, ...args })).parsers).toEqual(parsers)
})

test('every scrape option can be sent in the flat form; rarely used ones are not listed', () => {
  const rare = {
    minAge: 1,
    parsers: [],
    redactPII: undefined,
    removeBase64Images: false,
    removeSmallImages: false,
    storeInCache: false,
  }
  expect(
    Object.keys(scrapeOptions)
      .filter((name) => !(name in flatScrapeOptions))
      .sort(),
  ).toEqual(Object.keys(rare))
  expect(ScrapeInput.parse(foldScrapeOptions({ url, ...rare }))).toMatchObject(rare)
})

test('every kind of flat action is a valid action', () => {
  const actions = [
    { type: 'wait', milliseconds: 10 },
    { type: 'wait', target: 'a' },
    { type: 'screenshot', fullPage: true },
    { type: 'scroll', direction: 'up' },
    { type: 'scrape' },
    { type: 'pdf' },
  ]
  const flat = Flat.parse({ url, actions })
  expect(flat.actions).toEqual(actions)
  const sent = actions.map(({ target, ...rest }) => ({ ...rest, ...(target && { selector: target }) }))
  expect(ScrapeInput.parse(foldScrapeOptions(flat)).actions).toMatchObject(sent)
})
