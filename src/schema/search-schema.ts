import { z } from 'zod'
import { callLabels, Country } from './common-fields.ts'
import { Document } from './scrape/document.ts'
import { PageOptions } from './scrape/scrape-options.ts'

export const searchSources = ['web', 'images', 'news'] as const
export const searchCategories = ['github', 'research', 'pdf'] as const

/**
 * Item of a list, as a name or as an object with `type`, whose other keys are ignored. The error lists only the names
 * in `own`.
 */
function named<const T extends readonly [string, ...string[]]>(names: T, own: readonly string[]) {
  const name = z.enum(names, { error: `Expected one of ${own.map((item) => `"${item}"`).join(', ')}` })
  return z
    .union([name, z.looseObject({ type: name })])
    .transform((item) => (typeof item === 'string' ? item : item.type))
}

/** A source of Firecrawl that its clients request by default. Accepted without effect. */
const ignoredSource = 'alexandria'
/** Another name of the category `github`, used by clients of Firecrawl. */
const githubAlias = 'developer'

const Sources = z
  .array(named([...searchSources, ignoredSource], searchSources))
  .max(50)
  .transform((names) => searchSources.filter((name) => names.includes(name)))
  .refine((names) => names.length > 0, { error: `Expected at least one of ${searchSources.join(', ')}` })
const Category = named([...searchCategories, githubAlias], searchCategories).transform((name) =>
  name === githubAlias ? 'github' : name,
)
const ignoredField = z.unknown().optional().describe('Accepted for clients of Firecrawl; has no effect.')

/** Results are scraped only if formats are given (spec: POST /v2/search). */
const ResultOptions = PageOptions.safeExtend({
  formats: PageOptions.shape.formats
    .unwrap()
    .default([])
    .describe('Formats to return for each page; empty = do not scrape.'),
})

const Host = z
  .string()
  .trim()
  .toLowerCase()
  .max(300)
  .refine((text) => URL.parse(`http://${text}/`)?.host === text && /[^.]\.[^.]/.test(text), {
    error: 'Expected a host name without protocol and path, such as example.com',
  })

/** Accepts periods in the form of other search services, such as `week` or `past_week`, as time filters. */
function timeFilterOf(text: string): string {
  const [, period] = /^\s*(?:(?:past|last)[\s_-]*)?(hour|day|week|month|year)\s*$/i.exec(text) ?? []
  return period === undefined ? text : `qdr:${period.charAt(0).toLowerCase()}`
}

const SearchFields = z.object({
  query: z.string().trim().min(1).max(500).describe('Words, "phrase", -word, OR, site:, filetype:, inurl:, intitle:.'),
  limit: z.int().min(1).max(100).default(10).describe('Maximum results per source.'),
  sources: Sources.default(['web']).describe('web, images or news. Default ["web"].'),
  categories: z.array(Category).max(50).default([]).describe('Limit web results to github, research or pdf.'),
  includeDomains: z
    .array(Host)
    .max(50)
    .optional()
    .describe('Only these hosts and their subdomains, such as ["example.com"].'),
  excludeDomains: z
    .array(Host)
    .max(50)
    .optional()
    .describe('Exclude these hosts. Cannot be combined with includeDomains.'),
  tbs: z
    .string()
    .max(200)
    .overwrite(timeFilterOf)
    .optional()
    .describe('Time: qdr:h (past hour; d, w, m, y); cdr:1,cd_min:3/1/2026,cd_max:3/14/2026; sbd:1 (newest first).'),
  location: z.string().max(200).optional().describe('Such as "Berlin,Germany".'),
  country: Country,
  timeout: z.int().min(1).max(300_000).default(60_000).describe('Time limit for the whole call in milliseconds.'),
  ignoreInvalidURLs: z.boolean().default(false).describe('Leave out results whose URL cannot be scraped.'),
  enterprise: z
    .array(z.enum(['zdr', 'anon', 'default']))
    .max(10)
    .optional()
    .describe('Zero data retention (zdr) or anonymous search (anon). Must be enabled by the operator.'),
  scrapeOptions: ResultOptions.optional().describe('Scrape each result with these options, if they name formats.'),
  highlights: z
    .boolean()
    .default(true)
    .describe(
      'Describe each page read before by its best matching passage instead of the provider’s text. Default true.',
    ),
  toolDetail: ignoredField,
  domainTools: ignoredField,
  ...callLabels,
})
export type SearchInput = z.output<typeof SearchFields>

export const SearchInput = SearchFields.superRefine(({ includeDomains = [], excludeDomains = [] }, check) => {
  if (includeDomains.length > 0 && excludeDomains.length > 0)
    check.addIssue({
      code: 'custom',
      path: ['excludeDomains'],
      message: 'Send either includeDomains or excludeDomains.',
    })
})

/** Fields added by a scrape. They include `metadata` in any case, with `error` if the page could not be fetched. */
const scraped = Document.partial()
  .omit({ warning: true })
  .extend({
    metadata: z.looseObject({ sourceURL: z.string().optional(), error: z.string().optional() }).optional(),
  }).shape

export const WebResult = z.object({
  ...scraped,
  url: z.string(),
  title: z.string(),
  description: z.string(),
  position: z.int(),
  category: z.string().optional(),
  date: z.string().optional(),
})
export const ImageResult = z.object({
  title: z.string(),
  imageUrl: z.string(),
  imageWidth: z.int().optional(),
  imageHeight: z.int().optional(),
  url: z.string(),
  position: z.int(),
})
export const NewsResult = z.object({
  ...scraped,
  title: z.string(),
  snippet: z.string(),
  url: z.string(),
  date: z.string().optional(),
  imageUrl: z.string().optional(),
  position: z.int(),
})
export const SearchData = z.object({
  web: z.array(WebResult).optional(),
  images: z.array(ImageResult).optional(),
  news: z.array(NewsResult).optional(),
})
export type WebResult = z.output<typeof WebResult>
export type ImageResult = z.output<typeof ImageResult>
export type NewsResult = z.output<typeof NewsResult>
export type SearchData = z.output<typeof SearchData>
