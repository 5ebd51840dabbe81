import type { operationPermissions, permissions } from '../schema/team.ts'

/** First moment of the calendar month (UTC), the billing period. Times are ms since the epoch. */
export function monthStart(now: number): number {
  const date = new Date(now)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1)
}

/**
 * Permission to manage the server itself. Only the admin key and the local user have it; it cannot be granted to a
 * team.
 */
type AdminPermission = 'admin'
/** Each permission is required by at least one operation, or the list of operations does not compile. */
export type OperationPermission = (typeof operationPermissions)[number] | AdminPermission
export type GrantedPermission = (typeof permissions)[number]
export type Permission = GrantedPermission | AdminPermission

/** Team of the local user, and of callers when no key is required. Its limits are those of the settings. */
export const localTeamId = 'local'

/** True if the value is a valid team id. No colons, because settings name keys as `team:key`. */
export const isTeamId = (id: unknown): id is string => typeof id === 'string' && /^[^\p{C}\s:]{1,64}$/u.test(id)

/** Scope that an access token must have before it may call anything. */
export const requiredScope = 'gossamer'

/** Calls per minute by endpoint (endpoint names of the activity list); `*` applies to every endpoint not listed. */
export type RequestRates = Readonly<Record<string, number>>

/** Limits of a team; undefined: unlimited. */
export type TeamLimits = {
  maxConcurrency: number
  maxSessions: number | undefined
  requestsPerMinute: RequestRates
  monthlyCredits: number | undefined
  /** True if code may run without a strong sandbox, provided that the settings allow it. */
  unsandboxedCode: boolean
  /** True while the operator has the team disabled: its work waits. */
  disabled: boolean
  /** Work started up to this time is over, ms since the epoch: the team or its last key was removed. */
  stoppedAt: number
}

/** Terms that an operator has set for one team. Missing: the value of the settings; null: no limit or no secret. */
export type TeamTerms = {
  maxConcurrency?: number | undefined
  maxSessions?: number | null | undefined
  requestsPerMinute?: RequestRates | null | undefined
  monthlyCredits?: number | null | undefined
  permissions?: readonly GrantedPermission[] | undefined
  /**
   * False: the team's code runs only in a strong sandbox, whatever the settings allow. True never allows more than
   * the settings.
   */
  unsandboxedCode?: boolean | undefined
  /** Private hosts that this team may reach and other teams may not, in addition to those of the settings. */
  privateHosts?: readonly string[] | undefined
  /** Hosts that the team may reach at all, by name (with subdomains), IP address or CIDR block. Missing: all. */
  allowDomains?: readonly string[] | undefined
  /** Hosts that it may not reach, even if `allowDomains` has them. */
  denyDomains?: readonly string[] | undefined
  /**
   * Hosts besides `allowDomains` from which its pages may load pictures, scripts and frames, but which it may not open.
   */
  resourceDomains?: readonly string[] | undefined
  /** Secret that signs the team's webhooks. */
  webhookSecret?: string | null | undefined
  /** True: its keys are refused and its jobs and monitors wait. */
  disabled?: boolean | undefined
}

/**
 * Secret that signs the webhooks of a team: its own, one derived from the server's for this team, or the server's on a
 * server without other teams.
 */
export type TeamWebhookSecret =
  | { source: 'team' | 'derived' | 'server'; secret: string }
  | { source: 'none'; secret: undefined }

export type StoredTeam = { id: string; createdAt: number; terms: TeamTerms }
/** `stoppedAt`: see TeamLimits; Infinity for a team that nobody can use any more. */
type TeamState = TeamTerms & { stoppedAt?: number | undefined }

/** Teams with terms of their own. A team without such terms needs no entry. */
export type Teams = {
  /** Fails with BAD_REQUEST if the id is invalid or already exists. */
  add(id: string, terms: TeamTerms): Promise<StoredTeam>
  /**
   * Sets the given terms; a term given as undefined is reset to the settings. Fails with BAD_REQUEST if the team does
   * not exist.
   */
  change(id: string, terms: TeamTerms): Promise<StoredTeam>
  find(id: string): Promise<StoredTeam | undefined>
  /** Empty for a team without terms of its own; removed teams are included. */
  stateOf(id: string): Promise<TeamState>
  /** Sorted by id. */
  list(): Promise<StoredTeam[]>
  /**
   * Revokes the team's keys, cancels its jobs and deletes its monitors and refused calls; other records expire on their
   * own schedule. Fails with BAD_REQUEST if the team does not exist.
   */
  remove(id: string): Promise<void>
}

/** Limits of one key, within those of its team. */
export type KeyLimits = {
  /** The key may only make calls that change nothing. */
  readOnly?: boolean | undefined
  /** The operations that it may call; all if absent. */
  operations?: readonly string[] | undefined
}
export type KeyOwner = {
  name: string
  teamId: string
  permissions: readonly GrantedPermission[]
  limits?: KeyLimits | undefined
}
/** `expiresAt` in ms since the epoch. */
export type NewKey = KeyOwner & { expiresAt?: number | undefined }

/** `prefix` is the start of the key: enough to recognise it, too little to guess the rest. */
export type ListedKey = KeyOwner & {
  prefix: string
  createdAt: number
  expiresAt: number | null
  /** ms since the epoch, accurate to the minute. */
  lastUsedAt: number | null
}

