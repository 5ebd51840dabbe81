import type { Crawler, Crawls, Snapshots } from './crawl-ports.ts'
import type { Deliveries, Jobs, Refusals, Storage } from './job-ports.ts'
import type { FetchPage, Files } from './fetch.ts'
import type { Model } from './model-port.ts'
import type { RenderPage } from './render-port.ts'
import type { PageIndex, Hosts, PageCache } from './stored-pages.ts'
import type { Search } from './search-port.ts'
import type { Sessions } from './session-port.ts'
import type { FindMedia, ReadDocument, ReadHtml } from './page-content.ts'
import type { Account, Idempotency, Keys, Teams, TeamWebhookSecret, Usage } from './account-ports.ts'
import type { Monitors, MonitorSchedule, WorkflowRunner, Workflows } from './workflow.ts'

/**
 * The outside world as the engine sees it. Each port is a type in the file of its subject, with an implementation in
 * the engine and a fake in tests.
 */
export type Ports = {
  clock: Clock
  fetchPage: FetchPage
  renderPage: RenderPage
  readHtml: ReadHtml
  readDocument: ReadDocument
  findMedia: FindMedia
  hosts: Hosts
  pages: PageCache
  index: PageIndex
  jobs: Jobs
  crawls: Crawls
  crawler: Crawler
  workflows: Workflows
  workflowRunner: WorkflowRunner
  monitors: Monitors
  monitorSchedule: MonitorSchedule
  deliveries: Pick<Deliveries, 'abandoned' | 'missed'>
  snapshots: Snapshots
  refusals: Refusals
  storage: Storage
  usage: Usage
  search: Search
  sessions: Sessions
  model: Model
  docs: Documentation
  account: Account
  idempotency: Idempotency
  machine: Machine
  teams: Teams
  webhookSecret: (teamId: string) => Promise<TeamWebhookSecret>
  keys: Keys
  locationMode: LocationMode
  files: Files
}

/** Ways to request a location for a page with scripts: a browser emulates it, or only request headers name it. */
export const locationModes = ['browser', 'headers'] as const
export type LocationMode = (typeof locationModes)[number]

export type Clock = { now(): number }

/** Result of one check of this machine and its settings. */
export type Finding = { topic: string; state: 'ok' | 'note' | 'fault'; says: string; advice?: string | undefined }

/** Functions that create findings on one topic. */
export function findingsOn(topic: string) {
  const maker =
    (state: Finding['state']) =>
    (says: string, advice?: string): Finding => ({ topic, state, says, advice })
  return { ok: maker('ok'), note: maker('note'), fault: maker('fault') }
}

/** Results of all checks of the machine. `says` may name local paths: it is for the operator. */
export type Machine = {
  browser(): Promise<Finding>
  search(): Promise<Finding>
}

/**
 * A page of the documentation in markdown; `path` is relative to the folder of the documentation. `askedAs` contains,
 * by heading, phrases that people use instead of our terms, separated by `;`.
 */
export type DocsPage = { path: string; text: string; askedAs?: Readonly<Record<string, string>> }

/** The text under one heading, or a part of it if it is long. Lines count from 1, the last one included. */
export type DocsSection = {
  path: string
  firstLine: number
  lastLine: number
  /** Parent headings, outermost first. */
  headings: readonly string[]
  text: string
}

/** `coverage` is the share of the question's significant words that the section's page contains, 0 to 1. */
export type DocsHit = { section: DocsSection; coverage: number }

/** The documentation shipped with this program; returns the sections that match a question, best first. */
export type Documentation = { find(question: string): Promise<readonly DocsHit[]> }
