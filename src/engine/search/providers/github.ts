import { z } from 'zod'
import type { SearchHit } from '../../../contracts/search-port.ts'
import { type Range, truncateQuery } from './shared/search-scope.ts'
import { type Context, defineProvider, inOneCall } from './shared/define-provider.ts'
import { readHits, text } from './shared/read-hits.ts'

const maxResults = 100
/** Limit for the words alone; qualifiers are appended. */
const maxLength = { chars: 200, words: 40 }

const found = { body: z.object({ items: z.array(z.unknown()) }), items: ({ items }: { items: unknown[] }) => items }

const searchRepositories = inOneCall({
  call: (context) => callFor(context, { path: 'repositories', qualifier: '', timeField: 'pushed' }),
  read: readHits({
    ...found,
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
    ...found,
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
