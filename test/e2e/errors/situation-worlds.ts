import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { startModelServer, type ModelScript, refuses } from '../../helpers/model-server.ts'
import { startSite } from '../../helpers/site.ts'
import { answer, gone, html } from '../../helpers/site/route.ts'
import { startWorld, type World } from './world.ts'

const teams = {
  plain: {},
  slow: { requestsPerMinute: { scrape: 1 } },
  narrow: { maxConcurrency: 1 },
  shut: { maxSessions: 1 },
}
export type Team = keyof typeof teams
/**
 * Servers that can do what the plain one cannot: one with a browser, one with a model that does not work beside it, one
 * whose database is damaged, one that hands everything on to another that is not there.
 */
export const worldNames = ['able', 'modelled', 'damaged', 'remote'] as const
export type Worlds = Readonly<Record<(typeof worldNames)[number], World<Team>>>
export type Worldly = Awaited<ReturnType<typeof startWorlds>>

/** Asked to find something it fails; asked for anything else it does not answer. */
const failing: ModelScript = ({ prompt }) => (prompt.includes('cheapest') ? refuses(500, 'oops') : { trouble: 'hangs' })

function dropMonitors(dataDir: string): void {
  using database = new DatabaseSync(join(dataDir, 'gossamer.db'))
  database.exec('DROP TABLE monitor')
}

export async function startWorlds() {
  const site = await startSite({
    routes: {
      '/robots.txt': answer(200, { 'content-type': 'text/plain' }, 'User-agent: *\nDisallow: /closed'),
      '/closed/': html('<a href="/closed/a">A</a>'),
      '/silent': ({ response }) => gone(response),
      '/asks': html('<!doctype html><title>Asks</title><button onclick="alert(1)">Ask</button>'),
    },
  })
  const model = await startModelServer(failing)
  const env = { GOSSAMER_ALLOW_HOSTS: `127.0.0.1:${site.port},127.0.0.1:1` }
  const asked = { GOSSAMER_MODEL: 'test', GOSSAMER_MODEL_URL: model.url('openai') }
  const all = await Promise.all([
    // Nobody waits for a place there.
    startWorld(teams, { ...env, GOSSAMER_UNSANDBOXED_CODE: 'always', GOSSAMER_MAX_WAITING: '0' }),
    startWorld(teams, { ...env, ...asked, GOSSAMER_MODEL_TIMEOUT_SECONDS: '2' }),
    startWorld(teams, {}, dropMonitors),
    startWorld(teams, { GOSSAMER_REMOTE_URL: 'http://127.0.0.1:1' }),
  ])
  const [able, modelled, damaged, remote] = all
  return {
    site,
    worlds: { able, modelled, damaged, remote } satisfies Worlds,
    close: async () => {
      await Promise.all(all.map((world) => world.close()))
      await Promise.all([site.close(), model.close()])
    },
  }
}
