import type { Delivery } from './job-ports.ts'

/** A job of many steps, other than a crawl, that survives the process that runs it. */
export const workflowKinds = ['extract', 'agent', 'llmstxt', 'monitor'] as const
export type WorkflowKind = (typeof workflowKinds)[number]
export const workflowStatuses = ['processing', 'completed', 'failed', 'cancelled'] as const
export type WorkflowStatus = (typeof workflowStatuses)[number]

export type Workflow = {
  id: string
  kind: WorkflowKind
  /** The team that started it and pays. */
  teamId: string
  keyName: string | null
  /** Subject of the workflow, usually a URL; null if it must not be stored. */
  target: string | null
  createdAt: number
  expiresAt: number
  completedAt: number | null
  status: WorkflowStatus
  /** The input of the operation that started it. */
  request: object
  /** Progress in the shape that its kind shows to callers; null until first reported. */
  progress: object | null
  result: object | null
  error: { code: string; message: string } | null
  warnings: readonly string[]
  credits: number
}
export type NewWorkflow = Pick<
  Workflow,
  'id' | 'kind' | 'teamId' | 'keyName' | 'target' | 'createdAt' | 'expiresAt' | 'request'
>

/** A workflow leased to one worker. `attempt` counts the leases: writes with an older one are refused. */
export type ClaimedWorkflow = Workflow & { attempt: number }
type Lease = Pick<ClaimedWorkflow, 'id' | 'attempt'>

export type WorkflowEnd = {
  status: Exclude<WorkflowStatus, 'processing' | 'cancelled'>
  result: object | null
  error: Workflow['error']
  warnings: readonly string[]
}

/**
 * Workflows and the journal of their steps. A finished step is recorded with its charge, so a worker that takes over
 * neither repeats nor pays for it. Each call is one transaction.
 */
export type Workflows = {
  /** Starts it and queues its webhook event. Leaves an existing workflow of the same id unchanged. */
  start(workflow: NewWorkflow, delivery?: Delivery): Promise<void>
  find(id: string): Promise<Workflow | undefined>
  /** Unfinished workflows of one team or of all, oldest first. */
  running(teamId?: string): Promise<Workflow[]>
  /** Leases up to `count` workflows without a worker, oldest first. */
  claim(request: { workerId: string; count: number; leaseMs: number }): Promise<ClaimedWorkflow[]>
  /**
   * Extends the leases of these workflows; returns the ids that the worker still holds. The others were cancelled or
   * taken over.
   */
  renew(workerId: string, ids: readonly string[], leaseMs: number): Promise<string[]>
  /** Workers with leases, including expired ones. */
  workers(): Promise<string[]>
  /** Ends the leases of a worker, so another can claim its workflows immediately. */
  release(workerId: string): Promise<void>
  /** Result of the named step; undefined if it has not finished. */
  step(id: string, name: string): Promise<{ value: unknown } | undefined>
  /** Writes the result of a step and its charge. False, and nothing is written, if the lease is lost. */
  endStep(lease: Lease, step: { name: string; value: unknown; credits: number }): Promise<boolean>
  /** False if the lease is lost. */
  report(lease: Lease, progress: object): Promise<boolean>
  /**
   * Ends the workflow, queues its webhook events and deletes its journal. False, and nothing is written, if the lease
   * is lost.
   */
  finish(lease: Lease, end: WorkflowEnd, deliveries?: readonly Delivery[]): Promise<boolean>
  /** Cancels it and queues its webhook event. False, and nothing is written, if it was already over. */
  cancel(id: string, delivery?: Delivery): Promise<boolean>
}

/** Runs all unfinished workflows. */
export type WorkflowRunner = {
  /** Call after a workflow was started, and once at the start of a long-running process. */
  wake(): void
}

export const monitorStatuses = ['active', 'paused'] as const

/** Number of stored checks per monitor, unless they expire earlier. */
export const keptChecks = 200

/** Pages that are checked for changes on a schedule. */
export type Monitor = {
  id: string
  /** The team that created it and pays. */
  teamId: string
  keyName: string | null
  name: string
  status: (typeof monitorStatuses)[number]
  /** Targets, schedule and recipients of notifications. */
  settings: object
  /** Time of the next check; null while the monitor is paused. */
  nextAt: number | null
  createdAt: number
  updatedAt: number
}

/** A check to start. A scheduled one has the time it was due and the time of the next. */
export type NewCheck = { monitorId: string; workflow: NewWorkflow; turn?: { dueAt: number; nextAt: number | null } }
/** A check as listed, without its result. */
export type ListedCheck = Omit<Workflow, 'result'>

/** Monitors and their checks, which are workflows. Each call is one transaction. */
export type Monitors = {
  add(monitor: Monitor): Promise<void>
  find(id: string): Promise<Monitor | undefined>
  /** Monitors of one team, newest first, and their total number. */
  list(teamId: string, window: { offset: number; limit: number }): Promise<{ monitors: Monitor[]; total: number }>
  /** Active monitors whose next check is farthest ahead. */
  ahead(count: number): Promise<Monitor[]>
  /** Changes the time of the next check, unless it was changed meanwhile. */
  reschedule(monitor: Pick<Monitor, 'id' | 'nextAt'>, nextAt: number | null): Promise<void>
  /** False if the monitor is deleted. */
  update(monitor: Monitor): Promise<boolean>
  /** Deletes it with its checks; their charges remain. False if it was already deleted. */
  remove(id: string): Promise<boolean>
  /** Active monitors with a due check, the longest overdue first. */
  due(count: number): Promise<Monitor[]>
  /** Number of active monitors of all teams, and the time of the earliest next check. */
  upcoming(): Promise<{ active: number; nextAt: number | null }>
  /**
   * Starts a check, unless one of the monitor is still running. A scheduled check starts only if no other process has
   * taken that turn, and uses up the turn even if it cannot start. False if it did not start.
   */
  begin(check: NewCheck): Promise<boolean>
  /** Newest first. Only the newest `keptChecks` are stored. */
  checks(monitorId: string, limit?: number): Promise<ListedCheck[]>
}

/** Starts the checks of monitors when they are due. */
export type MonitorSchedule = {
  /** Call after a monitor was added or changed, and once at the start of a long-running process. */
  wake(): void
}
