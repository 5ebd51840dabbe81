import {
  type RequestRates,
  type StoredTeam,
  localTeamId,
  type TeamLimits,
  type Teams,
} from '../../contracts/account-ports.ts'
import { endpoints } from '../../schema/team.ts'

type Writable<T> = { [K in keyof T]: T[K] extends readonly (infer E)[] | undefined ? E[] | undefined : T[K] }

/** Returns a team as operators see it: instead of the webhook secret, only whether one is set. */
export function shownTeam({ id, createdAt, terms }: StoredTeam) {
  const { webhookSecret, ...rest } = terms
  return {
    id,
    createdAt: new Date(createdAt).toISOString(),
    ...(rest as Writable<typeof rest>),
    ...(webhookSecret !== undefined && { webhookSecret: webhookSecret === null ? null : ('set' as const) }),
  }
}

/** Returns the limits of a team, by default those of the settings. The local team needs no database. */
export function createTeamLimits(teams: Pick<Teams, 'stateOf'>, settings: Omit<TeamLimits, 'disabled' | 'stoppedAt'>) {
  return async (teamId: string): Promise<TeamLimits> => {
    const terms = teamId === localTeamId ? {} : await teams.stateOf(teamId)
    return {
      maxConcurrency: terms.maxConcurrency ?? settings.maxConcurrency,
      maxSessions: limitOr(terms.maxSessions, settings.maxSessions),
      requestsPerMinute: limitOr(terms.requestsPerMinute, settings.requestsPerMinute) ?? {},
      unsandboxedCode: (terms.unsandboxedCode ?? true) && settings.unsandboxedCode,
      monthlyCredits: limitOr(terms.monthlyCredits, settings.monthlyCredits),
      disabled: terms.disabled ?? false,
      stoppedAt: terms.stoppedAt ?? -Infinity,
    }
  }
}

/** Returns undefined (no limit) if the team's own limit is null. */
const limitOr = <T>(own: T | null | undefined, setting: T): T | undefined =>
  own === null ? undefined : own === undefined ? setting : own

/** Parses rates such as `60` (all endpoints) and `crawl=5`. Throws an Error that describes the fault. */
export const ratesOf = (entries: readonly string[]): RequestRates => Object.fromEntries(entries.map(parseRate))

export function parseRate(entry: string): [endpoint: string, rate: number] {
  const [, endpoint = '*', digits = ''] = /^(?:([a-z_]+)=)?(\d{1,7})$/.exec(entry.trim()) ?? []
  const rate = Number(digits)
  if (rate < 1) throw new Error(`"${entry}" is not a rate: expected calls per minute, such as 60 or crawl=5`)
  if (endpoint !== '*' && !endpoints.some((name) => name === endpoint))
    throw new Error(`unknown endpoint "${endpoint}": expected one of ${endpoints.join(', ')}`)
  return [endpoint, rate]
}