export type Keys = {
  /**
   * Creates a key and returns it; it cannot be read again. Fails with BAD_REQUEST if the name is taken or is not 1–64
   * printable characters.
   */
  add(key: NewKey): Promise<{ key: string }>
  list(): Promise<ListedKey[]>
  /**
   * If nobody can use the team any more, its jobs are cancelled, its monitors are paused, and its id is returned. Fails
   * with BAD_REQUEST if no key has that name.
   */
  revoke(name: string): Promise<{ stoppedTeam: string | undefined }>
  /** Undefined if the key is unknown or has expired. */
  find(presentedKey: string): Promise<KeyOwner | undefined>
}

/**
 * `keyName` is null if usage is not grouped by key; `endpoint` is set if it is grouped by endpoint, and empty for usage
 * from before endpoints were recorded.
 */
export type UsagePeriod = { start: number; end: number; keyName: string | null; endpoint?: string; credits: number }

/** Cost of a request to a language model, in the model's own tokens. Credits are counted separately. */
export type ModelCharge = {
  teamId: string
  keyName: string | null
  /** Purpose of the request, such as `json`. */
  task: string
  /** Name that the provider uses. */
  model: string
  /** Number of model responses; unusable ones are billed too. */
  calls: number
  inputTokens: number
  outputTokens: number
}
/** Cost of work that is not recorded as a job. Charged once per job id. */
export type Charge = { jobId: string; teamId: string; keyName: string | null; endpoint: string; credits: number }
/** Sum of model charges over a calendar month (UTC); `end` is the first moment of the next month. */
export type ModelMonth = ModelCharge & { start: number; end: number }

export type Usage = {
  /**
   * Calendar months (UTC) with any usage, oldest first; one row per key if `byKey`, per endpoint (of activity) if
   * `byEndpoint`.
   */
  months(query: { teamId: string; byKey: boolean; byEndpoint?: boolean | undefined }): Promise<UsagePeriod[]>
  /**
   * Days (UTC) with any usage, starting with the day that contains `from`, oldest first. `start` is the first moment
   * of the day.
   */
  days(teamId: string, from: number): Promise<{ start: number; credits: number }[]>
  /** Credits that the team has used since `from`. */
  since(teamId: string, from: number): Promise<number>
  /** Charges work that ended at `at` (ms since the epoch). Does nothing if the job id was charged before. */
  charge(charge: Charge, at: number): Promise<void>
  /** Adds a charge to the month that contains `at` (ms since the epoch). */
  addModel(charge: ModelCharge, at: number): Promise<void>
  /** Charges of one team or of all, oldest month first, one entry per key, task and model. */
  modelMonths(query: { teamId?: string }): Promise<ModelMonth[]>
}

export type Slot = { hasWaited: boolean; release(): void }
/** `left` calls remain in the `resetMs` until the minute ends; `isCounted` is false if the call exceeded the limit. */
export type CallRate = { limit: number; left: number; isCounted: boolean; resetMs: number }
export type CreditHold = { jobId: string; teamId: string; credits: number; monthlyCredits: number }

/** Limits of a team, and its current usage across all processes. */
export type Account = {
  /** Current limits, so that a change by an operator applies from the next call on. */
  limitsOf(teamId: string): Promise<TeamLimits>
  /** Time for which finished jobs can be read. */
  jobRetentionMs: number
  load(teamId: string): Promise<{ active: number; waiting: number }>
  /**
   * Waits for one of the team's slots. Fails with QUEUE_FULL if too many calls are already waiting; rejects with the
   * signal's reason.
   */
  take(teamId: string, signal: AbortSignal): Promise<Slot>
  /**
   * Takes a slot for background work, which queues behind all waiting calls. Resolves to a function that releases the
   * slot.
   */
  enter(teamId: string, signal: AbortSignal): Promise<() => void>
  /** Counts a call towards the team's rate limit; undefined if it has none. */
  countCall(teamId: string, endpoint: string): Promise<CallRate | undefined>
  /**
   * Reserves credits until the job is recorded, so that concurrent calls cannot use more than the team has. Returns a
   * function to call when the call has ended, or undefined if the credits do not suffice.
   */
  holdCredits(hold: CreditHold): Promise<(() => void) | undefined>
  /** Releases the reservation of a job that could not be recorded. */
  releaseCredits(jobId: string): Promise<void>
}

/** A call with an idempotency key. `asks` is compared with the input of the first call under that key. */
export type KeyedCall = { teamId: string; key: string; jobId: string; asks: object; signal: AbortSignal }

/** `warnings` are added to the response each time it is returned. */
export type FirstAnswer = { output: object; warnings: readonly string[] }

export type FirstRun = {
  /** `kept` is the part of the response stored for repetition; undefined if nothing may be stored. */
  run(jobId: string): Promise<{ answer: FirstAnswer; kept: FirstAnswer | undefined }>
  /** True if a failed call was charged, so it must not be run again. */
  isCharged(thrown: unknown): boolean
}

export type Idempotency = {
  /**
   * Runs the call, unless a call with its key already ran within a day in any process: then returns that response.
   * Waits for a running call; if its process has died, runs the call again as the same job. A failed call leaves its
   * key unused, unless it was charged. Fails with IDEMPOTENCY_KEY_REUSED if the key belongs to a different input or
   * the response was not stored, and otherwise as the call does.
   */
  once(call: KeyedCall, first: FirstRun): Promise<FirstAnswer>
}
