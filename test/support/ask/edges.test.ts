import { describe, expect, test } from 'vitest'
import { askSupport } from '../../../src/engine/support/ask/ask-support.ts'
import { localTeam } from '../../../src/app/app.ts'
import { failureOf } from '../../helpers/fakes.ts'
import { brokenSite, service } from './kit.ts'

const site = brokenSite()

const visits = (path: string) => site.requests.filter(({ url }) => url === path).length
const other = { team: { ...localTeam, id: 'acme' } }

describe('a job that is named by its id', () => {
  test('is unknown if it belongs to another team, and no other job is used instead', async () => {
    const { call, ask } = service()
    const { id } = await call('scrape', { url: site.url('/status/404') }, other)
    await call('scrape', { url: site.url('/slow-page'), timeout: 1000 })
    const answers = await Promise.all(
      [id, crypto.randomUUID()].map((jobId) => ask('Why did this job fail?', { jobId })),
    )
    const [ofOther, ofNobody] = answers.map((answer) => ({
      ...answer,
      durationMs: 0,
      answer: answer?.answer.replace(/[0-9a-f-]{36}/g, 'ID'),
      feedback: { ...answer?.feedback, blockedBy: answer?.feedback?.blockedBy.replace(/[0-9a-f-]{36}/g, 'ID') },
    }))
    expect(ofOther).toEqual(ofNobody)
    expect(ofOther).toMatchObject({ confidence: 'low', fixParameters: null, validation: null })
    expect(answers[0]?.feedback?.blockedBy).toContain(String(id))
  })

  test('is found however many came after it', async () => {
    const { app, call, ask } = service()
    const { id } = await call('scrape', { url: site.url('/slow-page'), timeout: 1000 })
    const { jobs, clock } = app.newCtx({ team: localTeam, signal: new AbortController().signal, baseUrl: '' }).ports
    for (let at = 0; at < 1001; at++)
      await jobs.record({
        id: crypto.randomUUID(),
        teamId: localTeam.id,
        keyName: null,
        endpoint: 'scrape',
        target: null,
        createdAt: clock.now() + 1,
        status: 'completed',
        errorCode: null,
        result: null,
        replay: null,
        credits: 0,
      })
    expect(await ask('What happened here?', { jobId: id })).toMatchObject({
      answer: expect.stringContaining('timeout of 1000 ms'),
    })
  })

  test('in the text of the question is found although it is older than a day', async () => {
    const { app, ask } = service()
    const { jobs, clock } = app.newCtx({ team: localTeam, signal: new AbortController().signal, baseUrl: '' }).ports
    const id = crypto.randomUUID()
    await jobs.record({
      id,
      teamId: localTeam.id,
      keyName: null,
      endpoint: 'scrape',
      target: site.url('/slow-page'),
      createdAt: clock.now() - 25 * 3_600_000,
      status: 'failed',
      errorCode: 'SCRAPE_SITE_ERROR',
      result: null,
      replay: null,
      credits: 0,
    })
    expect((await ask(`Why did ${id} fail?`))?.answer).not.toContain('No job')
  })

  test('under zero data retention is explained by its error alone', async () => {
    const { call, ask } = service()
    const { id, code } = await call('scrape', { url: site.url('/slow-page'), timeout: 1000, zeroDataRetention: true })
    const visited = visits('/slow-page')
    const answer = await ask('Why did this fail?', { jobId: id })
    expect(answer).toMatchObject({ answer: expect.stringContaining(`timeout`), feedback: null })
    expect(code).toBe('SCRAPE_TIMEOUT')
    expect(JSON.stringify(answer)).not.toContain('slow-page')
    expect(visits('/slow-page')).toBe(visited)
  })
})

test.each([
  ['of one word', 'a'],
  ['of numbers', '429 '],
  ['of addresses', 'http://a/ '],
  ['of names', 'MaxAge '],
  ['of underscores', 'A_'],
  ['of search words', 'search no '],
])('a question of 8,000 characters %s is answered', async (_, part) => {
  const { call, ask } = service()
  await call('scrape', { url: site.url('/fine') })
  const question = part.repeat(8000).slice(0, 8000).trim()
  expect(await ask(question)).toMatchObject({ confidence: expect.any(String), durationMs: expect.any(Number) })
})

test('a caller who leaves in the middle of a trial releases the slot', async () => {
  const { app, call } = service({ GOSSAMER_MAX_CONCURRENCY: '1' })
  await call('scrape', { url: site.url('/hang'), timeout: 1000 })
  const visited = visits('/hang')
  const caller = new AbortController()
  const ctx = app.newCtx({ team: localTeam, signal: caller.signal, baseUrl: '' })
  const failure = failureOf(askSupport({ question: 'My scrape timed out' }, ctx))
  await expect.poll(() => visits('/hang')).toBeGreaterThan(visited)
  caller.abort(new Error('left'))
  expect(await failure).toBe(caller.signal.reason)
  await expect.poll(() => ctx.ports.account.load(localTeam.id)).toMatchObject({ active: 0, waiting: 0 })
})

test('two concurrent questions are answered separately, in one slot', async () => {
  const { call, ask } = service({ GOSSAMER_MAX_CONCURRENCY: '1' })
  await call('scrape', { url: site.url('/slow-page'), timeout: 1000 })
  await call('scrape', { url: site.url('/status/404') })
  const [slow, missing] = await Promise.all([ask('My scrape timed out'), ask('What is this 404?')])
  expect(slow).toMatchObject({ fixParameters: { timeout: 30_000 }, validation: { result: 'success' } })
  expect(missing).toMatchObject({ answer: expect.stringContaining('does not exist'), fixParameters: null })
})

test('a job without markdown does not prove that more of the page was read', async () => {
  const { call, ask } = service()
  await call('scrape', { url: site.url('/fine'), formats: ['html'] })
  const answer = await ask(`Part of ${site.url('/fine')} is missing`)
  expect(answer?.validation).toMatchObject({ tested: false, result: 'skipped' })
  expect(answer?.confidence).not.toBe('high')
})
