import { describe, expect, test } from 'vitest'
import type { Ports } from '../../../src/contracts/ports.ts'
import { replayOf } from '../../../src/engine/session/interact-in-session.ts'
import { failure } from '../../../src/kernel/error.ts'
import { compose, recordAndCharge, validate } from '../../../src/middleware/pipeline.ts'
import { scrape } from '../../../src/operations/scrape.ts'
import { PageOptions } from '../../../src/schema/scrape/scrape-options.ts'
import { failureOf, fakeCtx, fakeWorld } from '../../helpers/fakes.ts'
import { tempStore } from '../../store/kit.ts'
import { aCrawl, page } from '../../contracts/fixtures.ts'

const acme = { team: { id: 'acme', key: null, permissions: [] } }
const rich = {
  url: 'https://user:word@example.com/a?b=c#d',
  formats: ['markdown', { type: 'screenshot', fullPage: true, viewport: { width: 800, height: 600 } }],
  headers: { Cookie: 'a=b', 'X-Custom': 'yes' },
  waitFor: 1200,
  mobile: true,
  location: { country: 'de', languages: ['de-DE'] },
  blockAds: false,
  skipTlsVerification: false,
  profile: { name: 'shop', saveChanges: false },
  actions: [
    { type: 'wait', milliseconds: 100 },
    { type: 'click', selector: '#a' },
    { type: 'write', text: 'Ü' },
    { type: 'screenshot' },
    { type: 'scroll', direction: 'down' },
    { type: 'executeJavascript', script: 'return 1' },
  ],
}

/** Recorded scrapes, with a browser that only records its requests. */
async function world() {
  const fakes = fakeWorld()
  const { store, clock } = await tempStore()
  const { jobs, crawls } = store
  const ports: Ports = { ...fakes.ports, jobs, crawls }
  fakes.state.browser = () => ({})
  const call = compose([validate, recordAndCharge(ports)])
  return {
    fakes,
    ports,
    crawls,
    clock,
    run: (operation: Parameters<typeof call>[0], input: object, jobId: string) =>
      call(operation, input, fakeCtx({ jobId, ports })),
    failing: async (scrapeId: string, caller = acme) => failureOf(replayOf(ports, scrapeId, caller)),
  }
}

describe('the recorded visit of a scrape', () => {
  test.each([
    ['with all options', rich],
    ['with only a URL', { url: 'https://example.com/', waitFor: 1 }],
  ])('%s equals the request of its browser', async (_, input) => {
    const { fakes, ports, run } = await world()
    await run(scrape, input, 'one')
    const [{ signal: _s, teamId: _t, ...rendered } = {}] = fakes.rendered
    expect(await replayOf(ports, 'one', acme)).toEqual(rendered)
  })

  test('uses the proxy that worked', async () => {
    const { fakes, ports, run } = await world()
    const wall = { status: 403, headers: { server: 'cloudflare', 'cf-mitigated': 'challenge' } }
    fakes.state.browser = ({ proxy }) => (proxy === 'basic' ? wall : {})
    await run(scrape, { url: 'https://example.com/', waitFor: 1 }, 'one')
    expect(fakes.rendered.map(({ proxy }) => proxy)).toEqual(['basic', 'enhanced'])
    expect(await replayOf(ports, 'one', acme)).toMatchObject({ proxy: 'enhanced' })
  })

  test.each([
    ['with zero data retention', { zeroDataRetention: true }],
    ['from the cache', { lockdown: true }],
  ])('%s cannot be repeated', async (_, more) => {
    const { run, failing } = await world()
    await run(scrape, { url: 'https://example.com/' }, 'first')
    await run(scrape, { url: 'https://example.com/', ...more }, 'one')
    expect(await failing('one')).toMatchObject({ code: 'REPLAY_UNAVAILABLE', status: 409 })
  })

  test('cannot be repeated if it failed', async () => {
    const { fakes, run, failing } = await world()
    fakes.state.browser = () => {
      throw failure('SCRAPE_SITE_ERROR')
    }
    await failureOf(run(scrape, rich, 'one'))
    expect(await failing('one')).toMatchObject({ code: 'REPLAY_UNAVAILABLE' })
  })

  test('in an unknown format is reported as REPLAY_UNAVAILABLE, and another kind of job as missing', async () => {
    const { ports, failing } = await world()
    const job = { id: 'old', teamId: 'acme', keyName: null, endpoint: 'scrape', target: null, createdAt: 0 }
    const end = { status: 'completed' as const, errorCode: null, result: {}, credits: 0 }
    await ports.jobs.record({ ...job, ...end, replay: { what: 'nobody knows' } })
    expect(await failing('old')).toMatchObject({ code: 'REPLAY_UNAVAILABLE' })
    await ports.jobs.record({ ...job, ...end, id: 'map', endpoint: 'map', replay: rich })
    expect(await failing('map')).toMatchObject({ code: 'JOB_NOT_FOUND' })
  })

  test('belongs to the team, and is deleted with the scrape', async () => {
    const { run, failing, clock } = await world()
    await run(scrape, rich, 'one')
    expect(await failing('two')).toMatchObject({ code: 'JOB_NOT_FOUND', status: 404 })
    const other = { team: { ...acme.team, id: 'other' } }
    expect(await failing('one', other)).toMatchObject({ code: 'JOB_OF_OTHER_TEAM', status: 403 })
    clock.advance(86_400_000)
    expect(await failing('one')).toMatchObject({ code: 'JOB_NOT_FOUND', status: 404 })
  })
})

/** A crawl of one page, which was read. */
async function crawled(request: object) {
  const all = await world()
  const { crawls } = all
  const crawl = aCrawl({ teamId: 'acme', request })
  await crawls.start(crawl, [page('/a')])
  const [claimed] = await crawls.claim({
    crawlId: crawl.id,
    workerId: 'me',
    count: 1,
    leaseMs: 1000,
    hostConcurrency: 1,
    order: 'as found',
  })
  const document = { metadata: { sourceURL: claimed!.url, proxyUsed: 'basic' } }
  await crawls.finish(claimed!, 'me', { kind: 'document', document, credits: 1 })
  return { ...all, pageId: claimed!.id }
}

describe('the recorded visit of a crawled page', () => {
  const options = PageOptions.parse({ mobile: true, waitFor: 5, profile: { name: 'shop' } })

  test('has the options of the crawl and the address of the page', async () => {
    const { ports, pageId } = await crawled({ options: null, page: options, zeroDataRetention: false })
    expect(await replayOf(ports, pageId, acme)).toMatchObject({
      url: 'https://site.test/a',
      mobile: true,
      waitForMs: 5,
      proxy: 'basic',
      profile: { name: 'shop', saveChanges: false },
    })
  })

  test('belongs to the team', async () => {
    const { failing, pageId } = await crawled({ options: null, page: options, zeroDataRetention: false })
    expect(await failing(pageId, { team: { ...acme.team, id: 'other' } })).toMatchObject({ code: 'JOB_OF_OTHER_TEAM' })
  })
})
