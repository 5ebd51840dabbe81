import { startServer, tempDir } from '../../helpers/program.ts'
import { type Answer, overHttp, overRest, type Transport } from '../../helpers/transports.ts'
import type { TeamTerms } from '../../../src/contracts/account-ports.ts'
import { openStoreIn } from '../../store/programs/open-here.ts'

/** A server with teams and its own data folder. */
export type World<Team extends string = string> = {
  url: string
  keyOf(team: Team): string
  rest(team: Team): Transport
  mcp(team: Team): Promise<Transport>
  close(): Promise<void>
}

export async function startWorld<Team extends string>(
  teams: Readonly<Record<Team, TeamTerms>>,
  env: Record<string, string>,
): Promise<World<Team>> {
  const folder = tempDir()
  const ids = Object.keys(teams) as Team[]
  const keyOf = (team: Team) => `key-of-${team}`
  const { store } = await openStoreIn(folder.path)
  for (const id of ids) await store.teams.add(id, teams[id])
  await store.close()
  const server = await startServer({
    GOSSAMER_DATA_DIR: folder.path,
    GOSSAMER_API_KEYS: ids.map((id) => `${id}:${keyOf(id)}`).join(','),
    ...env,
  })
  return {
    url: server.url,
    keyOf,
    rest: (team) => overRest(server.url, keyOf(team)),
    mcp: (team) => overHttp(server.url, keyOf(team)),
    close: async () => {
      await server.stop()
      folder.remove()
    },
  }
}

/** Runs a call over REST and MCP, and returns the answers with the name of the transport. */
export async function overBoth<Team extends string>(
  world: World<Team>,
  team: Team,
  ask: (transport: Transport) => ReturnType<Transport['call']>,
) {
  const mcp = await world.mcp(team)
  const rest = await ask(world.rest(team))
  const answers = { REST: rest, MCP: await ask(mcp) }
  await mcp.close()
  return answers
}

export function scrapeIdIn(answer: Answer): string {
  const { data } = (answer.output ?? {}) as { data?: { metadata: { scrapeId: string } } }
  if (!data) throw new Error(`no page: ${JSON.stringify(answer)}`)
  return data.metadata.scrapeId
}
