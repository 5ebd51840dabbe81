import type { Crawler, Crawls, Snapshots } from './crawl.ts'
import type { Deliveries } from './webhook.ts'
import type { FetchPage } from './fetch.ts'
import type { Model } from './model.ts'
import type { RenderPage } from './render.ts'
import type { Documentation } from './documentation.ts'
import type { PageIndex } from './pages/page-index.ts'
import type { Search } from './search.ts'
import type { Sessions } from './session.ts'
import type { FindMedia, ReadDocument, ReadHtml } from './page-content.ts'
import type { Hosts, PageCache } from './pages/page-cache.ts'
import type { Jobs, Refusals, Storage } from './jobs.ts'
import type { Account, Idempotency, Keys, Teams, Usage } from './account.ts'
import type { Files } from './fetch.ts'
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
