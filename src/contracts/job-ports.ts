/** A webhook event, exactly as it will be sent. */
export type Delivery = {
  /** `webhookId`: one id, one content. */
  id: string
  /** Of the crawl or the workflow. */
  crawlId: string
  /** Such as `crawl.page`. */
  type: string
  url: string
  headers: Readonly<Record<string, string>>
  body: string
  createdAt: number
}

/**
 * When the receiver hears of an event: nothing of a later turn before all of an earlier one. Events of one turn go side
 * by side. `passed`: it failed and a later one was accepted, so that it has no place in the order any more.
 */
export const eventTurns = { started: 0, during: 1, end: 2, passed: 3 } as const

/** What is known of an event in a queue, short of its content. */
export type QueuedEvent = {
  id: string
  url: string
  turn: number
  /** Attempts that failed. */
  tries: number
  /** When the first of these began. */
  firstTriedAt: number | null
  dueAt: number
}

/** The events of a crawl that wait; one worker at a time sends from it. */
export type ClaimedQueue = {
  crawlId: string
  /** Empty once the crawl is deleted. */
  teamId: string
  /** The last worker left it with a pause. */
  wasPaused: boolean
}

/** Webhook events until they are sent or abandoned, in a queue for each crawl. */
export type Deliveries = {
  /**
   * Leases queues in which something is due, those that wait longest first. Of each team a worker holds up to `perTeam`,
   * with those it has already: one team's queues take no place of another's.
   */
  claim(workerId: string, perTeam: number, leaseMs: number): Promise<ClaimedQueue[]>
  /**
   * The first `count` events that are due, in order. `missed` failed and is not due: of several the one of the earliest
   * turn, and of those the latest to be tried first.
   */
  look(crawlId: string, count: number): Promise<{ due: QueuedEvent[]; missed: QueuedEvent | undefined }>
  /** Undefined once it is deleted. */
  read(id: string): Promise<Delivery | undefined>
  /** Events of earlier turns that failed are passed by it. */
  sent(id: string): Promise<void>
  /** It is sent again at `retryAt`; without one it is abandoned. Nothing changes once the worker has lost its lease. */
  failed(
    id: string,
    workerId: string,
    failure: { why: string; triedAt: number; retryAt: number | undefined },
  ): Promise<void>
  /** Ends the lease; nobody claims the queue before `pausedUntil`. */
  leave(crawlId: string, workerId: string, pausedUntil?: number): Promise<void>
  renew(workerId: string, crawlIds: readonly string[], leaseMs: number): Promise<void>
  /** Ends all leases of a worker. */
  release(workerId: string): Promise<void>
  /** Those who hold a lease. */
  workers(): Promise<string[]>
  /** When a queue may be claimed next, ms since the epoch. */
  nextDueAt(): Promise<number | undefined>
  /** Events of a crawl that failed so far and will be sent again, with why the last attempt failed. */
  missed(crawlId: string): Promise<{ type: string; tries: number; why: string }[]>
  /** Deliveries of a crawl that were abandoned. */
  abandoned(crawlId: string): Promise<{ id: string; type: string; at: number; why: string }[]>
}

export type JobStatus = 'completed' | 'failed'

export type Job = {
  id: string
  teamId: string
  keyName: string | null
  endpoint: string
  target: string | null
  createdAt: number
  status: JobStatus
  errorCode: string | null
  /** What GET by id answers; null when it must not be kept. */
  result: object | null
  /** What was asked for, so that support can look into it and the visit be made again; null when it must not be kept. */
  replay: object | null
  credits: number
}

/** The error is known for as long as the job can be read. */
export type ActivityRow = Pick<Job, 'id' | 'endpoint' | 'createdAt' | 'target' | 'status' | 'errorCode'>

export type Jobs = {
  /** Writes the job, its activity row and its ledger row in one transaction; a second call with the same id changes nothing. */
  record(job: Job): Promise<void>
  find(id: string): Promise<Job | undefined>
  /** Newest first; `before` is the last row of the page before. */
  activity(query: {
    teamId: string
    endpoint?: string
    status?: JobStatus
    since: number
    limit: number
    before?: { createdAt: number; id: string }
  }): Promise<ActivityRow[]>
}

/** Where all that is kept is written. */
export type Storage = {
  /** Whether it has no room left, or had none a moment ago. */
  isFull(): Promise<boolean>
}

/**
 * A call that was answered with an error before it did anything: what support needs to say why. No value that the caller sent
 * stands in it but numbers, true and false.
 */
export type Refusal = {
  at: number
  /** Name of the operation; of something that is none, what was asked for. */
  operation: string
  code: string
  status: number
  message: string
  faults: readonly { path: string; message: string }[]
  /** Arguments by name: numbers, true and false as they came, of all else only what kind it is. */
  given: Readonly<Record<string, number | boolean | string>>
}

/** How long refusals are remembered, and how many of a team: the newest. Of those alike the last counts. */
export const refusalsKept = { ms: 86_400_000, ofTeam: 50 } as const

export type Refusals = {
  note(teamId: string, refusal: Refusal): Promise<void>
  /** The newest first, none older than a day. */
  list(teamId: string): Promise<Refusal[]>
}
