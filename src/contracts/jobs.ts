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
