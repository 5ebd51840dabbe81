import { describe, expect, test } from 'vitest'
import { startBatch, startCrawl } from '../../src/engine/crawl/start-crawl.ts'
import { search } from '../../src/engine/search/search.ts'
import { BatchInput, CrawlInput } from '../../src/schema/crawl-schema.ts'
import { SearchInput } from '../../src/schema/search-schema.ts'
import { failureOf, fakeCtx, fakeWorld, type World } from '../helpers/fakes.ts'
import { scrapeIn, url } from '../helpers/scrape.ts'

const failing = (world: World, options: object) => failureOf(scrapeIn(world, options))
const file = { body: '%PDF-1.7', headers: { 'content-type': 'application/pdf' } }

/** A URL of a file, both in a browser and by plain HTTP. */
function fileWorld(): World {
  const world = fakeWorld(file)
  world.state.browser = () => ({ headers: file.headers, body: Buffer.from(file.body) })
  world.ports.readDocument = async () => ({ markdown: 'A report', metadata: {}, kind: 'pdf' })
  return world
}

describe('a file', () => {
  test.each<[string, string, object]>([
    ['no actions', 'SCRAPE_ACTIONS_NOT_SUPPORTED', { actions: [{ type: 'scrape' }] }],
    ['no branding', 'SCRAPE_BRANDING_NOT_SUPPORTED', { formats: ['markdown', 'branding'] }],
    ['no sound', 'SCRAPE_AUDIO_UNSUPPORTED_URL', { formats: ['markdown', 'audio'] }],
    ['no film', 'SCRAPE_VIDEO_UNSUPPORTED_URL', { formats: ['markdown', 'video'] }],
  ])('has %s: %s', async (_, code, options) => {
    const world = fileWorld()
    expect(await failing(world, options)).toMatchObject({ code, details: { kind: 'pdf' } })
    expect(world.searched).toEqual([])
  })

  test('a video file is supported, and a page without a video is not one', async () => {
    const film = fakeWorld({ headers: { 'content-type': 'video/mp4' }, body: new Uint8Array([0, 1, 2]) })
    expect((await scrapeIn(film, { formats: ['video'] })).video).toBe(url)
    const { warning } = await scrapeIn(fakeWorld(), { formats: ['video'] })
    expect(warning).toContain('names no video')
  })
})

describe('zero data retention', () => {
  test.each<[string, object, string[]]>([
    ['a model that cleans the page', { onlyCleanContent: true }, ['onlyCleanContent']],
    ['a profile that is saved', { profile: { name: 'a' } }, ['profile.saveChanges']],
    ['both', { onlyCleanContent: true, profile: { name: 'a' } }, ['onlyCleanContent', 'profile.saveChanges']],
  ])('refuses %s before any request', async (_, options, named) => {
    const world = fakeWorld()
    expect(await failing(world, { zeroDataRetention: true, ...options })).toMatchObject({
      code: 'SCRAPE_ZDR_VIOLATION_ERROR',
      message: expect.stringContaining(named.join(' and ')),
      details: { options: named },
    })
    expect(world.fetched).toEqual([])
  })

  test.each<[string, () => Promise<unknown>]>([
    [
      'a crawl',
      () =>
        startCrawl(
          CrawlInput.parse({ url, zeroDataRetention: true, scrapeOptions: { onlyCleanContent: true } }),
          fakeCtx(),
        ),
    ],
    [
      'a batch',
      () => startBatch(BatchInput.parse({ urls: [url], zeroDataRetention: true, onlyCleanContent: true }), fakeCtx()),
    ],
    [
      'a search',
      () =>
        search(
          fakeWorld().ports,
          SearchInput.parse({
            query: 'a',
            enterprise: ['zdr'],
            scrapeOptions: { formats: ['markdown'], onlyCleanContent: true },
          }),
          fakeCtx(),
        ),
    ],
  ])('refuses %s as well', async (_, start) => {
    expect(await failureOf(start())).toMatchObject({ code: 'SCRAPE_ZDR_VIOLATION_ERROR' })
  })
})
