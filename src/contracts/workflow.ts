import type { Delivery } from './job-ports.ts'

/** A job of many steps that outlives the process that works on it, other than a crawl. */
export const workflowKinds = ['extract', 'agent', 'llmstxt', 'monitor'] as const
export type WorkflowKind = (typeof workflowKinds)[number]
export const workflowStatuses = ['processing', 'completed', 'failed', 'cancelled'] as const
export type WorkflowStatus = (typeof workflowStatuses)[number]

export type Workflow = {
  id: string
  kind: WorkflowKind
  /** Who asked and pays. */
  teamId: string
  keyName: string | null
  /** What it is about, usually a URL; null where it must not be kept. */
  target: string | null
  createdAt: number
  expiresAt: number
  completedAt: number | null
  status: WorkflowStatus
  /** The input of the operation that started it. */
  request: object
  /** How far it is, in the shape its kind shows to callers; null before it said so. */
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

/** A workflow leased to one worker. `attempt` counts the leases: what a worker writes with an older one is refused. */
export type ClaimedWorkflow = Workflow & { attempt: number }
type Lease = Pick<ClaimedWorkflow, 'id' | 'attempt'>

export type WorkflowEnd = {
  status: Exclude<WorkflowStatus, 'processing' | 'cancelled'>
  result: object | null
  error: Workflow['error']
  warnings: readonly string[]
}

/**
 * Workflows and the journal of their steps. A step that has ended is written down with its charge, so that the worker
 * that takes over neither repeats it nor pays for it. Each call is one transaction.
 */
export type Workflows = {
  /** With its webhook event. One of that id stays as it is. */
  start(workflow: NewWorkflow, delivery?: Delivery): Promise<void>
  find(id: string): Promise<Workflow | undefined>
  /** Those that are not over, of one team or of all, oldest first. */
  running(teamId?: string): Promise<Workflow[]>
  /** Leases up to `count` that nobody works on, oldest first. */
  claim(request: { workerId: string; count: number; leaseMs: number }): Promise<ClaimedWorkflow[]>
  /** Extends the leases of these workflows; returns the ids of those that the worker still has: the others were cancelled or taken over. */
  renew(workerId: string, ids: readonly string[], leaseMs: number): Promise<string[]>
  /** Who has leases, those past their end included. */
  workers(): Promise<string[]>
  /** Ends the leases of a worker, so that another can claim its workflows at once. */
  release(workerId: string): Promise<void>
  /** What the step of that name ended with; undefined if it has not ended. */
  step(id: string, name: string): Promise<{ value: unknown } | undefined>
  /** Writes the end of a step and its charge. False, and nothing is written, when the lease is lost. */
  endStep(lease: Lease, step: { name: string; value: unknown; credits: number }): Promise<boolean>
  /** False when the lease is lost. */
  report(lease: Lease, progress: object): Promise<boolean>
  /** Ends the workflow with its webhook events and forgets its journal. False, and nothing is written, when the lease is lost. */
  finish(lease: Lease, end: WorkflowEnd, deliveries?: readonly Delivery[]): Promise<boolean>
  /** With its webhook event. False, and nothing is written, when it was over already. */
  cancel(id: string, delivery?: Delivery): Promise<boolean>
}

/** Works on all workflows that are not over. */
export type WorkflowRunner = {
  /** Call when one was started, and once at the start of a process that stays. */
  wake(): void
}

export const monitorStatuses = ['active', 'paused'] as const

/** Checks of each monitor that are kept, unless they expire before. */
export const keptChecks = 200

/** Pages that are checked for changes on a schedule. */
export type Monitor = {
  id: string
  /** Who asked and pays. */
  teamId: string
  keyName: string | null
  name: string
  status: (typeof monitorStatuses)[number]
  /** What is checked, when, and who is told. */
  settings: object
  /** When the next check is due; null while the monitor is paused. */
  nextAt: number | null
  createdAt: number
  updatedAt: number
}

/** A check that is to begin. A scheduled one carries the time it was due, and the time of the next. */
export type NewCheck = { monitorId: string; workflow: NewWorkflow; turn?: { dueAt: number; nextAt: number | null } }
/** A check as a list shows it, without its result. */
export type ListedCheck = Omit<Workflow, 'result'>

/** Monitors and their checks, which are workflows. Each call is one transaction. */
export type Monitors = {
  add(monitor: Monitor): Promise<void>
  find(id: string): Promise<Monitor | undefined>
  /** Of one team, newest first, and how many there are in all. */
  list(teamId: string, window: { offset: number; limit: number }): Promise<{ monitors: Monitor[]; total: number }>
  /** False when it is deleted. */
  update(monitor: Monitor): Promise<boolean>
  /** Deletes it with its checks; what they cost stays charged. False when it was deleted already. */
  remove(id: string): Promise<boolean>
  /** Active monitors whose time has come, the longest overdue first. */
  due(count: number): Promise<Monitor[]>
  /** How many are active, of all teams, and when the next check of any of them is due. */
  upcoming(): Promise<{ active: number; nextAt: number | null }>
  /**
   * Begins a check, unless one of the monitor is still running. One with a turn begins only if nobody took that turn
   * before, and takes it even where it cannot begin. False when it did not begin.
   */
  begin(check: NewCheck): Promise<boolean>
  /** Newest first. Only the newest `keptChecks` are kept. */
  checks(monitorId: string, limit?: number): Promise<ListedCheck[]>
}

/** Begins the checks of monitors when they are due. */
export type MonitorSchedule = {
  /** Call when a monitor was added or changed, and once at the start of a process that stays. */
  wake(): void
}
