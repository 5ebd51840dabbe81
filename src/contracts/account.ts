export type UsagePeriod = { start: number; end: number; keyName: string | null; credits: number }

export type Usage = {
  /** Calendar months (UTC) with any usage, oldest first; one row a key when `byKey`. */
  months(query: { teamId: string; byKey: boolean }): Promise<UsagePeriod[]>
  /** Credits of the team since a moment. */
  since(teamId: string, from: number): Promise<number>
}

/** What the operator grants each team, and how much of it is in use in this process. */
export type Account = {
  /** Credits a calendar month; undefined = no limit. */
  monthlyCredits: number | undefined
  maxConcurrency: number
  /** How long finished jobs can be read. */
  jobRetentionMs: number
  load(teamId: string): { active: number; waiting: number }
  /** A turn among the team's scrapes, for work that belongs to no call; what it resolves to ends it. */
  enter(teamId: string, signal: AbortSignal): Promise<() => void>
}
