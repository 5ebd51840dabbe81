import { z } from 'zod'
import {
  ProviderError,
  type ProviderErrorKind,
  type SearchHit,
  type SearchQuery,
} from '../../../contracts/search-port.ts'
import { isoTime, type Range, scopeOf, truncateQuery } from './shared/search-scope.ts'
import { type Context, defineProvider, inOneCall, inPages } from './shared/define-provider.ts'
import { fromHtml, number, readHits, text } from './shared/read-hits.ts'
import type { ApiResponse } from '../../net/http/api-client.ts'

const maxResults = 100
/** Limit for the words, to which qualifiers are appended. */
const maxLength = { chars: 200, words: 40 }

const itemsShape = {
  body: z.object({ items: z.array(z.unknown()) }),
  items: ({ items }: { items: unknown[] }) => items,
}

const searchRepositories = inOneCall({
  call: (context) => callFor(context, { path: 'repositories', qualifier: '', timeField: 'pushed' }),
  read: readHits({
    ...itemsShape,
    item: z.object({ full_name: z.string(), html_url: z.string(), description: text, pushed_at: text }),
    toHit: (item) => ({
      url: item.html_url,
      title: item.full_name,
      description: item.description,
      date: item.pushed_at,
    }),
  }),
})

const searchIssues = inOneCall({
  call: (context) => callFor(context, { path: 'issues', qualifier: ' is:issue', timeField: 'updated' }),
  read: readHits({
    ...itemsShape,
    item: z.object({ title: z.string(), html_url: z.string(), body: text, updated_at: text }),
    toHit: (item) => ({ url: item.html_url, title: item.title, description: item.body, date: item.updated_at }),
  }),
})

/** GitHub repositories and issues: https://docs.github.com/rest/search/search. */
export const github = defineProvider({
  name: 'github',
  rank: 'after results pages',
  uses: 'githubToken',
  docs: {
    finds: 'repositories and issues, for the category `github`',
    limits: '10 requests a minute, 30 with `githubToken`; a search is two',
    time: 'exact',
  },
  baseUrl: 'https://api.github.com',
  sources: ['web'],
  categories: ['github'],
  operators: ['phrase'],
  period: 'exact',
  site: 'github.com',
  pace: ({ token }) => ({ count: token === undefined ? 10 : 30, perMs: 60_000 }),
  async search(request, ask) {
    const settled = await Promise.allSettled([searchRepositories(request, ask), searchIssues(request, ask)])
    const [first] = settled.filter(({ status }) => status === 'rejected')
    const lists = settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
    // One of the two lists is enough unless it is empty.
    if (first?.status === 'rejected' && lists.flat().length === 0) throw first.reason
    return interleave(lists)
  },
})

