import { describe, expect, test } from 'vitest'
import type { Part } from '../../src/kernel/operation.ts'
import { presentDocument } from '../../src/operations/present/present-document.ts'
import type { Document } from '../../src/schema/scrape/document.ts'

const metadata: Document['metadata'] = {
  title: 'PAGE title',
  description: 'PAGE description',
  sourceURL: 'example.com',
  url: 'https://example.com/',
  statusCode: 200,
  contentType: 'text/PAGE',
  scrapeId: 'job-1',
  cacheState: 'miss',
  creditsUsed: 1,
  concurrencyLimited: false,
  'og:site_name': 'PAGE name',
}
const full: Document = {
  markdown: '# PAGE markdown',
  html: '<p>PAGE html',
  rawHtml: '<p>PAGE raw',
  summary: 'PAGE summary',
  answer: 'PAGE answer',
  highlights: 'PAGE highlights',
  links: ['https://example.com/PAGE-1', 'https://example.com/PAGE-2'],
  images: ['https://example.com/PAGE.png'],
  attributes: [{ selector: 'a', attribute: 'title', values: ['PAGE value'] }],
  json: { price: 'PAGE price' },
  product: { title: 'PAGE product', url: 'https://example.com/PAGE', variants: [] },
  branding: { logo: 'PAGE logo' },
  changeTracking: { previousScrapeAt: null, changeStatus: 'new', visibility: 'visible', diff: 'PAGE diff' },
  actions: { screenshots: [], scrapes: [{ url: 'a', html: 'PAGE' }], javascriptReturns: [], pdfs: [] },
  metadata,
}
const partsOf = (document: Document) => presentDocument(document, 'readable again').parts
const textOf = (parts: readonly Part[]) => parts.flatMap((part) => (part.kind === 'text' ? part.text : [])).join('\n')

test('page content appears in marked parts only', () => {
  const outside = partsOf(full).filter(({ kind }) => kind !== 'page')
  expect(outside.length).toBeGreaterThan(0)
  expect(JSON.stringify(outside)).not.toContain('PAGE')
})

test('every format is shown with its name and source', () => {
  const pages = partsOf(full).filter((part) => part.kind === 'page')
  const { metadata: _, ...formats } = full
  expect(pages.map(({ label }) => label).toSorted()).toEqual(Object.keys(formats).toSorted())
  expect(pages.every(({ origin, text }) => origin === 'https://example.com/' && text.includes('PAGE'))).toBe(true)
})

test.each([
  [undefined, /scrapeId job-1$/],
  [1, / · form with 1 field: browser_create$/],
  [6, / · form with 6 fields: browser_create$/],
])('a page with %s fields has a line above its text with their number and the tool to fill them', (formFields, end) => {
  const facts = { ...metadata, ...(formFields !== undefined && { formFields }) }
  expect(textOf(partsOf({ markdown: 'PAGE', metadata: facts })).split('\n')[0]).toMatch(end)
})

const markdown = (text: string, title?: string) => {
  const { title: _, ...rest } = metadata
  const document = { markdown: text, metadata: { ...rest, ...(title !== undefined && { title }) } }
  return partsOf(document).find((part) => part.kind === 'page')?.text
}

test.each([
  ['is above markdown that lacks it', 'Text', 'Name', 'Title: Name\n\nText'],
  ['is left out if only the name of the site is new', '# Name\n\nText', 'Name — Site', '# Name\n\nText'],
  ['is not repeated', '# Name\n\nText', 'Name', '# Name\n\nText'],
  ['may be missing', 'Text', undefined, 'Text'],
])('the title %s', (_, text, title, expected) => expect(markdown(text, title)).toBe(expected))

describe('the head of a page', () => {
  test('names the page and the id to read it again', () => {
    expect(textOf(partsOf({ metadata }))).toBe('https://example.com/ · status 200 · read now · scrapeId job-1')
  })

  test('shows an error, a warning and the age of a cached page', () => {
    const cached = { cacheState: 'hit', cachedAt: '2026-03-15T12:00:00.000Z' } as const
    const text = textOf(
      partsOf({ warning: 'Careful.', metadata: { ...metadata, ...cached, statusCode: 404, error: 'Not Found' } }),
    )
    for (const word of ['status 404', 'Page error: Not Found', 'Warning: Careful.', 'cached 2026-03-15T12:00:00.000Z'])
      expect(text).toContain(word)
  })
})

describe('a screenshot', () => {
  test('as data is a picture', () => {
    const picture = { kind: 'image', base64: 'AAAA', mimeType: 'image/jpeg' }
    expect(partsOf({ screenshot: 'data:image/jpeg;base64,AAAA', metadata })).toContainEqual(picture)
  })

  test('at a URL is a link', () => {
    expect(partsOf({ screenshot: 'https://example.com/s.png', metadata })).toContainEqual(
      expect.objectContaining({ kind: 'link', uri: 'https://example.com/s.png' }),
    )
  })
})

test('a stored result can be continued and linked', () => {
  const { parts, readOn } = presentDocument(full, 'readable again')
  expect(readOn).toEqual({ tool: 'scrape_result', arguments: { id: 'job-1' } })
  expect(parts).toContainEqual(expect.objectContaining({ kind: 'link', uri: 'gossamer://scrape/job-1' }))
})

test('screenshots of actions are pictures, and no file is shown as text', () => {
  const long = 'A'.repeat(4000)
  const actions = {
    screenshots: ['data:image/png;base64,AAAA'],
    scrapes: [],
    javascriptReturns: [{ type: 'number', value: 7 }],
    pdfs: [`data:application/pdf;base64,${long}`],
  }
  const parts = partsOf({ actions, branding: { logo: `data:image/svg+xml;base64,${long}` }, metadata })
  expect(parts).toContainEqual({ kind: 'image', base64: 'AAAA', mimeType: 'image/png' })
  const texts = JSON.stringify(parts.filter(({ kind }) => kind === 'page'))
  expect(texts).toContain('javascriptReturns')
  expect(texts).toContain('a PDF of')
  expect(texts).not.toContain(long)
})

test('a very long URL is cut in the head', () => {
  const [head] = partsOf({ metadata: { ...metadata, url: `https://example.com/${'x'.repeat(5000)}` } })
  expect(JSON.stringify(head).length).toBeLessThan(1000)
})
