/** How far a job is, as every operation that reads one answers it. */
export type JobProgress = { status: string; completed: number; total: number }

/** The same of a job that brings pages, with some of them. */
export type JobState = JobProgress & {
  /** Results from the number asked for on, in the order they came. */
  data: readonly object[]
  /** Why it failed as a whole. */
  error?: string
  warning?: string
}

const underWay = ['scraping', 'processing']

export const isFinished = ({ status }: Pick<JobProgress, 'status'>): boolean => !underWay.includes(status)
