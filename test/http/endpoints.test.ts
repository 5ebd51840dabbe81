import { describe, expect, it } from 'vitest'
import { ask } from './toys.ts'
import { keys, serveToys } from './endpoint-toys.ts'
import { forAll } from '../helpers/for-all.ts'

const toys = forAll(serveToys)

/** Clients of an endpoint send no API key. */
const open = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  ask(toys.server.url + path, { method, headers: { authorization: '', ...headers } })

describe('a CDP endpoint over HTTP', () => {
  it.each(['json/version', 'json/version/'])('returns the browser and its address at %s', async (path) => {
    const { status, json, headers } = await open(`/cdp/${keys.cdp}/${path}`)
    expect([status, json]).toEqual([
      200,
      {
        Browser: 'Chrome/1.2',
        'Protocol-Version': '1.3',
        'User-Agent': 'Toy',
        webSocketDebuggerUrl: `ws://127.0.0.1:${toys.server.port}/cdp/${keys.cdp}`,
      },
    ])
    expect(headers).toMatchObject({ 'content-type': 'application/json; charset=UTF-8', 'cache-control': 'no-store' })
  })

  it.each(['json', 'json/', 'json/list'])('lists the pages at %s', async (path) => {
    const { status, text } = await open(`/cdp/${keys.cdp}/${path}`)
    expect([status, JSON.parse(text)]).toEqual([
      200,
      [
        {
          description: '',
          id: 'P1',
          title: 'A page',
          type: 'page',
          url: 'https://a.example/',
          webSocketDebuggerUrl: `ws://127.0.0.1:${toys.server.port}/cdp/${keys.cdp}/devtools/page/P1`,
        },
      ],
    ])
  })

  it.each([
    ['', 400, 'BAD_REQUEST'],
    ['/', 400, 'BAD_REQUEST'],
    ['/json/protocol', 404, 'NOT_FOUND'],
    ['/ws', 404, 'NOT_FOUND'],
  ])('answers a request to its key followed by %j with status %i', async (path, status, code) => {
    expect(await open(`/cdp/${keys.cdp}${path}`)).toMatchObject({ status, json: { success: false, code } })
  })
})

it.each([`/cdp/none/json/version`, `/cdp/${keys.view}/json/version`, '/cdp/none', '/cdp/none/json/none'])(
  'the unknown CDP key in %s is refused',
  async (path) => {
    expect(await open(path)).toMatchObject({ status: 401, json: { success: false, code: 'UNAUTHORIZED' } })
  },
)

describe('a live view', () => {
  it('is a page with its own policy, and is neither cached nor sent as referrer', async () => {
    const { status, text, headers } = await open(`/live/${keys.view}`)
    expect([status, text]).toEqual([200, '<!doctype html><title>Live</title>'])
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'; frame-ancestors *",
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    })
    expect(headers).not.toHaveProperty('x-frame-options')
  })

  it.each(['/live/none', `/live/${keys.cdp}`, `/live/${keys.view}/ws`, '/live/', '/live'])(
    'that does not exist (%s) is answered with an explaining page',
    async (path) => {
      const { status, text, headers } = await open(path)
      expect(status).toBe(404)
      expect(text).toContain('This live view does not exist or has ended.')
      expect(headers['content-security-policy']).toMatch(/^default-src 'none'/)
    },
  )
})

describe('an endpoint of a session', () => {
  it.each([`/cdp/${keys.cdp}/json/version`, `/live/${keys.view}`])(
    '%s is closed to foreign hosts and sites',
    async (path) => {
      for (const headers of [{ host: 'evil.example' }, { origin: 'https://evil.example' }])
        expect(await open(path, headers)).toMatchObject({ status: 403, json: { code: 'ORIGIN_REFUSED' } })
    },
  )

  it.each(['', '/', '//'])('leaves no key in the log, even if its path has the prefix %j', async (prefix) => {
    for (const path of [`/cdp/${keys.cdp}/json/version`, `/live/${keys.view}`, `/%63dp/${keys.cdp}`])
      await open(prefix + path)
    const lines = toys.log.lines.filter(({ event }) => event === 'request')
    expect(lines.length).toBeGreaterThan(2)
    expect(JSON.stringify(toys.log.lines)).not.toContain('secret')
  })
})
