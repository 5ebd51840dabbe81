import { isRecord } from '../../../../util/json.ts'
import type { Effect, Parameters } from '../case.ts'

const textsOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])
/** Returns the items of a list of strings or of objects with a `type`. */
const kindsOf = (value: unknown): unknown[] =>
  Array.isArray(value) ? value.map((each: unknown) => (isRecord(each) ? each['type'] : each)) : []
const mostResults = 100

const source = (name: string, asked: string): Effect => ({
  id: `no-${name}`,
  of: ['search'],
  asked,
  finds: ({ sources }) => {
    const kinds = kindsOf(sources ?? ['web'])
    return kinds.includes(name)
      ? undefined
      : {
          says: `The search asks the sources ${kinds.join(', ')}. Add "${name}" to sources.`,
          parameters: { sources: [...kinds, name] },
        }
  },
})

const profileOf = ({ profile }: Parameters) => (isRecord(profile) ? profile : undefined)

/** Unexpected effects of options of crawls, searches and sessions. */
export const effectsOfJobs: readonly Effect[] = [
  {
    id: 'sitemap-skipped',
    of: ['crawl'],
    asked:
      'page that is only in the sitemap is missing; pages of the sitemap were not found; sitemap is ignored; pages without links to them are missing',
    finds: ({ sitemap }) =>
      sitemap === 'skip'
        ? {
            says: 'The crawl follows links alone, by sitemap "skip", so pages that only the sitemap names are not found. Set sitemap to "include".',
            parameters: { sitemap: 'include' },
          }
        : undefined,
  },
  {
    id: 'sitemap-alone',
    of: ['crawl'],
    asked: 'linked pages are missing; links are not followed; only pages of the sitemap come; new pages are not found',
    finds: ({ sitemap }) =>
      sitemap === 'only'
        ? {
            says: 'The crawl takes the start page and the sitemaps alone, by sitemap "only", and follows no links. Set sitemap to "include".',
            parameters: { sitemap: 'include' },
          }
        : undefined,
  },
  {
    id: 'one-at-a-time',
    of: ['crawl', 'batch_scrape'],
    asked:
      'crawl reads one page at a time; pages come one after the other; not in parallel; crawl is slow; crawl takes hours; only a few pages at once',
    finds: ({ maxConcurrency }) =>
      typeof maxConcurrency === 'number'
        ? {
            says: `The job reads at most ${maxConcurrency} pages at the same time, by maxConcurrency. Leave maxConcurrency out for as many as the team may.`,
            parameters: { maxConcurrency: null },
          }
        : undefined,
  },
  {
    id: 'whole-addresses',
    of: ['crawl'],
    asked:
      'full address in includePaths; pattern with https matches nothing; whole URL as a pattern; nothing matches my pattern; query string in the pattern; excludePaths has no effect; crawl came back with nothing',
    finds: ({ includePaths, excludePaths, regexOnFullURL }) => {
      const whole = [...textsOf(includePaths), ...textsOf(excludePaths)].filter((pattern) =>
        /https?|:\/|\\?\?.*=/.test(pattern),
      )
      return whole[0] === undefined || regexOnFullURL === true
        ? undefined
        : {
            says: `The pattern ${JSON.stringify(whole[0].slice(0, 100))} holds more than a path, and patterns are matched with the path alone. Set regexOnFullURL to true, or leave host and query out of the patterns.`,
            parameters: { regexOnFullURL: true },
          }
    },
  },
  {
    id: 'alike-pages',
    of: ['crawl'],
    asked:
      'pages with www are missing; http version is missing; index.html was left out; similar addresses are taken as one; duplicates are dropped',
    finds: ({ deduplicateSimilarURLs }) =>
      deduplicateSimilarURLs === false
        ? undefined
        : {
            says: 'Addresses that differ by www., http or https, a trailing slash or index.html count as one page. Set deduplicateSimilarURLs to false to read each.',
            parameters: { deduplicateSimilarURLs: false },
          },
  },
  {
    id: 'unsigned-events',
    of: ['crawl', 'batch_scrape'],
    asked:
      'signature header is missing; no X-Service-Signature; webhook is not signed; cannot verify the webhook; callback without signature; there is no such header',
    finds: ({ webhook }, { crawl }) =>
      webhook === undefined && crawl?.events === undefined
        ? undefined
        : {
            says: 'Events are signed only where a secret is set. Ask the operator to set GOSSAMER_WEBHOOK_SECRET, or a secret of your team (gossamer teams set TEAM --secret new); the header X-Service-Signature then comes with every event.',
          },
  },
  {
    id: 'invalid-addresses',
    of: ['batch_scrape'],
    asked:
      'some addresses are missing in the batch; not all URLs of my list were read; fewer results than addresses; links of the list were left out; some are not among the results',
    finds: () => ({
      says: 'A batch leaves out addresses that are invalid, such as those without a host or of another scheme than http and https; the answer that began it lists them in invalidURLs. Set ignoreInvalidURLs to false to have such a batch refused at once.',
      parameters: { ignoreInvalidURLs: false },
    }),
  },
  {
    id: 'results-without-text',
    of: ['search'],
    asked:
      'search gives only titles and descriptions; text of the results is missing; need what the pages say; no content in search results; full text of the pages; markdown of the results is missing',
    finds: () => ({
      says: 'A search returns titles, addresses and short passages; pages are read only where scrapeOptions asks for formats. Set scrapeOptions with the formats to read, such as markdown.',
      parameters: { scrapeOptions: { formats: ['markdown'] } },
    }),
  },
  {
    id: 'few-results',
    of: ['search'],
    asked:
      'search gives few results; only ten results; there must be more results; more hits; number of results is too small; only three results',
    finds: ({ limit }) => {
      const given = typeof limit === 'number' ? limit : 10
      return given >= mostResults
        ? undefined
        : {
            says: `The search returns at most ${given} results, by limit. Raise limit, up to ${mostResults}; every ten cost two credits.`,
            parameters: { limit: Math.min(mostResults, given * 5) },
          }
    },
  },
  source('images', 'search finds no pictures; no images in the results; photos are missing in the search'),
  source('news', 'search finds no news; no newspaper articles in the results; news are missing in the search'),
  {
    id: 'profile-not-saved',
    of: ['browser', 'scrape'],
    asked:
      'login is gone in the next session; profile does not keep anything; what I stored is gone; logged out again; cookies are lost; changes to the profile are not saved; same profile but not logged in',
    finds: (input) => {
      const profile = profileOf(input)
      return profile?.['saveChanges'] === false
        ? {
            says: 'The profile was opened to be read only, by saveChanges false, so nothing of the session was kept in it. Set saveChanges to true; one session at a time may save.',
            parameters: { profile: { ...profile, saveChanges: true } },
          }
        : undefined
    },
  },
  {
    id: 'short-life',
    of: ['browser'],
    asked:
      'session ends too early; browser closes by itself; session is gone after some minutes; browser does not stay open',
    finds: ({ ttl, activityTtl }) => ({
      says: `A session ends after ttl (${Number(ttl ?? 600)} s), and after activityTtl (${Number(activityTtl ?? 300)} s) without a call. Set both as long as it should live, up to 3600.`,
      parameters: { ttl: 3600, activityTtl: 3600 },
    }),
  },
  {
    id: 'code-cut-off',
    of: ['browser', 'interact'],
    asked:
      'my code is cut off in the middle; script stops before it is done; code was killed; code runs too long; program in the browser does not finish; execution stopped',
    finds: () => ({
      says: 'Code in a session is stopped when its timeout is up, which killed in the answer tells; it is 30 s unless the call says otherwise. Set timeout of the call to as many seconds as it needs, up to 300.',
      parameters: { timeout: 300 },
    }),
  },
  {
    id: 'other-language',
    of: ['browser', 'interact'],
    asked:
      'python code fails with a syntax error; my python program does not run in the browser; unexpected token; invalid syntax; bash script fails; my script is right but fails; code of another language',
    finds: ({ language }, { endpoint }) => ({
      says: `Code in a session is read as Node.js unless language says otherwise${endpoint === 'interact' && language !== undefined ? `, and it was ${String(language)}` : ''}. Set language to "python" or "bash" for code of those languages.`,
      parameters: { language: 'python' },
    }),
  },
]
