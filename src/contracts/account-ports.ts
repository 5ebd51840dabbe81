import type { operationPermissions, permissions } from '../schema/team.ts'

/** First moment of the calendar month (UTC), the billing period. Times are ms since the epoch. */
export function monthStart(now: number): number {
  const date = new Date(now)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1)
}

/** First moment of the next calendar month (UTC). */
export function monthEnd(now: number): number {
  const date = new Date(now)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)
}

/** What manages the server itself. It comes with the admin key and to the local user; no team is granted it. */
type AdminPermission = 'admin'
/** Each is required by at least one operation, or the list of operations does not compile. */
export type OperationPermission = (typeof operationPermissions)[number] | AdminPermission
export type GrantedPermission = (typeof permissions)[number]
export type Permission = GrantedPermission | AdminPermission

/** The team of whoever runs the program, and of callers where no key is needed. Its limits are those of the settings. */
export const localTeamId = 'local'

/** Settings name keys as `team:key`. */
export const isTeamId = (id: unknown): id is string => typeof id === 'string' && /^[^\p{C}\s:]{1,64}$/u.test(id)

/** What an access token must have been granted before it gives any right to call. */
export const requiredScope = 'gossamer'
/** What it must have been granted beside that, before it has a permission of its team. */
export const scopeOf = (permission: GrantedPermission): string => `${requiredScope}:${permission}`

/** Calls a minute by endpoint (those of activity); `*` stands for each that is not named. */
export type RequestRates = Readonly<Record<string, number>>

/** What a team may use; undefined: as much as there is. */
export type TeamLimits = {
  maxConcurrency: number
  maxSessions: number | undefined
  requestsPerMinute: RequestRates
  monthlyCredits: number | undefined
  /** Whether code may run without a strong sandbox where the settings allow that. */
  unsandboxedCode: boolean
}

/** What an operator has set for one team. What is absent is as in the settings, and null is no limit or no secret. */
export type TeamTerms = {
  maxConcurrency?: number | undefined
  maxSessions?: number | null | undefined
  requestsPerMinute?: RequestRates | null | undefined
  monthlyCredits?: number | null | undefined
  permissions?: readonly GrantedPermission[] | undefined
  /** False: its code runs in a strong sandbox only, whatever the settings allow. True allows no more than they do. */
  unsandboxedCode?: boolean | undefined
  /** Private hosts that its requests may reach and those of other teams may not, beside those of the settings. */
  privateHosts?: readonly string[] | undefined
  /** Signs the team's webhooks. */
  webhookSecret?: string | null | undefined
}

export type StoredTeam = { id: string; createdAt: number; terms: TeamTerms }

/** Teams with terms of their own. A team without needs no entry. */
export type Teams = {
  /** Fails with BAD_REQUEST when there is one of that id, or the id is none. */
  add(id: string, terms: TeamTerms): Promise<StoredTeam>
  /** Sets what is named; what is named and undefined is as in the settings again. Fails with BAD_REQUEST when there is none. */
  change(id: string, terms: TeamTerms): Promise<StoredTeam>
  find(id: string): Promise<StoredTeam | undefined>
  /** By id. */
  list(): Promise<StoredTeam[]>
  /**
   * Its keys are revoked and its refused calls forgotten with it; what else it has recorded expires in its own time. Fails
   * with BAD_REQUEST when there is none.
   */
  remove(id: string): Promise<void>
}

export type KeyOwner = { name: string; teamId: string; permissions: readonly GrantedPermission[] }
/** `expiresAt` in ms since the epoch. */
export type NewKey = KeyOwner & { expiresAt?: number | undefined }

/** `prefix` is the beginning of the key, enough to recognise it and useless to guess the rest. */
export type ListedKey = KeyOwner & {
  prefix: string
  createdAt: number
  expiresAt: number | null
  /** To the minute. */
  lastUsedAt: number | null
}

export type Keys = {
  /** Makes a key and shows it this once. Fails with BAD_REQUEST when the name is taken or not 1–64 printable characters. */
  add(key: NewKey): Promise<{ key: string }>
  list(): Promise<ListedKey[]>
  /** Fails with BAD_REQUEST when there is no key of that name. */
  revoke(name: string): Promise<void>
  /** Undefined as well for a key that has expired. */
  find(presentedKey: string): Promise<KeyOwner | undefined>
}

