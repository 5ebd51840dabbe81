import { describe, expect, test } from 'vitest'
import type { Ctx } from '../../../src/kernel/ctx.ts'
import { askSupport } from '../../../src/engine/support/ask/ask-support.ts'
import { type AppError, toBody } from '../../../src/kernel/error.ts'
import { failureOf } from '../../helpers/fakes.ts'
import { gives, type ModelCall, startModelServer } from '../../helpers/model-server.ts'
import { brokenSite, service } from './kit.ts'

const site = brokenSite()

const visits = (path: string) => site.requests.filter(({ url }) => url === path).length
const team = (id: string): Pick<Ctx, 'team'> => ({ team: { id, key: id, permissions: ['zeroDataRetention'] } })

describe('questions that no rule covers', () => {
  test.each([
    'My laptop gets warm when I use your service',
    'The tables in the markdown have their columns in the wrong order',
    'Can I get a refund for last week?',
    'Your dashboard shows a grey square where my picture was',
    'Numbers come with a comma and I want a point',
    'The export of the results to a spreadsheet has odd colours',
  ])('are answered as unsolved, with the attempts: %s', async (question) => {
    const { call, ask } = service()
    await call('scrape', { url: site.url('/fine') })
    await call('scrape', { url: site.url('/shop/'), timeout: 5000 })
    const answer = await ask(question)
    expect(answer).toMatchObject({ confidence: 'low', fixParameters: null, validation: null })
    expect(answer?.feedback?.blockedBy).toMatch(/fits the question/)
    expect(answer?.feedback?.attempted).toHaveLength(5)
    expect(answer?.feedback?.attempted[0]).toBe('jobs of the last 24 hours: examined 2, 0 failed')
  })

  test('are passed on, and so is advice that did not help in a trial', async () => {
    const { call, ask } = service()
    await call('scrape', { url: site.url('/fine'), onlyMainContent: true })
    const answer = await ask(`Part of ${site.url('/fine')} is missing`)
    expect(answer).toMatchObject({ confidence: 'low', fixParameters: null, validation: { result: 'failure' } })
    expect(answer?.feedback?.attempted.at(-1)).toMatch(/^main-content: Scraped again with onlyMainContent false/)
  })
})

describe('trials', () => {
  test('leave no job, no charge and no cached page', async () => {
    const { call, ask } = service()
    await call('scrape', { url: site.url('/slow-page'), timeout: 1000 })
    const before = await Promise.all([call('activity', {}), call('credit_usage', {})])
    const visited = visits('/slow-page')
    expect(await ask('scrape timeout')).toMatchObject({ validation: { result: 'success' } })
    expect(visits('/slow-page')).toBeGreaterThan(visited)
    const after = await Promise.all([call('activity', {}), call('credit_usage', {})])
    expect(after.map(({ output }) => output)).toEqual(before.map(({ output }) => output))
    expect(await call('scrape', { url: site.url('/slow-page'), minAge: 1 })).toMatchObject({
      code: 'SCRAPE_NO_CACHED_DATA',
    })
  })

  test.each([
    ['that acts on the page', { actions: [{ type: 'click', selector: '#buy' }], timeout: 1000 }],
    ['under zero data retention', { zeroDataRetention: true, timeout: 1000 }],
    ['in lockdown', { lockdown: true }],
  ])('are not made for a job %s', async (_, options) => {
    const { call, ask } = service({ GOSSAMER_BROWSER_PATH: '/nowhere/chrome' })
    const { code } = await call('scrape', { url: site.url('/slow-page'), ...options })
    expect(code).toBeDefined()
    const visited = visits('/slow-page')
    const answer = await ask(`Why did it fail with ${code}?`)
    expect(answer?.validation?.result ?? 'skipped').toBe('skipped')
    expect(answer?.feedback).toBeNull()
    expect(visits('/slow-page')).toBe(visited)
  })

  test('are at most three scrapes per question', async () => {
    const { call, ask } = service()
    for (const path of ['/status/500', '/status/503', '/status/500?b', '/status/503?c', '/status/500?d'])
      await call('scrape', { url: site.url(path), maxAge: 0 })
    const visited = site.requests.length
    await ask('server error 500')
    expect(site.requests.length - visited).toBeLessThanOrEqual(3)
  })
})

test('a question over the time limit returns 504 with the findings so far', async () => {
  const { call, app } = service()
  await call('scrape', { url: site.url('/slow-page'), timeout: 1000 })
  const ctx = app.newCtx({ ...team('local'), signal: new AbortController().signal, baseUrl: '' })
  // The model never answers.
  const model = { ...ctx.ports.model, isSet: () => true, object: () => new Promise<never>(() => {}) }
  const slow = { ...ctx, ports: { ...ctx.ports, model } }
  const error = await failureOf(askSupport({ question: 'My scrape timed out' }, slow, 4000))
  expect(error).toMatchObject({ code: 'SUPPORT_TIMEOUT', status: 504 })
  expect(toBody(error as AppError)).toMatchObject({
    success: false,
    code: 'SUPPORT_TIMEOUT',
    answer: expect.stringContaining('timeout of 1000 ms'),
    fixParameters: { timeout: 30_000 },
    validation: { tested: false, result: 'skipped' },
    durationMs: expect.any(Number),
  })
})

/** The answer phrased by a model. */
async function phrasedBy(script: (call: ModelCall) => unknown) {
  const model = await startModelServer((call) => gives(script(call)))
  const { call, ask } = service({ GOSSAMER_MODEL: 'test', GOSSAMER_MODEL_URL: model.url('openai') })
  await call('scrape', { url: site.url('/status/404') })
  const answer = await ask('What is wrong with 404?')
  await model.close()
  return { answer, calls: model.calls }
}

describe('a language model', () => {
  test('phrases the findings, and gets no text of pages', async () => {
    const wording = 'The address leads nowhere, since the site says 404. Look for the new one with map.'
    const { answer, calls } = await phrasedBy(() => ({ order: [1], wording }))
    expect(answer?.answer).toContain(wording)
    expect(calls).toHaveLength(1)
    expect(calls[0]?.prompt).toContain('does not exist')
    expect(calls[0]?.prompt).not.toContain('No such page')
  })

  test.each([
    ['a figure', 'The site answered with status 418.'],
    ['a parameter', 'Set ignoreRobotsTxt to true.'],
    ['an address', 'Read https://evil.example/help first.'],
    ['a finding', ''],
  ])('cannot add %s', async (_, wording) => {
    const { answer } = await phrasedBy(() => ({ order: wording ? [1] : [9], wording }))
    expect(answer?.answer).toMatch(/does not exist: the site answered with status 404/)
  })
})

test.each([
  ['empty', ''],
  ['of blanks', '  '],
  ['too long', 'a'.repeat(8001)],
])('refuses a question that is %s', async (_, question) => {
  const { call } = service()
  expect(await call('support_ask', { question })).toMatchObject({ code: 'BAD_REQUEST' })
})