function callFor(
  { baseUrl, token, words, range, newestFirst, request }: Context,
  { path, qualifier, timeField }: { path: string; qualifier: string; timeField: string },
) {
  return {
    url: `${baseUrl}/search/${path}`,
    headers: {
      accept: 'application/vnd.github+json',
      'x-github-api-version': '2022-11-28',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    parameters: {
      q: `${truncateQuery(words(request.query), maxLength)}${qualifier}${range ? timeQualifier(timeField, range) : ''}`,
      per_page: Math.min(maxResults, request.limit),
      ...(newestFirst && { sort: 'updated', order: 'desc' }),
    },
  }
}

const timeQualifier = (field: string, { from, to }: Range) => ` ${field}:${timestamp(from)}..${timestamp(to)}`

const timestamp = (timeMs: number) => `${new Date(timeMs).toISOString().slice(0, 19)}Z`

function interleave(lists: readonly SearchHit[][]): SearchHit[] {
  const longestList = Math.max(...lists.map((list) => list.length))
  return Array.from({ length: longestList }, (_, rank) => lists.flatMap((list) => list[rank] ?? [])).flat()
}

/** Stack Overflow questions and answers: https://api.stackexchange.com/docs/excerpt-search. */
export const stackExchange = defineProvider({
  name: 'stack-exchange',
  rank: 'after results pages',
  docs: { finds: 'questions on Stack Overflow', limits: '300 requests a day; waits as long as it asks', time: 'exact' },
  baseUrl: 'https://api.stackexchange.com',
  sources: ['web'],
  operators: ['phrase', 'without'],
  period: 'exact',
  site: 'stackoverflow.com',
  // The limit is 30 requests a second; beyond it an IP address is blocked for minutes.
  pace: () => ({ count: 10, perMs: 1000 }),
  errorKindOf,
  search: inOneCall({
    call: ({ baseUrl, words, range, newestFirst, request: { query, limit } }) => ({
      url: `${baseUrl}/2.3/search/excerpts`,
      parameters: {
        q: words({ ...query, isAny: false }),
        site: 'stackoverflow',
        order: 'desc',
        sort: newestFirst ? 'creation' : 'relevance',
        pagesize: Math.min(maxResults, limit),
        fromdate: range && Math.floor(range.from / 1000),
        todate: range && Math.ceil(range.to / 1000),
      },
    }),
    read: readHits({
      body: z.object({ items: z.array(z.unknown()), backoff: number }),
      items({ items, backoff }, { pause }) {
        if (backoff) pause(backoff * 1000)
        return items
      },
      item: z.object({ question_id: z.number(), title: z.string(), excerpt: text, creation_date: number }),
      toHit: (item) => ({
        url: `https://stackoverflow.com/questions/${item.question_id}`,
        title: fromHtml(item.title),
        description: fromHtml(item.excerpt ?? ''),
        date: typeof item.creation_date === 'number' ? isoTime(item.creation_date * 1000) : undefined,
      }),
    }),
  }),
})

/** Detects a throttled request: status 400 or 502 with error_id 502. The message contains the seconds to wait. */
function errorKindOf({ status, text: body }: ApiResponse): ProviderErrorKind | undefined {
  if (status !== 400 && status !== 502) return undefined
  if (!/"error_id"\s*:\s*502|throttle_violation/.test(body)) return undefined
  const [, seconds] = /available in (\d{1,6}) seconds/.exec(body) ?? []
  throw new ProviderError('rate limited', 'It accepts no more requests for now.', {
    pauseMs: seconds === undefined ? undefined : Number(seconds) * 1000,
  })
}

const perPage = 50

/** Hacker News stories, whose links lead to the whole web: https://hn.algolia.com/api. */
export const hackerNews = defineProvider({
  name: 'hacker-news',
  rank: 'after results pages',
  docs: { finds: 'pages that Hacker News stories link to', time: 'exact' },
  baseUrl: 'https://hn.algolia.com',
  sources: ['web'],
  operators: ['phrase', 'without'],
  period: 'exact',
  search: inPages(perPage, {
    call: ({ baseUrl, request, page, words, range, newestFirst }) => ({
      url: `${baseUrl}/api/v1/${newestFirst ? 'search_by_date' : 'search'}`,
      parameters: {
        // Algolia has no OR, but words can be optional.
        query: words({ ...scopeOf(request).query, isAny: false }),
        optionalWords: optionalOf(request.query),
        tags: 'story',
        advancedSyntax: 'true',
        hitsPerPage: perPage,
        page,
        numericFilters: range && timesOf(range),
      },
    }),
    read: readHits({
      body: z.object({ hits: z.array(z.unknown()), nbPages: number }),
      items: ({ hits }) => hits,
      item: z.object({
        objectID: z.string(),
        title: z.string(),
        url: text,
        created_at: text,
        story_text: text,
        points: number,
        num_comments: number,
      }),
      toHit: (story) => ({
        url: story.url || `https://news.ycombinator.com/item?id=${story.objectID}`,
        title: story.title,
        description: story.story_text
          ? fromHtml(story.story_text)
          : `Hacker News: ${story.points ?? 0} points, ${story.num_comments ?? 0} comments`,
        date: story.created_at,
      }),
      isLast: ({ nbPages }, { nth }) => nth + 1 >= (nbPages ?? 1),
    }),
  }),
})

const optionalOf = ({ isAny, terms, phrases }: SearchQuery) =>
  isAny ? [...terms, ...phrases.flatMap((phrase) => phrase.split(/\s+/))].join(',') : undefined

const timesOf = ({ from, to }: Range) =>
  `created_at_i>=${Math.floor(from / 1000)},created_at_i<=${Math.ceil(to / 1000)}`
