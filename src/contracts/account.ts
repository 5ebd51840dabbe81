export type UsagePeriod = { start: number; end: number; keyName: string | null; credits: number }

/** What a question to a language model cost, in the model's own tokens. Credits are another matter. */
export type ModelCharge = {
  teamId: string
  keyName: string | null
  /** What was asked for, such as `json`. */
  task: string
  /** As the provider names it. */
  model: string
  /** Answers it took; one that cannot be used is paid for too. */
  calls: number
  inputTokens: number
  outputTokens: number
}
/** The sum of such costs over a calendar month (UTC); `end` is the first moment of the next. */
export type ModelMonth = ModelCharge & { start: number; end: number }

export type Usage = {
  /** Calendar months (UTC) with any usage, oldest first; one row a key when `byKey`. */
  months(query: { teamId: string; byKey: boolean }): Promise<UsagePeriod[]>
  /** Credits of the team since a moment. */
  since(teamId: string, from: number): Promise<number>
  /** Adds to the month of a moment, ms since the epoch. */
  addModel(charge: ModelCharge, at: number): Promise<void>
  /** Of one team or of all, oldest month first, one entry a key, task and model. */
  modelMonths(query: { teamId?: string }): Promise<ModelMonth[]>
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
