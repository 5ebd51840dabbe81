import { createHash } from 'node:crypto'
import type { Permission } from '../../../contracts/account-ports.ts'
import type { Crawl, SkipReason } from '../../../contracts/crawl-ports.ts'
import type { Document } from '../../../schema/scrape/document.ts'
import type { CrawlOptions } from '../../crawl/crawl-options.ts'
import type { WebhookEvent } from '../../../schema/webhook-schema.ts'
import { base64Placeholder } from '../../html/markdown/inline-rules.ts'
import { pageTrouble } from '../../scrape/formats/make.ts'
import type { Question } from './question.ts'

/** Fields of a request, by name. */
export type Parameters = Readonly<Record<string, unknown>>

/** What a scrape brought, short of anything that the page says. */
export type PageFacts = {
  status: number
  url: string
  finalUrl: string
  /** Of the markdown; undefined where none was asked for. */
  characters: number | undefined
  /** Of the markdown, to see whether it differs. */
  digest: string
  /** Pictures in its HTML were replaced. */
  hasPlaceholders: boolean
  links: readonly string[]
  isWall: boolean
  isEmpty: boolean
  matchesNothing: boolean
  /** When the copy in the cache was fetched, where that answered. */
  cachedAt: string | undefined
  hasWaited: boolean
  isBuiltIn: boolean
  hasForm: boolean
  /** As it says itself: the first part of a language tag. */
  language: string | undefined
}

export type CrawlFacts = Pick<Crawl, 'counts' | 'warnings'> & {
  /** Null for a batch. */
  options: CrawlOptions | null
  skipped: Partial<Record<SkipReason, number>>
  robotsDenyStart: boolean
  /** Events that did not reach their receiver, and why the last attempt failed. */
  undelivered: { count: number; why: string } | undefined
  /** What its webhook is told of; undefined without one. */
  events: readonly WebhookEvent[] | undefined
}

/** A job of the team, or a page of one, as rules see it. */
export type JobCase = {
  id: string
  endpoint: string
  createdAt: number
  url: string | null
  /** The error it ended with. */
  code: string | null
  /** What was asked for; null where that was not to be kept. */
  request: Parameters | null
  /** The whole input of its operation, where that was kept: of a crawl more than how its pages are read. */
  input?: Parameters | null
  page?: PageFacts
  crawl?: CrawlFacts
  /** It is a page of a crawl or a batch: what a scrape takes at its top stands here among the options of pages. */
  pageOf?: 'crawl' | 'batch_scrape'
}

/** Whether anybody would say of it that it went wrong, without knowing what was wanted. */
export function isTrouble({ code, page, crawl }: JobCase): boolean {
  if (code !== null) return true
  if (page) return page.status >= 400 || page.isWall || page.isEmpty || page.matchesNothing
  const left = Object.values(crawl?.skipped ?? {}).some((count) => count > 0)
  return crawl !== undefined && crawl.counts.done <= 1 && (left || crawl.counts.failed > 0)
}

export function pageFacts({ metadata, markdown, warning = '', links = [] }: Document): PageFacts {
  const text = markdown?.trim()
  return {
    status: metadata.statusCode ?? 200,
    url: metadata.sourceURL,
    finalUrl: metadata.url,
    characters: text?.length,
    digest: createHash('sha256')
      .update(text ?? '')
      .digest('base64'),
    hasPlaceholders: text?.includes(base64Placeholder) ?? false,
    links,
    isWall: warning.includes(pageTrouble.wall),
    isEmpty: warning.includes(pageTrouble.empty),
    matchesNothing: warning.includes(pageTrouble.unmatched),
    cachedAt: metadata.cacheState === 'hit' ? metadata.cachedAt : undefined,
    hasWaited: metadata.concurrencyLimited,
    isBuiltIn: metadata.llmMode === 'builtin',
    hasForm: (metadata.formFields ?? 0) > 0,
    // Nothing else that stands there may get into an answer.
    language: /^[a-z]{2,3}(?=$|[-_])/i.exec(metadata.language ?? '')?.[0].toLowerCase(),
  }
}

/** State of the team and of the machine. */
export type Facts = {
  now: number
  credits: { used: number; limit: number | undefined }
  load: { active: number; waiting: number; most: number }
  /** What the operator has granted to the team. */
  permissions: readonly Permission[]
  isStorageFull: boolean
  hasModel: boolean
  hasBrowser: boolean
  searchesWholeWeb: boolean
  endedSessions: readonly { id: string; endedAt: number; wasOutOfTime: boolean }[]
}

/** What is found wrong, in two or three sentences, and what would help. */
export type Diagnosis = {
  says: string
  /** To be set in the request; null: to be left out. Absent: nothing in it would help. */
  parameters?: Parameters
  trial?: Trial
}

export type Validation = { tested: boolean; result: 'success' | 'failure' | 'skipped'; evidence: string }

/** How it is found out whether the parameters help. */
export type Trial =
  /** The page is scraped once more with the parameters. */
  | {
      kind: 'scrape'
      /** Other fields than the parameters, where the page is one of a crawl. */
      change?: Parameters
      /** What the page must be besides one with a text, by what it was. */
      helps?(page: PageFacts, before: PageFacts): boolean
      /** What is known once it did not help. */
      otherwise?(outcome: Outcome): Diagnosis
    }
  /** The start page is scraped for its links, of which more than the crawl took must be its pages by these options. */
  | { kind: 'links'; options: CrawlOptions }
  | { kind: 'check'; run(): Promise<Validation> }

export type Outcome =
  | { page: PageFacts; error?: undefined }
  | { error: { code: string; message: string }; page?: undefined }

/** A rule about one job. `asks`: words of a question that name the symptom. */
export type JobRule = {
  id: string
  asks: RegExp
  /** The job does not show it: only a question that names the symptom can mean it. */
  onlyIfAsked?: true
  finds(job: JobCase, facts: Facts, question: Question): Diagnosis | undefined | Promise<Diagnosis | undefined>
}

/** What a question takes for granted of a job. `asks`: words that say so of the whole result, not of a part of it. */
export type Presumption = {
  id: string
  asks: RegExp
  /** What is so instead, after `The last scrape …`; undefined where the job shows it, or not enough is known. */
  disproves(job: JobCase): string | undefined
}

/** A rule about the team or the machine. */
export type StateRule = {
  id: string
  /** Errors that such a state brings. */
  codes?: readonly string[]
  asks: RegExp
  finds(facts: Facts, question: Question): Diagnosis | undefined
}

/**
 * What an option does to a result that people may not expect, whether it was set or left as it is. Not a fault, so it counts
 * only for a question that is about it: that is told as the documentation is searched, by words and by other words for them.
 */
export type Effect = {
  id: string
  /** Endpoints of the jobs that have the option. */
  of: readonly string[]
  /** How people say that they see it, parted by `;`. */
  asked: string
  /** What was asked for shows that it has this effect. */
  finds(input: Parameters, job: JobCase): Pick<Diagnosis, 'says' | 'parameters'> | undefined
}
