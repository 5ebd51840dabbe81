import { createHmac } from 'node:crypto'
import { localTeamId, type Teams, type TeamWebhookSecret } from '../../contracts/account-ports.ts'

type Options = {
  teams: Pick<Teams, 'stateOf'>
  /** Secret of the whole server. */
  shared: string | undefined
  /** True if the server also has other teams. */
  hasOthers(teamId: string): Promise<boolean>
}

/**
 * Finds the secret that signs the webhooks of a team. Where several teams share a server, no team gets the server's own
 * secret: with it, one could sign for another.
 */
export const createTeamSecrets =
  ({ teams, shared, hasOthers }: Options) =>
  async (teamId: string): Promise<TeamWebhookSecret> => {
    const own = (await teams.stateOf(teamId)).webhookSecret
    if (typeof own === 'string') return { source: 'team', secret: own }
    if (own === null || shared === undefined) return { source: 'none', secret: undefined }
    if (teamId === localTeamId || !(await hasOthers(teamId))) return { source: 'server', secret: shared }
    return { source: 'derived', secret: createHmac('sha256', shared).update(teamId, 'utf8').digest('hex') }
  }
