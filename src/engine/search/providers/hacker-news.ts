import { z } from 'zod'
import type { SearchQuery } from '../../../contracts/search-port.ts'
import { type Range, scopeOf } from './shared/search-scope.ts'
import { defineProvider, inPages } from './shared/define-provider.ts'
import { fromHtml, number, readHits, text } from './shared/read-hits.ts'

const perPage = 50

/** Hacker News stories, which link to the whole web: https://hn.algolia.com/api. */
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
