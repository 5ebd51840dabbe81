/** A webhook event, exactly as it will be sent. */
export type Delivery = {
  /** Sent as `webhookId`; deliveries with the same id have the same content. */
  id: string
  /** Id of the crawl or workflow. */
  crawlId: string
  /** Name of the event, such as `crawl.page`. */
  type: string
  url: string
  headers: Readonly<Record<string, string>>
  body: string
  createdAt: number
}

/**
 * Order of delivery: no event of a later turn is sent before all events of earlier turns. Events of one turn are sent
 * concurrently. `passed`: the event failed and a later one was accepted, so the failed one is no longer ordered.
 */
export const eventTurns = { started: 0, during: 1, end: 2, passed: 3 } as const

/** A queued event without its content. */
export type QueuedEvent = {
  id: string
  url: string
  turn: number
  /** Number of failed attempts. */
  tries: number
  /** Start of the first attempt, ms since the epoch. */
  firstTriedAt: number | null
  dueAt: number
}

/** Waiting events of a crawl; one worker at a time sends from it. */
export type ClaimedQueue = {
  crawlId: string
  /** Empty if the crawl is deleted. */
  teamId: string
  /** True if the last worker left the queue with a pause. */
  wasPaused: boolean
}

/** Webhook events until they are sent or abandoned, with one queue per crawl. */
export type Deliveries = {
  /**
   * Leases queues with due events, longest waiting first. A worker holds up to `perTeam` queues per team, including
   * those it already has, so one team cannot block another.
   */
  claim(workerId: string, perTeam: number, leaseMs: number): Promise<ClaimedQueue[]>
  /**
   * The first `count` due events, in order. `missed` is an event that failed and is not due. If there are several, it
   * has the earliest turn, and within that turn it is the one to be retried last.
   */
  look(crawlId: string, count: number): Promise<{ due: QueuedEvent[]; missed: QueuedEvent | undefined }>
  /** Undefined if the event is deleted. */
  read(id: string): Promise<Delivery | undefined>
  /** Marks an event as sent; failed events of earlier turns become `passed`. */
  sent(id: string): Promise<void>
  /**
   * Schedules another attempt at `retryAt`, or abandons the event if there is none. Does nothing if the worker has
   * lost its lease.
   */
  failed(
    id: string,
    workerId: string,
    failure: { why: string; triedAt: number; retryAt: number | undefined },
  ): Promise<void>
  /** Ends the lease; the queue cannot be claimed before `pausedUntil`. */
  leave(crawlId: string, workerId: string, pausedUntil?: number): Promise<void>
  renew(workerId: string, crawlIds: readonly string[], leaseMs: number): Promise<void>
  /** Ends all leases of a worker. */
  release(workerId: string): Promise<void>
  /** Workers that hold a lease. */
  workers(): Promise<string[]>
  /** Time at which a queue may next be claimed, ms since the epoch. */
  nextDueAt(): Promise<number | undefined>
  /** Events of a crawl that failed and will be sent again, with the reason of the last failure. */
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
  /** Response of GET by id; null if it must not be stored. */
  result: object | null
  /** The request, for support and for repeating the visit; null if it must not be stored. */
  replay: object | null
  credits: number
  /** True for a page of a monitor check, which the activity lists as one row. */
  isPart?: boolean
}

/** The error is available for as long as the job can be read. */
export type ActivityRow = Pick<Job, 'id' | 'endpoint' | 'createdAt' | 'target' | 'status' | 'errorCode'>

export type Jobs = {
  /**
   * Writes the job, its activity row and its ledger row in one transaction; another call with the same id changes
   * nothing.
   */
  record(job: Job): Promise<void>
  find(id: string): Promise<Job | undefined>
  /** Newest first; `before` is the last row of the previous page. */
  activity(query: {
    teamId: string
    endpoint?: string
    status?: JobStatus
    since: number
    limit: number
    before?: { createdAt: number; id: string }
  }): Promise<ActivityRow[]>
}

/** The disk or database that stores all data. */
export type Storage = {
  /** True if there is no space left, now or a moment ago. */
  isFull(): Promise<boolean>
}

/**
 * A call that was rejected before it had any effect, recorded so that support can explain it. Of the caller's values
 * it contains only numbers and booleans.
 */
export type Refusal = {
  at: number
  /** Name of the operation, or what was requested if there is no such operation. */
  operation: string
  code: string
  status: number
  message: string
  faults: readonly { path: string; message: string }[]
  /** Arguments by name: numbers and booleans as received, for all others only the kind of value. */
  given: Readonly<Record<string, number | boolean | string>>
}

/** Limits of the stored refusals: age, and number per team. Of identical refusals only the last is stored. */
export const refusalsKept = { ms: 86_400_000, ofTeam: 50 } as const

export type Refusals = {
  note(teamId: string, refusal: Refusal): Promise<void>
  /** Newest first, none older than a day. */
  list(teamId: string): Promise<Refusal[]>
}
