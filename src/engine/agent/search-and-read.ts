import type { PageContent } from '../../contracts/page-content.ts'
import { fail } from '../../kernel/error.ts'
import { ScrapeInput } from '../../schema/scrape/scrape-options.ts'
import { SearchInput } from '../../schema/search-schema.ts'
import { isRecord } from '../../util/json.ts'
import { rank } from '../../util/rank.ts'
import { minScrapeCredits, searchCredits } from '../billing/price.ts'
import { sanitiseLine } from '../../util/sanitise-text.ts'
import { robotsCheck } from '../crawl/map/map-site.ts'
import { scrapeRequest } from '../scrape/scrape-request.ts'
import { scrape } from '../scrape/scrape.ts'
import { search } from '../search/search.ts'
import { fillSchema } from '../understand/json/fill.ts'
import { factsOf, tablesOf } from '../understand/json/named-facts.ts'
import { callOf } from '../workflow/run-workflow.ts'
import { type AgentJob, isRead, type Link, type PageRead, spend, stepFault, type StepTools } from './agent-job.ts'
import type { Candidate } from './page-candidates.ts'

const maxWords = 20
const maxQueryCharacters = 250

/**
 * Returns the permitted words of a query written by a model. A page that it read may have asked it to search for the
 * content of another page, so operators, URLs, and anything like a key or code are only permitted if the task itself
 * contains them.
 */
export function plainQuery(written: string, task: string): string | undefined {
  const known = new Set(wordsOf(task).map(bare))
  const words = wordsOf(written).filter((word) => known.has(bare(word)) || isPlain(word))
  const query = words.slice(0, maxWords).join(' ').slice(0, maxQueryCharacters).trim()
  return /[\p{L}\p{N}]/u.test(query) ? query : undefined
}

const wordsOf = (text: string) => sanitiseLine(text).split(' ')
const bare = (word: string) => word.toLowerCase().replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '')

const maxWord = 30
const maxDigits = 6

/** True for words, years, amounts, and short names with a number, such as `B2B` or `GPT-5`. */
function isPlain(word: string): boolean {
  if (word.length > maxWord || /[:/=@\\%_<>{}]/.test(word)) return false
  const digits = word.replace(/\D/g, '').length
  const letters = word.replace(/[^\p{L}]/gu, '').length
  return digits <= maxDigits && (digits === 0 || letters + digits <= 8)
}

const maxResults = 10
const searchTimeoutMs = 30_000

/** Result of a search; `found` is the number of results. */
export type Searched = { query: string; found: number; error?: string }
type SearchMatch = { url: string; title: string; about: string }

export const canSearch = ({ input, meter }: AgentJob): boolean =>
  !input.strictConstrainToURLs && meter.left().credits >= searchCredits(maxResults)

/** Searches the web and adds the results to the candidates. */
export async function findPages(job: AgentJob, query: string): Promise<Searched> {
  const { ports, workflow } = job
  const outcome = await spend<{ pages: SearchMatch[]; notes: string[]; error?: string }>(
    job,
    `search ${query}`,
    async (tools) => {
      const call = callOf(ports.clock, { ...workflow, signal: tools.signal })
      const timeout = Math.max(1, Math.floor(Math.min(searchTimeoutMs, tools.leftMs())))
      try {
        const { data, warning, creditsUsed } = await search(
          ports,
          SearchInput.parse({ query, limit: maxResults, timeout }),
          call,
        )
        const pages = (data.web ?? []).map(({ url, title, description }) => ({ url, title, about: description }))
        return { value: { pages, notes: warning === null ? [] : [warning] }, credits: creditsUsed }
      } catch (thrown) {
        return { value: { pages: [], notes: [], ...stepFault(thrown, job, tools) } }
      }
    },
  )
  job.candidates.add('search', outcome.pages)
  for (const note of outcome.notes) workflow.warn(note)
  const { error } = outcome
  return { query, found: outcome.pages.length, ...(error !== undefined && { error }) }
}

const maxCharacters = 200_000
const maxLinks = 20
const pageTimeoutMs = 45_000
const enhancedCredits = minScrapeCredits({ formats: [], lockdown: false, proxy: 'enhanced' })

/** Reads pages concurrently within the budget, and adds their links to the candidates. */
export async function readPages(job: AgentJob, chosen: readonly Candidate[]): Promise<PageRead[]> {
  const { pages, credits } = job.meter.left()
  const within = chosen.slice(0, Math.max(0, Math.min(pages, credits)))
  // The credits are divided in advance, so concurrently read pages cannot exceed them together.
  const share = Math.floor(credits / Math.max(1, within.length))
  const read = await Promise.all(within.map((candidate) => readPage(job, candidate, share)))
  for (const page of read) {
    job.pages.push(page)
    if (isRead(page))
      job.candidates.add(
        'link',
        page.links.map(({ url, text }) => ({ url, title: text, about: `Link on ${page.title}` })),
      )
  }
  return read
}

