import { expect, test } from 'vitest'
import { localTeam } from '../../../src/app/app.ts'
import { brokenSite, service } from './kit.ts'

const site = brokenSite()

test.each([
  'Why is the result of my scrape empty?',
  'why did my scrape fail?',
  'Why was my scrape blocked?',
  'Why is my scrape so slow?',
])('a scrape without the problem in question is described, with its settings: %s', async (question) => {
  const { call, ask } = service()
  await call('scrape', { url: site.url('/english'), blockAds: false })
  const answered = await ask(question)
  expect(answered).toMatchObject({ confidence: 'medium', fixParameters: null, feedback: null })
  expect(answered?.answer).toMatch(/The last scrape of .*\/english, at .* returned status 200 and 439 characters/)
  expect(answered?.answer).toMatch(/set blockAds to false/)
  expect(answered?.answer).toMatch(/jobId/)
})

test('a crawl that has pages is described', async () => {
  const { crawl, ask } = service()
  await crawl({ url: site.url('/shop/'), crawlEntireDomain: true, sitemap: 'skip' })
  expect((await ask('Why was my crawl empty?'))?.answer).toMatch(/The last crawl of .* read 4 pages, and 0 failed/)
})

test.each([
  ['What went wrong?', /\/wall keeps automated visitors out/],
  ['Why was I blocked?', /\/wall keeps automated visitors out/],
  ['Why did my last job fail?', /\/wall keeps automated visitors out/],
  ['It timed out', /\/slow-page did not end within its timeout/],
])('a complaint that names no job is answered about the latest failed job that fits: %s', async (question, says) => {
  const { call, ask } = service()
  const failed = [
    await call('scrape', { url: site.url('/slow-page'), timeout: 1000 }),
    await call('scrape', { url: site.url('/wall') }),
  ]
  await call('scrape', { url: site.url('/english') })
  const { answer = '' } = (await ask(question)) ?? {}
  expect(answer).toMatch(says)
  const [, id] = /^Job (\S+) \(scrape, \d\d:\d\d UTC\): /.exec(answer) ?? []
  expect(id).toBe(failed[says.source.includes('wall') ? 1 : 0]?.id)
})

test.each(['What went wrong?', 'Why did it fail?'])(
  'a complaint without any failed job is not answered: %s',
  async (question) => {
    const { call, ask } = service()
    await call('scrape', { url: site.url('/english') })
    await call('scrape', { url: site.url('/wall') }, { team: { ...localTeam, id: 'acme' } })
    expect(await ask(question)).toMatchObject({ confidence: 'low', fixParameters: null, feedback: expect.anything() })
  },
)

test.each(['Why is it slow?', 'Why did it take so long?', 'Why is it stuck?', 'Why is the result empty?'])(
  'a complaint about a symptom is not answered about a failed job without that symptom: %s',
  async (question) => {
    const { call, ask } = service()
    await call('scrape', { url: site.url('/status/404') })
    await call('scrape', { url: site.url('/fine'), formats: ['nosuch'] })
    const answered = await ask(question)
    expect(answered).toMatchObject({ confidence: 'low', fixParameters: null, feedback: expect.anything() })
    expect(answered?.answer).not.toMatch(/status.404|was refused/)
  },
)

test.each([
  'Why is it slow?',
  'Why did it take so long?',
  'Why does it take so much time?',
  'It hung',
  'Why is it stuck?',
])('a complaint about the time is answered about the job that timed out: %s', async (question) => {
  const { call, ask } = service()
  await call('scrape', { url: site.url('/slow-page'), timeout: 1000 })
  await call('scrape', { url: site.url('/status/404') })
  expect((await ask(question))?.answer).toMatch(/\/slow-page did not end within its timeout/)
})

test.each(['Why did it fail this time?', 'What was the last error?'])(
  'a complaint without a symptom is answered about the latest failed job: %s',
  async (question) => {
    const { call, ask } = service()
    await call('scrape', { url: site.url('/status/404') })
    expect((await ask(question))?.answer).toMatch(/does not exist/)
  },
)

const refused = /^A call of scrape at \d\d:\d\d UTC was refused with BAD_REQUEST \(400\)/
test.each(['Why was my request rejected?', 'Why did it fail?', 'Why did I get an error?'])(
  'a complaint that names nothing is answered about the latest of failed jobs and refused calls: %s',
  async (question) => {
    const { app, call, ask } = service()
    const { jobs, clock } = app.newCtx({ team: localTeam, signal: new AbortController().signal, baseUrl: '' }).ports
    await jobs.record({
      id: crypto.randomUUID(),
      teamId: localTeam.id,
      keyName: null,
      endpoint: 'scrape',
      target: site.url('/hang'),
      createdAt: clock.now() - 20 * 3_600_000,
      status: 'failed',
      errorCode: 'SCRAPE_ALL_ENGINES_FAILED',
      result: null,
      replay: null,
      credits: 0,
    })
    await call('scrape', { url: site.url('/fine'), formats: ['nosuch'] })
    const answered = await ask(question)
    expect(answered).toMatchObject({ feedback: null })
    expect(answered?.answer).toMatch(refused)
    await call('scrape', { url: site.url('/status/404') })
    expect((await ask(question))?.answer).toMatch(/does not exist/)
  },
)

test.each([
  [() => site.url('/status/429'), /status 429, too many requests|status 429: too many requests/],
  [() => 'http://10.0.0.1/admin', /SSRF protection/],
])('"Why was I blocked?" is answered about every kind of refusal: %#', async (url, says) => {
  const { call, ask } = service()
  await call('scrape', { url: url() })
  expect((await ask('Why was I blocked?'))?.answer).toMatch(says)
})

test('an answer about one job of several says which it is, unless the question names the id', async () => {
  const { call, ask } = service()
  const { id } = await call('scrape', { url: site.url('/status/404') })
  expect((await ask('Why did my scrape fail?'))?.answer).toContain(`Job ${id} (scrape, `)
  expect((await ask('Why did my scrape fail?', { jobId: id }))?.answer).not.toContain(String(id))
})

test('an earlier scrape with the problem is explained', async () => {
  const { call, ask } = service()
  await call('scrape', { url: site.url('/status/404') })
  await call('scrape', { url: site.url('/english') })
  expect((await ask('What went wrong with my scrape?'))?.answer).toMatch(/does not exist/)
})
