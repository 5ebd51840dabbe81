import type { Crawler, Crawls, Snapshots } from './crawl-ports.ts'
import type { Deliveries, Jobs, Refusals, Storage } from './job-ports.ts'
import type { FetchPage, Files } from './fetch.ts'
import type { Model } from './model-port.ts'
import type { RenderPage } from './render-port.ts'
import type { PageIndex, Hosts, PageCache } from './stored-pages.ts'
import type { Search } from './search-port.ts'
import type { Sessions } from './session-port.ts'
import type { FindMedia, ReadDocument, ReadHtml } from './page-content.ts'
import type { Account, Idempotency, Keys, Teams, Usage } from './account-ports.ts'
import type { Monitors, MonitorSchedule, WorkflowRunner, Workflows } from './workflow.ts'

/** The outside world as the engine sees it. Each port is a type beside its subject, a function in the engine and a fake in tests. */
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
  keys: Keys
  locationMode: LocationMode
  files: Files
}

/** How a page with scripts is read where a location is asked for: in a browser that emulates it, or by headers alone. */
export const locationModes = ['browser', 'headers'] as const
export type LocationMode = (typeof locationModes)[number]

export type Clock = { now(): number }

/** One thing of this machine and its settings that was looked at. */
export type Finding = { topic: string; state: 'ok' | 'note' | 'fault'; says: string; advice?: string | undefined }

/** What works here and what does not. `says` may name paths of the machine: it is for its operator. */
export type Machine = {
  browser(): Promise<Finding>
  search(): Promise<Finding>
}

/** A page of the documentation in markdown; `path` is relative to the folder that holds it. */
export type DocsPage = { path: string; text: string }

/** What stands under one heading, or a part of it where that is long. Lines count from 1, the last one included. */
export type DocsSection = {
  path: string
  firstLine: number
  lastLine: number
  /** The headings it stands under, outermost first. */
  headings: readonly string[]
  text: string
}

/** `coverage` is the share of the question's telling words that the section's page holds, 0 to 1. */
export type DocsHit = { section: DocsSection; coverage: number }

/** The documentation that was shipped with this program: sections that fit a question, the best first. */
export type Documentation = { find(question: string): Promise<readonly DocsHit[]> }