function readPage(job: AgentJob, candidate: Candidate, credits: number): Promise<PageRead> {
  return spend<PageRead>(job, `read ${candidate.url}`, async (tools) => {
    try {
      const { page, credits: cost } = await visit(job, candidate, credits, tools)
      return { value: page, pages: 1, credits: cost }
    } catch (thrown) {
      return { value: { requestedUrl: candidate.url, ...stepFault(thrown, job, tools) }, pages: 1 }
    }
  })
}

async function visit(
  job: AgentJob,
  { url, from }: Candidate,
  credits: number,
  { signal, leftMs }: StepTools,
): Promise<{ page: PageRead; credits: number }> {
  const { ports, workflow, candidates } = job
  const mayRead = robotsCheck(ports, { team: { id: workflow.teamId }, signal })
  // Pages named by the caller are requested by a person; robots.txt applies to pages found by programs.
  if (from !== 'caller' && !(await mayRead(url))) fail('CRAWL_DENIAL', { message: 'robots.txt forbids this page.' })
  const release = await ports.account.enter(workflow.teamId, signal)
  try {
    const request = requestFor(job, url, { credits, signal, timeout: Math.min(pageTimeoutMs, leftMs()) })
    const isBound = from === 'link' || job.input.strictConstrainToURLs
    // A redirect of a linked page, or of any page with strictConstrainToURLs, must stay on sites the agent may visit.
    const mayFollow = async (to: string) =>
      (!isBound || candidates.isAllowed(to)) && (from === 'caller' || (await mayRead(to)))
    const fetchPage: typeof ports.fetchPage = (asIs) => ports.fetchPage({ ...asIs, mayFollow })
    const { document, page } = await scrape({ ...ports, fetchPage }, request)
    const { metadata, markdown = '' } = document
    if (isBound && !candidates.isAllowed(page.response.url))
      return { page: { requestedUrl: url, error: 'The page led to another site.' }, credits: metadata.creditsUsed }
    const isPage = (metadata.statusCode ?? 200) < 400 && !page.challenge
    return {
      credits: metadata.creditsUsed,
      page: isPage
        ? {
            requestedUrl: url,
            url: page.response.url,
            title: metadata.title ?? '',
            ...materialOf(job, markdown, page.content),
          }
        : {
            requestedUrl: url,
            error: `The page answered with status ${metadata.statusCode ?? 'unknown'}${page.challenge ? ' and a bot challenge' : ''}.`,
          },
    }
  } finally {
    release()
  }
}

function requestFor(
  { ports, workflow }: AgentJob,
  url: string,
  { credits, signal, timeout }: { credits: number; signal: AbortSignal; timeout: number },
) {
  const input = ScrapeInput.parse({
    url,
    timeout: Math.max(1000, Math.floor(timeout)),
    parsers: [{ type: 'pdf', maxPages: Math.max(1, Math.min(50, credits)) }],
    proxy: credits >= enhancedCredits ? 'auto' : 'basic',
  })
  const call = callOf(ports.clock, { ...workflow, signal })
  return scrapeRequest(input, call, { parts: ['anchors', 'metadata', 'product', 'structuredData', 'facts'] })
}

function materialOf({ input }: AgentJob, markdown: string, content: PageContent) {
  const { schema, prompt } = input
  const text = markdown.slice(0, maxCharacters)
  const filled =
    isRecord(schema) &&
    fillSchema(schema, { facts: factsOf({ ...content, markdown: text }), tables: tablesOf(text) }).value
  return { markdown: text, links: linksOf(content.anchors ?? [], prompt), ...(filled !== false && { filled }) }
}

/** Returns the links most relevant to the task; links to further pages get a higher score. */
function linksOf(anchors: NonNullable<PageContent['anchors']>, prompt: string): Link[] {
  const fits = rank(
    anchors.map(({ url, text }) => `${text} ${url.replace(/[^\p{L}\p{N}]+/gu, ' ')}`),
    prompt,
  )
  return anchors
    .map((anchor, at) => ({
      anchor,
      score: (fits[at]?.score ?? 0) + (leadsToMore.test(anchor.text.trim()) ? moreScore : 0),
    }))
    .toSorted((one, other) => other.score - one.score)
    .slice(0, maxLinks)
    .map(({ anchor }) => anchor)
}

const leadsToMore = /^(?:next|older|more|show all|view all|all|page \d+|\d{1,3}|[›»→>]+)\b|(?:next|→|»)$/iu
const moreScore = 1
