import type { PageContent } from '../../contracts/page-content.ts'
import { fail } from '../../kernel/error.ts'
import { ScrapeInput } from '../../schema/scrape/scrape-options.ts'
import { robotsCheck } from '../crawl/map/map-site.ts'
import { scrapeRequest } from '../scrape/scrape-request.ts'
import { scrape } from '../scrape/scrape.ts'
import { callOf } from '../workflow/run-workflow.ts'
import { factsOf } from '../understand/json/named-facts.ts'
import { tablesOf } from '../understand/json/labels.ts'
import { fillSchema } from '../understand/json/fill.ts'
import { rank } from '../../util/rank.ts'
import { isRecord } from '../../util/json.ts'
import type { Candidate } from './page-candidates.ts'
import { isRead, type Link, type PageRead, type AgentJob, spend, stepFault, type StepTools } from './agent-job.ts'

const maxCharacters = 200_000
const maxLinks = 20
const pageTimeoutMs = 45_000
/** Credits of a page over the enhanced proxy. */
const enhancedCredits = 5

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
      return { value: { asked: candidate.url, ...stepFault(thrown, job, tools) }, pages: 1 }
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
    const mayFollow = async (to: string) =>
      (!isBound || candidates.isAllowed(to)) && (from === 'caller' || (await mayRead(to)))
    const { document, page } = await scrape(followingOnly(ports, mayFollow), request)
    const { metadata, markdown = '' } = document
    if (isBound && !candidates.isAllowed(page.response.url))
      return { page: { asked: url, error: 'It led to another site.' }, credits: metadata.creditsUsed }
    const isPage = (metadata.statusCode ?? 200) < 400 && !page.challenge
    return {
      credits: metadata.creditsUsed,
      page: isPage
        ? {
            asked: url,
            url: page.response.url,
            title: metadata.title ?? '',
            ...materialOf(job, markdown, page.content),
          }
        : {
            asked: url,
            error: `It answered with status ${metadata.statusCode ?? 'unknown'}${page.challenge ? ' and a bot challenge' : ''}.`,
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

/**
 * Limits redirects: a redirect may lead no further than a link, and if the agent is restricted to the caller's pages,
 * not to another site.
 */
function followingOnly(ports: AgentJob['ports'], mayFollow: (url: string) => Promise<boolean>): AgentJob['ports'] {
  return { ...ports, fetchPage: (request) => ports.fetchPage({ ...request, mayFollow }) }
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
      score: (fits[at]?.score ?? 0) + (leadsOn.test(anchor.text.trim()) ? leadOnScore : 0),
    }))
    .toSorted((one, other) => other.score - one.score)
    .slice(0, maxLinks)
    .map(({ anchor }) => anchor)
}

const leadsOn = /^(?:next|older|more|show all|view all|all|page \d+|\d{1,3}|[›»→>]+)\b|(?:next|→|»)$/iu
const leadOnScore = 1
