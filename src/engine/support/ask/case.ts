import { createHash } from 'node:crypto'
import type { Permission } from '../../../contracts/account-ports.ts'
import type { Crawl, SkipReason } from '../../../contracts/crawl-ports.ts'
import type { Document } from '../../../schema/scrape/document.ts'
import type { CrawlOptions } from '../../crawl/crawl-options.ts'
import type { WebhookEvent } from '../../../schema/webhook-schema.ts'
import { base64Placeholder } from '../../html/markdown/rules.ts'
import { pageTrouble } from '../../scrape/formats/format-table.ts'
import type { SkipGroup } from '../explain/explain-crawl.ts'
import type { Question } from './question.ts'

/** Fields of a request by name. */
export type Parameters = Readonly<Record<string, unknown>>

/** Facts about the result of a scrape, without any content of the page. */
export type PageFacts = {
  status: number
  url: string
  finalUrl: string
  /** Length of the markdown; undefined if it was not requested. */
  characters: number | undefined
  /** Digest of the markdown, to detect differences. */
  digest: string
  /** True if images in its HTML were replaced by placeholders. */
  hasPlaceholders: boolean
  links: readonly string[]
  isWall: boolean
  isEmpty: boolean
  matchesNothing: boolean
  /** Fetch time of the cached copy, if the result is one. */
  cachedAt: string | undefined
  hasWaited: boolean
  isBuiltIn: boolean
  hasForm: boolean
  /** Declared language: the first part of a language tag. */
  language: string | undefined
}

export type CrawlFacts = Pick<Crawl, 'counts' | 'warnings'> & {
  /** Null for a batch. */
  options: CrawlOptions | null
  skipped: Partial<Record<SkipReason, number>>
  /** Returns the skipped URLs by reason. */
  skips(): Promise<readonly SkipGroup[]>
  robotsDenyStart: boolean
  /** Number of events that were not delivered, and the reason of the last failed attempt. */
  undelivered: { count: number; why: string } | undefined
  /** Events that its webhook is subscribed to; undefined without a webhook. */
  events: readonly WebhookEvent[] | undefined
}

/** A job of the team, or one of its pages, in the form that rules read. */
export type JobCase = {
  id: string
  endpoint: string
  createdAt: number
  url: string | null
  /** Error code of a failed job. */
  code: string | null
  /** Options of its page, as in a scrape request; null if they were not stored. */
  request: Parameters | null
  /** Complete input of its operation, if stored; for a crawl it has more than the page options. */
  input?: Parameters | null
  page?: PageFacts
  crawl?: CrawlFacts
  /** Kind of the job, for a page of a crawl or batch. */
  pageOf?: 'crawl' | 'batch_scrape'
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
    // Text of pages must not appear in answers, so only a language code is kept.
    language: /^[a-z]{2,3}(?=$|[-_])/i.exec(metadata.language ?? '')?.[0].toLowerCase(),
  }
}

/** State of the team and the machine. */
export type Facts = {
  now: number
  credits: { used: number; limit: number | undefined }
  load: { active: number; waiting: number; max: number }
  /** Permissions granted to the team. */
  permissions: readonly Permission[]
  isStorageFull: boolean
  hasModel: boolean
  hasBrowser: boolean
  searchesWholeWeb: boolean
  endedSessions: readonly { id: string; endedAt: number; wasOutOfTime: boolean }[]
}

/** Explanation of a problem, in two or three sentences that follow from the records, and what would help. */
export type Diagnosis = {
  says: string
  /** Parameters to set in the request; null: remove the parameter. Undefined if none would help. */
  parameters?: Parameters
  trial?: Trial
}

export type Validation = { tested: boolean; result: 'success' | 'failure' | 'skipped'; evidence: string }

/** Test of the parameters. */
export type Trial =
  /** Scrapes the page again with the parameters. */
  | {
      kind: 'scrape'
      /** Fields to change instead of the parameters, for a page of a crawl. */
      change?: Parameters
      /** Returns true if the new page is better than the previous one. Default: any new page with text is better. */
      helps?(page: PageFacts, before: PageFacts): boolean
      /** Sentence for the answer if the test helped; by default, it says that the parameters work. */
      confirms?: string
      /** Returns the diagnosis if the test did not help. */
      otherwise?(outcome: Outcome): Diagnosis
    }
  /** Reads the links of the start page. Succeeds if these options allow more pages than the crawl had. */
  | { kind: 'links'; options: CrawlOptions }
  | { kind: 'check'; run(): Promise<Validation> }

export type Outcome =
  | { page: PageFacts; error?: undefined }
  | { error: { code: string; message: string }; page?: undefined }

/** Rule about one job. `asks` matches words of a question that describe the symptom. */
export type JobRule = {
  id: string
  asks: RegExp
  /** Set if the records cannot prove the symptom, so the rule applies only if the question describes it. */
  onlyIfAsked?: true
  finds(job: JobCase, facts: Facts, question: Question): Diagnosis | undefined | Promise<Diagnosis | undefined>
}

/** Rule about the team or the machine. */
export type StateRule = {
  id: string
  /** Error codes that such a state causes. */
  codes?: readonly string[]
  asks: RegExp
  finds(facts: Facts, question: Question): Diagnosis | undefined
}
