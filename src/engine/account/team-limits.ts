import { localTeamId, type TeamLimits, type Teams } from '../../contracts/account-ports.ts'

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
