import { z } from 'zod'
import type { SearchHit, SearchOperator, SearchProvider, SearchRequest } from '../../../contracts/search.ts'
import { type Api, askJson } from '../provider/ask.ts'
import { rangeOf } from '../provider/dates.ts'
import { hitsFrom, shaped } from '../provider/hits.ts'
import { createPacer } from '../provider/pacer.ts'
import { urlOf } from '../provider/places.ts'
import { cutTo, requireSite, someWords } from '../provider/scope.ts'
import { toText } from '../query/to-text.ts'

const operators: ReadonlySet<SearchOperator> = new Set(['phrase'])
const maxResults = 100
/** Words only: what limits a search is added behind them. */
const longest = { chars: 200, words: 40 }

const text = z.string().nullish()
const Answer = z.object({ items: z.array(z.unknown()) })
const Repository = z.object({ full_name: z.string(), html_url: z.string(), description: text, pushed_at: text })
const Issue = z.object({ title: z.string(), html_url: z.string(), body: text, updated_at: text })

type Kind = { path: string; limits: string; time: string; read(items: readonly unknown[]): SearchHit[] }

const repositories: Kind = {
  path: 'repositories',
  limits: '',
  time: 'pushed',
  read: (items) =>
    hitsFrom(items, Repository, (item) => ({
      url: item.html_url,
      title: item.full_name,
      description: item.description,
      date: item.pushed_at,
    })),
}
const issues: Kind = {
  path: 'issues',
  limits: ' is:issue',
  time: 'updated',
  read: (items) =>
    hitsFrom(items, Issue, (item) => ({
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
  const searchFor = async ({ path, limits, time, read }: Kind, request: SearchRequest) => {
    const words = cutTo(someWords(toText(request.query, operators)), longest)
    const url = urlOf(`${baseUrl}/search/${path}`, {
      q: `${words}${limits}${timeOf(time, request)}`,
      per_page: Math.min(maxResults, request.limit),
      ...(request.period?.sort === 'date' && { sort: 'updated', order: 'desc' }),
    })
    await pacer.turn(request)
    return read(shaped(await askJson(api, { url, method: 'GET', headers, signal: request.signal }), Answer).items)
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
      const found = await Promise.allSettled([searchFor(repositories, request), searchFor(issues, request)])
      const [first] = found.filter(({ status }) => status === 'rejected')
      const lists = found.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
      // One kind alone is an answer, unless it found nothing.
      if (first?.status === 'rejected' && lists.flat().length === 0) throw first.reason
      return inTurns(lists)
    },
  }
}

function timeOf(field: string, { period }: SearchRequest): string {
  const range = rangeOf(period)
  return range ? ` ${field}:${timestamp(range.from)}..${timestamp(range.to)}` : ''
}

const timestamp = (timeMs: number) => `${new Date(timeMs).toISOString().slice(0, 19)}Z`

function inTurns(lists: readonly SearchHit[][]): SearchHit[] {
  const longestList = Math.max(...lists.map((list) => list.length))
  return Array.from({ length: longestList }, (_, rank) => lists.flatMap((list) => list[rank] ?? [])).flat()
}
