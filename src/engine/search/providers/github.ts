import { z } from 'zod'
import type { SearchHit, SearchOperator, SearchProvider, SearchRequest } from '../../../contracts/search.ts'
import { type Api, callJsonApi, buildUrl } from './shared/call-api.ts'
import { rangeOf } from './shared/dates.ts'
import { parseHits, parseResponse } from './shared/hits.ts'
import { createPacer } from './shared/pacer.ts'
import { truncateQuery, requireSite, requireWords } from './shared/scope.ts'
import { toText } from '../query/to-text.ts'
import type { OpenProviderEntry } from './shared/entry.ts'

const operators: ReadonlySet<SearchOperator> = new Set(['phrase'])
const maxResults = 100
/** For the words alone; qualifiers are appended. */
const maxLength = { chars: 200, words: 40 }

const text = z.string().nullish()
const ResponseBody = z.object({ items: z.array(z.unknown()) })
const Repository = z.object({ full_name: z.string(), html_url: z.string(), description: text, pushed_at: text })
const Issue = z.object({ title: z.string(), html_url: z.string(), body: text, updated_at: text })

type Kind = { path: string; qualifier: string; timeField: string; parse(items: readonly unknown[]): SearchHit[] }

const repositories: Kind = {
  path: 'repositories',
  qualifier: '',
  timeField: 'pushed',
  parse: (items) =>
    parseHits(items, Repository, (item) => ({
      url: item.html_url,
      title: item.full_name,
      description: item.description,
      date: item.pushed_at,
    })),
}
const issues: Kind = {
  path: 'issues',
  qualifier: ' is:issue',
  timeField: 'updated',
  parse: (items) =>
    parseHits(items, Issue, (item) => ({
      url: item.html_url,
      title: item.title,
      description: item.body,
      date: item.updated_at,
    })),
}

/** Repositories and issues of GitHub: https://docs.github.com/rest/search/search. 10 searches a minute, 30 with a token. */
export function github(
  api: Api,
  { token, baseUrl = 'https://api.github.com' }: { token?: string | undefined; baseUrl?: string } = {},
): SearchProvider {
  const pacer = createPacer({ count: token === undefined ? 10 : 30, perMs: 60_000 })
  const headers = {
    accept: 'application/vnd.github+json',
    'x-github-api-version': '2022-11-28',
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  }
  const searchFor = async ({ path, qualifier, timeField, parse }: Kind, request: SearchRequest) => {
    const words = truncateQuery(requireWords(toText(request.query, operators)), maxLength)
    const url = buildUrl(`${baseUrl}/search/${path}`, {
      q: `${words}${qualifier}${timeQualifier(timeField, request)}`,
      per_page: Math.min(maxResults, request.limit),
      ...(request.period?.sort === 'date' && { sort: 'updated', order: 'desc' }),
    })
    await pacer.waitTurn(request)
    return parse(
      parseResponse(await callJsonApi(api, { url, method: 'GET', headers, signal: request.signal }), ResponseBody)
        .items,
    )
  }
  return {
    name: 'github',
    sources: new Set(['web']),
    categories: new Set(['github']),
    operators,
    period: 'exact',
    weight: 0.6,
    async search(request) {
      requireSite(request, 'github.com')
      const settled = await Promise.allSettled([searchFor(repositories, request), searchFor(issues, request)])
      const [first] = settled.filter(({ status }) => status === 'rejected')
      const lists = settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
      // One of the two lists is enough unless it is empty.
      if (first?.status === 'rejected' && lists.flat().length === 0) throw first.reason
      return interleave(lists)
    },
  }
}

function timeQualifier(field: string, { period }: SearchRequest): string {
  const range = rangeOf(period)
  return range ? ` ${field}:${timestamp(range.from)}..${timestamp(range.to)}` : ''
}

const timestamp = (timeMs: number) => `${new Date(timeMs).toISOString().slice(0, 19)}Z`

function interleave(lists: readonly SearchHit[][]): SearchHit[] {
  const longestList = Math.max(...lists.map((list) => list.length))
  return Array.from({ length: longestList }, (_, rank) => lists.flatMap((list) => list[rank] ?? [])).flat()
}

export const githubEntry: OpenProviderEntry = {
  rank: 'after results pages',
  uses: 'githubToken',
  docs: {
    finds: 'repositories and issues, for the category `github`',
    limits: '10 requests a minute, 30 with `githubToken`; a search is two',
    time: 'exact',
  },
  create: (api, { githubToken: token }) => github(api, { token }),
}
