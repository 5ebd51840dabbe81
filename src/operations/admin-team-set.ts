import { z } from 'zod'
import { shownTeam } from '../engine/account/shown-team.ts'
import { isAllowEntry } from '../engine/net/address/address.ts'
import { fail } from '../kernel/error.ts'
import { defineOperation } from '../kernel/operation.ts'
import { Team, TeamInput, termsOf } from '../schema/team.ts'

export default defineOperation({
  name: 'admin_team_set',
  route: 'POST /v2/admin/teams',
  title: 'Set the terms of a team',
  about: 'Add a team with terms of its own, or change those that are named. Needs the admin key.',
  effect: 'create',
  world: 'closed',
  example: { id: 'acme', maxConcurrency: 4, requestsPerMinute: { '*': 60, crawl: 5 }, monthlyCredits: 1000 },
  input: TeamInput,
  output: z.object({ team: Team }),
  errors: [],
  permissions: () => ['admin'],
  mcp: false,
  async run(input, { ports: { teams } }) {
    const terms = termsOf(input)
    const wrong = terms.privateHosts?.find((entry) => !isAllowEntry(entry))
    if (wrong !== undefined)
      fail('BAD_REQUEST', { message: `privateHosts: "${wrong}" is not a host name, an IP address or a CIDR block.` })
    const isKnown = (await teams.find(input.id)) !== undefined
    return { team: shownTeam(await teams[isKnown ? 'change' : 'add'](input.id, terms)) }
  },
})