/** `keyName` is null where keys are not told apart; `endpoint` is there where endpoints are, empty for usage older than that. */
export type UsagePeriod = { start: number; end: number; keyName: string | null; endpoint?: string; credits: number }

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
/** What work costs that is recorded nowhere else; once by its id. */
export type Charge = { jobId: string; teamId: string; keyName: string | null; endpoint: string; credits: number }
/** The sum of such costs over a calendar month (UTC); `end` is the first moment of the next. */
export type ModelMonth = ModelCharge & { start: number; end: number }

export type Usage = {
  /** Calendar months (UTC) with any usage, oldest first; one row a key when `byKey`, an endpoint (of activity) when `byEndpoint`. */
  months(query: { teamId: string; byKey: boolean; byEndpoint?: boolean | undefined }): Promise<UsagePeriod[]>
  /** Days (UTC) with any usage from that of a moment on, oldest first, each with its first moment. */
  days(teamId: string, from: number): Promise<{ start: number; credits: number }[]>
  /** Credits of the team since a moment. */
  since(teamId: string, from: number): Promise<number>
  /** Charges work that ended at a moment, ms since the epoch; with an id that was charged before it changes nothing. */
  charge(charge: Charge, at: number): Promise<void>
  /** Adds to the month of a moment, ms since the epoch. */
  addModel(charge: ModelCharge, at: number): Promise<void>
  /** Of one team or of all, oldest month first, one entry a key, task and model. */
  modelMonths(query: { teamId?: string }): Promise<ModelMonth[]>
}

export type Slot = { hasWaited: boolean; release(): void }
/** `left` calls in the `resetMs` until the minute ends; one that is not counted was one too many. */
export type CallRate = { limit: number; left: number; isCounted: boolean; resetMs: number }
export type CreditHold = { jobId: string; teamId: string; credits: number; monthlyCredits: number }

/** What a team may use, and how much of it is in use by all processes. */
export type Account = {
  /** As they are now, so that what an operator changes holds from the next call on. */
  limitsOf(teamId: string): Promise<TeamLimits>
  /** How long finished jobs can be read. */
  jobRetentionMs: number
  load(teamId: string): Promise<{ active: number; waiting: number }>
  /** One of the team's slots. Fails with QUEUE_FULL when too many wait already; rejects with the signal's reason. */
  take(teamId: string, signal: AbortSignal): Promise<Slot>
  /** The same for work that belongs to no call: it waits behind whoever waits already. What it resolves to ends it. */
  enter(teamId: string, signal: AbortSignal): Promise<() => void>
  /** Counts a call towards the team's rate; undefined: it has none. */
  countCall(teamId: string, endpoint: string): Promise<CallRate | undefined>
  /**
   * Holds credits back until the job is recorded, so that calls side by side cannot take more than there is. Undefined
   * when that would be too much; otherwise what is called when the call has ended.
   */
  holdCredits(hold: CreditHold): Promise<(() => void) | undefined>
  /** Of a job that could not be recorded. */
  releaseCredits(jobId: string): Promise<void>
}

/** A call with an idempotency key. What it asks for is compared with what was asked before. */
export type KeyedCall = { teamId: string; key: string; jobId: string; asks: object; signal: AbortSignal }

/** `warnings` are said with the answer, whenever it is given. */
export type FirstAnswer = { output: object; warnings: readonly string[] }

export type FirstRun = {
  /** What is kept of the answer, to be given again; undefined: nothing may be kept of it. */
  run(jobId: string): Promise<{ answer: FirstAnswer; kept: FirstAnswer | undefined }>
  /** Whether a failure was charged, so that the call must not be made again. */
  isCharged(thrown: unknown): boolean
}

export type Idempotency = {
  /**
   * Runs the call unless that was done under its key, within a day and by any process: then the answer of then. One that
   * is running is waited for, and one whose process has died is run again as the same job. A call that fails leaves
   * its key unused, unless it was charged. Fails with IDEMPOTENCY_KEY_REUSED where the key stands for something else, or
   * nothing was kept of the answer, and otherwise as the call does.
   */
  once(call: KeyedCall, first: FirstRun): Promise<FirstAnswer>
}
