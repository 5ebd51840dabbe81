/** Progress of a job over many pages, as every operation that reads one answers it. */
export type JobState = {
  status: string
  completed: number
  total: number
  /** Results from the number asked for on, in the order they came. */
  data: readonly object[]
  /** Why it failed as a whole. */
  error?: string
  warning?: string
}

export const isFinished = ({ status }: Pick<JobState, 'status'>): boolean => status !== 'scraping'
