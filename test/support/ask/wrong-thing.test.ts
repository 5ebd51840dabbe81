import { expect, test } from 'vitest'
import { brokenSite, service } from './kit.ts'

const site = brokenSite()
let made: ReturnType<typeof service>

/** Failures and surprises of an account, none of which a question below is about. */
async function troubled(): Promise<typeof made> {
  made = service({ GOSSAMER_ALLOW_HOSTS: '127.0.0.1,localhost' })
  await made.call('scrape', { url: site.url('/english'), excludeTags: ['.ad'], mobile: true, waitFor: 100 })
  await made.call('scrape', { url: site.url('/status/404') })
  await made.call('scrape', { url: site.url('/slow-page'), timeout: 1000 })
  await made.call('scrape', { url: site.url('/fine'), includeTags: ['#nothing'] })
  await made.call('scrape', { url: site.url('/fine'), minAge: 1000 })
  await made.call('scrape', { url: 'http://10.0.0.1/admin' })
  await made.call('scrape', { url: site.url('/fine'), formats: ['nosuch'] })
  return made
}

const questions = [
  // Other matters.
  'What is the weather in Paris tomorrow?',
  'Why is the sky blue?',
  'Why does my car not start?',
  'The washing machine is stuck and shows an error',
  'My soup is too salty, what went wrong?',
  'Why did the Roman empire fall?',
  'How do I bake bread?',
  'Nothing grows in my garden',
  'Why is my train late?',
  'I lost my keys',
  'Who won the world cup?',
  'My cat is missing',
  // Other URLs and hosts.
  'Why did https://other.example/shop time out?',
  'My scrape of https://other.example/ fails',
  'https://other.example/page is empty',
  'Why was I blocked by https://another.example/a?',
  'Why is the markdown of shop.example.org empty?',
  'example.com gives me a 404',
  `Why did http://127.0.0.1:1/status/404 fail?`,
  // Other operations.
  'Why did my crawl fail?',
  'My crawl brought only one page',
  'Why was my batch rejected?',
  'My search finds nothing',
  'The map of the site is empty',
  'My agent run failed',
  'Why did the extract job time out?',
  'My monitor does not report changes',
  'interact fails',
  // Other jobs by id.
  'Why did job 6d1c7f6e-3f6a-4b9e-9d1e-0a4f7c2b1a11 fail?',
]

test('a question about something else gets no fix and no explanation of an unrelated job', async () => {
  const { ask } = await troubled()
  const wrong: unknown[] = []
  for (const question of questions) {
    const { answer, confidence, fixParameters, validation, feedback } = (await ask(question)) ?? {}
    const isStuck = confidence === 'low' && feedback !== null && fixParameters === null && validation === null
    if (!isStuck || /\/status\/404|\/slow-page|\/fine|10\.0\.0\.1/.test(answer ?? '')) wrong.push({ question, answer })
  }
  expect(wrong).toEqual([])
})

test.each(['empty', 'too slow', 'cut off', 'blocked'])('a result that was fine gets no fix: %s', async (symptom) => {
  const { call, ask } = service()
  await call('scrape', { url: site.url('/status/404') })
  await call('scrape', { url: site.url('/english') })
  const answered = await ask(`Why was ${site.url('/english')} ${symptom}?`)
  expect(answered).toMatchObject({ fixParameters: null })
  expect(answered?.answer).not.toMatch(/status.404/)
})

test.each([
  ['its URL', () => `What is wrong with ${site.url('/slow-page')}?`],
  ['its host, without a scheme', () => `What is wrong with ${site.url('/slow-page').replace('http://', '')}?`],
])('a failure is found by %s, whatever else failed later', async (_, question) => {
  const { ask, call } = service()
  await call('scrape', { url: site.url('/slow-page'), timeout: 1000 })
  await call('scrape', { url: site.url('/status/404') })
  expect(await ask(question())).toMatchObject({ fixParameters: { timeout: 30_000 } })
})
