import { describe, expect, test } from 'vitest'
import type { ErrorCode } from '../../src/kernel/error.ts'
import { failureOf } from '../helpers/fakes.ts'
import { aScrape, scrapeId, setting } from './interact-setting.ts'

const code = { code: 'await page.title()' }

describe('interact', () => {
  test('opens a browser at the page of the scrape, and runs code in it', async () => {
    const { interact: call, requests, jobs } = setting()
    expect(await call(code)).toEqual({
      stdout: 'printed\n',
      result: '42',
      stderr: '',
      exitCode: 0,
      killed: false,
      liveViewUrl: 'http://127.0.0.1:3002/live/v',
      interactiveLiveViewUrl: 'http://127.0.0.1:3002/live/k',
    })
    expect(requests).toEqual([
      {
        kind: 'interact',
        id: scrapeId,
        teamId: 'acme',
        keyName: 'laptop',
        ttlMs: 600_000,
        activityTtlMs: 300_000,
        streamWebView: true,
        profile: { name: 'shop', saveChanges: true },
        replay: expect.objectContaining({
          url: 'https://example.com/',
          actions: [{ type: 'click', selector: '#a', all: false }],
        }),
      },
    ])
    expect(jobs).toEqual([{ id: scrapeId, code: code.code, language: 'node', timeoutMs: 30_000 }])
  })

  test('continues in the same browser, even if the scrape can no longer be read', async () => {
    const { interact: call, requests, jobs, records } = setting()
    await call(code)
    records.splice(0)
    await call({ code: '1', timeout: 300 })
    expect(requests).toHaveLength(1)
    expect(jobs.map(({ timeoutMs }) => timeoutMs)).toEqual([30_000, 300_000])
  })

  test.each<[string, number, string, (all: ReturnType<typeof setting>) => Promise<unknown>]>([
    ['neither code nor prompt', 400, 'BAD_REQUEST', ({ interact: call }) => call({})],
    ['both code and prompt', 400, 'BAD_REQUEST', ({ interact: call }) => call({ ...code, prompt: 'click' })],
    ['code that is too long', 400, 'BAD_REQUEST', ({ interact: call }) => call({ code: 'x'.repeat(100_001) })],
    ['too much time', 400, 'BAD_REQUEST', ({ interact: call }) => call({ ...code, timeout: 301 })],
    ['a prompt without a model', 503, 'MODEL_UNAVAILABLE', ({ interact: call }) => call({ prompt: 'click' })],
    ['the scrape of another team', 403, 'JOB_OF_OTHER_TEAM', ({ interact: call }) => call(code, 'other')],
    ['an id that is no UUID', 400, 'BAD_REQUEST', ({ interact: call }) => call({ ...code, jobId: 'nonsense' })],
    [
      'a scrape that does not exist',
      404,
      'JOB_NOT_FOUND',
      ({ interact: call }) => call({ ...code, jobId: scrapeId.replace('1', '2') }),
    ],
    [
      'a browser that was stopped',
      410,
      'SESSION_GONE',
      async ({ interact: call, stop }) => {
        await call(code)
        await stop()
        return call(code)
      },
    ],
    [
      'the browser of another team',
      403,
      'JOB_OF_OTHER_TEAM',
      async ({ interact: call }) => {
        await call(code)
        return call(code, 'other')
      },
    ],
    [
      'a browser session without a scrape',
      404,
      'JOB_NOT_FOUND',
      async ({ interact: call, live }) => {
        await call(code)
        live.set(scrapeId, { ...live.get(scrapeId)!, kind: 'browser' })
        return call(code)
      },
    ],
  ])('refuses %s with %i', async (_, status, errorCode, provoke) => {
    const all = setting()
    const error = await failureOf(provoke(all))
    expect(error).toMatchObject({ status, code: errorCode })
  })

  test.each([
    ['that failed', { status: 'failed' as const, replay: null }],
    ['that was not stored', { replay: null, result: null }],
  ])('refuses a scrape %s with 409', async (_, changes) => {
    const { interact: call, requests } = setting({ job: { ...aScrape, ...changes } })
    expect(await failureOf(call(code))).toMatchObject({ status: 409, code: 'REPLAY_UNAVAILABLE' })
    expect(requests).toEqual([])
  })

  test.each<['refusal' | 'failing', ErrorCode, number]>([
    ['refusal', 'SESSION_LIMIT', 429],
    ['refusal', 'SESSION_GONE', 410],
    ['refusal', 'REPLAY_UNAVAILABLE', 409],
    ['refusal', 'BROWSER_UNAVAILABLE', 503],
    ['refusal', 'PROFILE_IN_USE', 409],
    ['refusal', 'SESSION_FAILED', 502],
    ['failing', 'SANDBOX_UNAVAILABLE', 503],
    ['failing', 'SESSION_FAILED', 502],
    ['failing', 'FEATURE_UNAVAILABLE', 501],
  ])(
    'passes on an error of opening the browser (refusal) or running code (failing): %s %s',
    async (when, error, status) => {
      const { interact: call, state } = setting()
      state[when] = error
      expect(await failureOf(call(code))).toMatchObject({ status, code: error })
    },
  )

  test('fails with SANDBOX_UNAVAILABLE if there is no sandbox, before a browser is opened', async () => {
    const { interact: call, state, requests } = setting()
    state.runs = (language) => language !== 'node'
    expect([await failureOf(call(code)), requests]).toMatchObject([{ code: 'SANDBOX_UNAVAILABLE' }, []])
  })

  test('fails with 402 if the credits are used up, before a browser is opened', async () => {
    const { interact: call, requests, world } = setting({ monthlyCredits: 10 })
    world.used = 10
    expect(await failureOf(call(code))).toMatchObject({ status: 402, code: 'INSUFFICIENT_CREDITS' })
    expect(requests).toEqual([])
  })
})

describe('interact_stop', () => {
  test('closes the browser, returns its duration and cost, and returns them again', async () => {
    const { interact: call, stop } = setting()
    await call(code)
    const ended = { sessionDurationMs: 90_000, creditsBilled: 3 }
    expect(await stop()).toEqual(ended)
    expect(await stop()).toEqual(ended)
  })

  test('is refused if there never was a browser', async () => {
    const error = await failureOf(setting().stop())
    expect(error).toMatchObject({ status: 404, code: 'SESSION_NOT_FOUND', hint: expect.stringContaining('interact') })
  })

  test('is refused to another team', async () => {
    const { interact: call, stop } = setting()
    await call(code)
    expect(await failureOf(stop('other'))).toMatchObject({ status: 403, code: 'JOB_OF_OTHER_TEAM' })
  })
})
