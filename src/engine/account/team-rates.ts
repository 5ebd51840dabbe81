import {
  type RequestRates,
  type StoredTeam,
  localTeamId,
  type TeamLimits,
  type Teams,
} from '../../contracts/account-ports.ts'
import { endpoints } from '../../schema/team.ts'

/** A team as operators see it: of its secret only that there is one. */
export function shownTeam({ id, createdAt, terms }: StoredTeam) {
  const { webhookSecret, permissions, privateHosts, ...rest } = terms
  return {
    id,
    createdAt: new Date(createdAt).toISOString(),
    ...rest,
    ...(permissions && { permissions: [...permissions] }),
    ...(privateHosts && { privateHosts: [...privateHosts] }),
    ...(webhookSecret !== undefined && { webhookSecret: webhookSecret === null ? null : ('set' as const) }),
  }
}

/** The limits of a team: its own, and those of the settings where it has none. The local team needs no database. */
export function createTeamLimits(teams: Pick<Teams, 'find'>, settings: TeamLimits) {
  return async (teamId: string): Promise<TeamLimits> => {
    const { terms = {} } = (teamId === localTeamId ? undefined : await teams.find(teamId)) ?? {}
    return {
      maxConcurrency: terms.maxConcurrency ?? settings.maxConcurrency,
      maxSessions: ownOr(terms.maxSessions, settings.maxSessions),
      requestsPerMinute: ownOr(terms.requestsPerMinute, settings.requestsPerMinute) ?? {},
      unsandboxedCode: (terms.unsandboxedCode ?? true) && settings.unsandboxedCode,
      monthlyCredits: ownOr(terms.monthlyCredits, settings.monthlyCredits),
    }
  }
}

const ownOr = <T>(own: T | null | undefined, setting: T): T | undefined =>
  own === null ? undefined : own === undefined ? setting : own

/** The rates of entries such as `60`, for each endpoint, and `crawl=5`. Throws an Error that says what is wrong. */
export const ratesOf = (entries: readonly string[]): RequestRates => Object.fromEntries(entries.map(parseRate))

export function parseRate(entry: string): [endpoint: string, rate: number] {
  const [, endpoint = '*', digits = ''] = /^(?:([a-z_]+)=)?(\d{1,7})$/.exec(entry.trim()) ?? []
  const rate = Number(digits)
  if (rate < 1) throw new Error(`"${entry}" is no rate: it is a number of calls a minute, such as 60 or crawl=5`)
  if (endpoint !== '*' && !endpoints.some((name) => name === endpoint))
    throw new Error(`there is no endpoint "${endpoint}"; there are ${endpoints.join(', ')}`)
  return [endpoint, rate]
}
