import { describe, expect, test } from 'vitest'
import { ProviderError, type ProviderErrorKind } from '../../../src/contracts/search-port.ts'
import { failure } from '../../../src/kernel/error.ts'
import { failureOf } from '../../helpers/fakes.ts'
import { requestFor } from '../kit.ts'
import { type Answering, apiFor, json, key, providerBefore, providers, textAnswer } from './kit.ts'

const names = Object.keys(providers)
type Case = {
  what: string
  answer: Answering
  kind: ProviderErrorKind
  pauseMs?: number | undefined
  /** Exceptions, by provider. */
  but?: Partial<Record<string, ProviderErrorKind>>
  timeoutMs?: number
}

const huge = Buffer.alloc(6_000_000, '"')
const page = textAnswer('<!doctype html><title>Are you a robot?</title>', 'text/html')
const errorBody = { error: `no ${key}`, message: key, detail: { error: key } }

const cases: readonly Case[] = [
  { what: 'a key it does not know', answer: json(errorBody, 401), kind: 'bad key' },
  { what: 'a key without credit', answer: json(errorBody, 402), kind: 'quota used up' },
  { what: 'no', answer: json(errorBody, 403), kind: 'refused', but: { serper: 'bad key', searxng: 'json disabled' } },
  { what: 'a request it does not take', answer: json(errorBody, 400), kind: 'refused', pauseMs: 0 },
  { what: 'too many requests', answer: json(errorBody, 429), kind: 'rate limited' },
  {
    what: 'too many requests, and for how long',
    answer: json(errorBody, 429, { 'retry-after': '7' }),
    kind: 'rate limited',
    pauseMs: 7000,
  },
  {
    what: 'being busy for a while',
    answer: json(errorBody, 503, { 'retry-after': '3' }),
    kind: 'rate limited',
    pauseMs: 3000,
  },
  { what: 'an empty page with status 202', answer: textAnswer('', 'text/html', 202), kind: 'unreadable answer' },
  { what: 'nothing', answer: textAnswer(''), kind: 'unreadable answer' },
  {
    what: 'a web page',
    answer: page,
    kind: 'unreadable answer',
    but: { searxng: 'bot challenge', 'bing-news': 'bot challenge' },
  },
  { what: 'other fields', answer: json({ answer: 42 }), kind: 'unreadable answer' },
  { what: 'half an answer', answer: textAnswer('{"results": [', 'application/json'), kind: 'unreadable answer' },
  {
    what: 'a connection cut in the middle',
    answer: (response) => {
      response.writeHead(200, { 'content-length': '1000' }).write('{"results":')
      setImmediate(() => response.destroy())
    },
    kind: 'unreachable',
  },
  { what: 'silence', answer: () => {}, kind: 'timed out', timeoutMs: 100 },
  {
    what: 'an answer that stops',
    answer: (response) => void response.writeHead(200).write('{"results":'),
    kind: 'timed out',
    timeoutMs: 100,
  },
  { what: 'six megabytes', answer: (response) => void response.end(huge), kind: 'unreadable answer' },
]

const odd = [{ answer: 42 }, 'text', null, { url: 'javascript:alert(1)', title: 'x', link: 'ftp://a.example' }]
const inResults = json({ results: odd })
const feed = '<item><title>a</title><link>javascript:alert(1)</link></item><item><title>b</title></item>'
const rss = textAnswer(`<rss><channel><title>t</title>${feed}</channel></rss>`, 'application/rss+xml')

/** Answers with a valid frame and invalid results. */
const strange: Record<string, Answering> = {
  brave: json({ type: 'search', web: { results: odd } }),
  tavily: inResults,
  exa: inResults,
  serper: json({ searchParameters: {}, organic: odd }),
  searxng: inResults,
  wikipedia: json({ query: { search: odd } }),
  'stack-exchange': json({ items: odd }),
  'hacker-news': json({ hits: odd }),
  github: json({ items: odd }),
  arxiv: rss,
  crossref: json({ message: { items: odd } }),
  pubmed: (response, one, nth) =>
    json(
      one.url.pathname.endsWith('esearch.fcgi')
        ? { esearchresult: { idlist: ['1'] } }
        : { result: { uids: ['1'], 1: { uid: 1 } } },
    )(response, one, nth),
  commons: json({ query: { pages: odd } }),
  openverse: inResults,
  gdelt: json({ articles: odd }),
  'bing-news': rss,
}

