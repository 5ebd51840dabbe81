import type { Delivery } from './webhook.ts'

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
> & {
  /** A second workflow of the team with the same key is refused. */
  idempotencyKey: string | null
}

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
  /** Fails with IDEMPOTENCY_KEY_REUSED. */
  start(workflow: NewWorkflow): Promise<void>
  find(id: string): Promise<Workflow | undefined>
  /** Those that are not over, of one team or of all, oldest first. */
  running(teamId?: string): Promise<Workflow[]>
  /** Leases up to `count` that nobody works on, oldest first. */
  claim(request: { workerId: string; count: number; leaseMs: number }): Promise<ClaimedWorkflow[]>
  /** Extends all leases of the worker; answers the ids of those it still has: the others were cancelled or taken over. */
  renew(workerId: string, leaseMs: number): Promise<string[]>
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
  /** Ends the workflow with its webhook event and forgets its journal. False, and nothing is written, when the lease is lost. */
  finish(lease: Lease, end: WorkflowEnd, delivery?: Delivery): Promise<boolean>
  /** False when it was over already. */
  cancel(id: string): Promise<boolean>
}

/** Works on all workflows that are not over. */
export type WorkflowRunner = {
  /** Call when one was started, and once at the start of a process that stays. */
  wake(): void
}
