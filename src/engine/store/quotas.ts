/** What one call takes or wants of its team's slots. */
export type Ticket = { id: string; teamId: string; workerId: string }
export type TeamLoad = { active: number; waiting: number }

/**
 * What teams have in use, counted once for all processes on one database. What a worker took is free again when its lease
 * ends, as it does when its process is killed. Where tickets are let in, their ids are answered, whosever they are.
 */
export type Quotas = {
  /** The ticket gets a slot or the last place in its team's line; `full`: neither, and it is forgotten. */
  join(
    ticket: Ticket,
    limits: { maxConcurrency: number; maxWaiting: number },
  ): Promise<{ state: 'held' | 'waiting' | 'full'; letIn: string[] }>
  /** Gives up the slot or the place, and lets in who is next. */
  leave(ticket: Ticket, maxConcurrency: number): Promise<string[]>
  /** Lets in who may go on since workers have died or the limit was raised. */
  advance(teamId: string, maxConcurrency: number): Promise<string[]>
  /** Those of its tickets that hold a slot. */
  heldBy(workerId: string): Promise<string[]>
  load(teamId: string): Promise<TeamLoad>

  /** Counts a call in the running minute, unless `limit` are counted already; how many are left after it. */
  countCall(call: { teamId: string; endpoint: string; limit: number }): Promise<{ isCounted: boolean; left: number }>

  /** Holds back credits until the job is recorded; false when that would take more than the team has. */
  holdCredits(hold: {
    jobId: string
    teamId: string
    workerId: string
    credits: number
    limit: number
    since: number
  }): Promise<boolean>
  releaseCredits(jobId: string): Promise<void>

  /** Begins or extends the lease of a worker; false when it had none, so that what it had taken is gone. */
  renew(workerId: string, leaseMs: number): Promise<boolean>
  /** Those with a lease. */
  workers(): Promise<string[]>
  /** Frees all that the worker has taken. */
  release(workerId: string): Promise<void>
}