describe.each(names)('%s', (name) => {
  test.each(cases)('fails if it answers with $what', async ({ answer, kind, pauseMs, but, timeoutMs }) => {
    const { search, baseUrl } = await providerBefore(name, answer, timeoutMs)
    const error = await failureOf(search())
    expect(error).toBeInstanceOf(ProviderError)
    expect(error).toMatchObject({ kind: but?.[name] ?? kind })
    if (pauseMs !== undefined) expect(error).toHaveProperty('pauseMs', pauseMs)
    const { message } = error as ProviderError
    expect(message).toMatch(/^[A-Z].*\.$/)
    for (const secret of [key, baseUrl, '127.0.0.1', '://', 'example.org']) expect(message).not.toContain(secret)
  })

  test('fails if it answers with results in an unknown shape', async () => {
    const { search } = await providerBefore(name, strange[name]!)
    expect(await failureOf(search())).toMatchObject({ kind: 'unreadable answer' })
  })

  test('fails if no server listens', async () => {
    const { make, request } = providers[name]!
    expect(await failureOf(make(apiFor(), 'http://127.0.0.1:1').search(requestFor(request)))).toMatchObject({
      kind: 'unreachable',
    })
  })

  test('stops with the reason of its signal', async () => {
    const stop = new AbortController()
    const reason = failure('SCRAPE_TIMEOUT')
    const { search } = await providerBefore(name, () => stop.abort(reason))
    expect(await failureOf(search({ signal: stop.signal }))).toBe(reason)
  })

  test('rejects a query of operators alone, without a pause', async () => {
    const { search, requests, provider } = await providerBefore(name, json({}))
    // Providers that know the operator send the query.
    const query = provider.operators.has('filetype') ? '' : 'filetype:xyz'
    expect(await failureOf(search({ query, category: undefined }))).toMatchObject({ kind: 'refused', pauseMs: 0 })
    expect(requests).toEqual([])
  })
})

const limits = (remaining: string, limit = '1, 15000') => ({
  'x-ratelimit-limit': limit,
  'x-ratelimit-remaining': remaining,
  'x-ratelimit-reset': '1, 1419704',
})
test.each([
  { what: 'second', headers: limits('0, 1000'), kind: 'rate limited', pauseMs: 1000 },
  { what: 'month', headers: limits('1, 0'), kind: 'quota used up', pauseMs: 1_419_704_000 },
  {
    what: 'second of a plan without a month',
    headers: limits('0, 0', '50, 0'),
    kind: 'rate limited',
    pauseMs: 1000,
  },
])('Brave reports that its $what is used up', async ({ headers, kind, pauseMs }) => {
  const { search } = await providerBefore('brave', json(errorBody, 429, headers))
  expect(await failureOf(search())).toMatchObject({ kind, pauseMs })
})

describe('an error of one provider', () => {
  test.each([432, 433])('is status %i if the plan of Tavily is used up', async (status) => {
    const { search } = await providerBefore('tavily', json(errorBody, status))
    expect(await failureOf(search())).toMatchObject({ kind: 'quota used up' })
  })

  test('is status 403 if the rate limit of GitHub is used up', async () => {
    const reset = Math.floor(Date.now() / 1000) + 40
    const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-limit': '10', 'x-ratelimit-reset': String(reset) }
    const { search } = await providerBefore('github', json(errorBody, 403, headers))
    const error = (await failureOf(search())) as ProviderError
    expect(error.kind).toBe('rate limited')
    expect(error.pauseMs).toBeGreaterThan(30_000)
    expect(error.pauseMs).toBeLessThanOrEqual(40_000)
  })

  test.each([
    { code: 'ratelimited', kind: 'rate limited' },
    { code: 'maxlag', kind: 'unreachable' },
    { code: 'badvalue', kind: 'refused' },
  ])('is status 200 with the error $code of MediaWiki', async ({ code, kind }) => {
    for (const name of ['wikipedia', 'commons']) {
      const { search } = await providerBefore(name, json({ error: { code, info: key } }))
      expect(await failureOf(search())).toMatchObject({ kind })
    }
  })

  test.each([
    { text: 'Please limit requests to one every 5 seconds or contact us.', kind: 'rate limited' },
    { text: 'The specified phrase is too short.', kind: 'refused' },
  ])('is status 200 with a sentence of GDELT: $text', async ({ text, kind }) => {
    const { search } = await providerBefore('gdelt', textAnswer(text))
    expect(await failureOf(search())).toMatchObject({ kind })
  })

  test('is status 200 with an error in the body of PubMed and arXiv', async () => {
    const pubmed = await providerBefore('pubmed', json({ esearchresult: { ERROR: 'Invalid db name' } }))
    expect(await failureOf(pubmed.search())).toMatchObject({ kind: 'refused', pauseMs: 0 })
    const entry =
      '<entry><id>http://arxiv.org/api/errors#x</id><title>Error</title><link href="http://arxiv.org/api/errors#x"/></entry>'
    const atom = `<feed xmlns="http://www.w3.org/2005/Atom">${entry}</feed>`
    const arxiv = await providerBefore('arxiv', textAnswer(atom, 'application/atom+xml'))
    expect(await failureOf(arxiv.search())).toMatchObject({ kind: 'refused', pauseMs: 0 })
  })
})
