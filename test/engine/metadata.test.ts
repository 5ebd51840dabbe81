import { describe, expect, test } from 'vitest'
import { readHtml } from '../../src/engine/html/page/read-parts.ts'
import { scrapeIn, url } from '../helpers/scrape.ts'
import type { Ctx } from '../../src/kernel/ctx.ts'
import { presentDocument } from '../../src/operations/present/present-document.ts'
import { Document } from '../../src/schema/scrape/document.ts'
import { fakeWorld } from '../helpers/fakes.ts'
import type { PageContent } from '../../src/contracts/page-content.ts'

type Site = Parameters<typeof fakeWorld>[0]

async function scraped(site: Site, options: object = {}, call: Partial<Ctx> = {}, metadata?: PageContent['metadata']) {
  const world = fakeWorld(site)
  if (metadata) world.state.parts = () => ({ metadata })
  return scrapeIn(world, options, call)
}

describe('the metadata of a fresh page', () => {
  test('contains its origin and its cost', async () => {
    const { metadata } = await scraped({ url: 'https://example.com/b' })
    expect(metadata).toEqual({
      title: 'A title',
      sourceURL: url,
      url: 'https://example.com/b',
      statusCode: 200,
      contentType: 'text/html; charset=utf-8',
      scrapeId: 'job-1',
      proxyUsed: 'basic',
      cacheState: 'miss',
      creditsUsed: 1,
      concurrencyLimited: false,
    })
  })

  test.each<[string, object, 'hit' | 'miss' | undefined]>([
    ['read', { storeInCache: false }, 'miss'],
    ['written', { maxAge: 0 }, 'miss'],
    ['neither read nor written', { maxAge: 0, storeInCache: false }, undefined],
    ['neither read nor written, because of headers', { headers: { a: 'b' } }, undefined],
    ['neither read nor written, because of zero data retention', { maxAge: 0, zeroDataRetention: true }, undefined],
  ])('describes the cache only as it was used: %s', async (_, options, cacheState) => {
    expect((await scraped({}, options)).metadata.cacheState).toBe(cacheState)
  })

  test('has the time that the call waited for a slot', async () => {
    const { metadata } = await scraped({}, {}, { queuedMs: 1500 })
    expect(metadata).toMatchObject({ concurrencyLimited: true, concurrencyQueueDurationMs: 1500 })
  })

  test.each([
    [404, 'Not Found'],
    [403, 'Forbidden'],
    [500, 'Internal Server Error'],
  ])('with status %i is a success that names the status', async (status, error) => {
    const document = await scraped({ status })
    expect(document.metadata).toMatchObject({ statusCode: status, error })
    expect(document.markdown).toBe('Hello')
  })

  test('keeps the address as it was requested', async () => {
    expect((await scraped({}, { url: 'example.com/a#b' })).metadata.sourceURL).toBe('http://example.com/a#b')
  })
})

describe('a page without text', () => {
  test.each([[''], [' \n'], [undefined]])('(%j) is a success with a warning', async (markdown) => {
    const world = fakeWorld()
    world.state.parts = () => (markdown === undefined ? {} : { markdown })
    if (markdown === undefined) world.ports.readHtml = async () => ({ metadata: {} })
    const document = await scrapeIn(world)
    expect(document.warning).toMatch(/no readable text/)
    expect(document.markdown?.trim()).toBe('')
  })

  test('has a warning about includeTags if they are the reason', async () => {
    const world = fakeWorld()
    world.ports.readHtml = async () => ({ markdown: '', matchesNothing: true })
    const { warning } = await scrapeIn(world, { includeTags: ['.a'] })
    expect(warning).toBe('includeTags matched no element of this page, so its content is empty.')
  })
})

const ours =
  'sourceURL url statusCode scrapeId proxyUsed cacheState creditsUsed concurrencyLimited contentType error cachedAt concurrencyQueueDurationMs numPages timezone'.split(
    ' ',
  )
const theirs = ['title', 'description', 'language', 'keywords', 'ogLocaleAlternate', 'favicon']
const forged = Object.fromEntries(ours.map((name) => [name, 'forged']))
const tags = [...ours, ...theirs].map(
  (name) =>
    `<meta name="${name}" content=""><meta name="${name}" content="one ${name}"><meta name="${name}" content="two">`,
)
const hostile = `<html><head>${tags.join('')}<meta property="og:locale:alternate" content="de"></head><body>Text</body></html>`
const single =
  '<html><head><meta name="ogLocaleAlternate" content="de"><meta name="error" content="obey"></head><body>Text</body></html>'

describe('a page with misleading metadata', () => {
  test('cannot forge our own fields', async () => {
    const { metadata } = await scraped({ headers: {} }, {}, {}, { ...forged, title: 'A title', 'og:type': 'article' })
    expect(JSON.stringify(metadata)).not.toContain('forged')
    expect(metadata).toMatchObject({ title: 'A title', 'og:type': 'article' })
  })

  test('is described under the usual names of the fields', async () => {
    const { metadata } = await scraped({}, {}, {}, { robots: 'noindex', constructor: 'x', 'article:tag': ['a', 'b'] })
    expect(metadata).toMatchObject({ robots: 'noindex', constructor: 'x', 'article:tag': ['a', 'b'] })
  })

  test.each([
    ['every name of ours, three times', hostile],
    ['one text where a list belongs', single],
  ])('with %s still gives a valid document', async (_, html) => {
    const world = fakeWorld({ body: html })
    world.ports.readHtml = async (request) => readHtml(request)
    const document = await scrapeIn(world)
    expect(Document.safeParse(document).error?.issues ?? []).toEqual([])
    expect(document.metadata.error).toBeUndefined()
    const outside = presentDocument(document, 'readable again').parts.filter(({ kind }) => kind !== 'page')
    expect(JSON.stringify(outside)).not.toMatch(/obey|one |two/)
  })
})
