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
