import { listen } from '../../../surfaces/http/server.ts'
import { acceptUpgrades } from '../../../surfaces/ws/upgrade.ts'
import { version } from '../../../version.ts'
import type { Config } from '../../../app/config.ts'
import type { Command } from '../../command.ts'
import { allFaces, browserFaces, type Faces, workerFaces } from './faces.ts'
import { monitorNote, storeNote } from './notes.ts'
import { refuseUnready } from './refuse.ts'

/** How long running requests may go on once the server is told to end. */
const drainMs = 1000

const facesOf: Record<Config['role'], (...given: Parameters<typeof allFaces>) => Faces> = {
  all: allFaces,
  api: allFaces,
  worker: workerFaces,
  browser: browserFaces,
}

/** `gossamer serve`: MCP and REST on one port, until told to end. */
export const serveCommand: Command = async ({ app, config, log, terminal, signal }) => {
  await refuseUnready(app, config)
  const faces = facesOf[config.role](app, config, log)
  const server = await listen({ app: faces.http, host: config.host, port: config.port, log })
  const upgrades = acceptUpgrades(server.server, faces.sockets)
  await app.cluster?.join()
  app.resume()
  app.tidy()
  terminal.err(`Gossamer ${version} listens on ${server.url} — ${faces.says}\n`)
  terminal.err(await storeNote(app))
  if (config.remoteUrl === undefined) terminal.err(await monitorNote(app))
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
  // Browsers take longest to end, and whoever watches one is to hear why.
  const sessionsEnded = app.endSessions()
  await Promise.all([faces.endStreams(), upgrades.close()])
  await Promise.all([server.close(drainMs), sessionsEnded])
  await faces.close()
  return 0
}
