import { localTeam } from '../../app/app.ts'
import { createMcpServers, messageCheck } from '../../surfaces/mcp/server.ts'
import { serveStdio } from '../../surfaces/mcp/transport/serve-stdio.ts'
import { once } from '../../util/async.ts'
import type { Command } from '../command.ts'
import { mcpOptions } from '../mcp-options.ts'

const note = `Gossamer serves MCP on stdin and stdout now: this is the command for MCP clients. Ctrl-C ends it.
"gossamer try" shows what it does, "gossamer setup" adds it to your client, "gossamer --help" lists the rest.\n`

/** `gossamer`: MCP over stdin and stdout, until the client disconnects. */
export const stdioCommand: Command = async ({ app, config, log, terminal, replayed, signal }) => {
  if (process.stdin.isTTY) terminal.err(note)
  app.tidy()
  const options = mcpOptions(app, config, log)
  // Jobs of an earlier process resume with the first call, which opens the database anyway.
  const resumed = once(async () => app.resume())
  const newServer = createMcpServers({
    ...options,
    invoke: async (...call) => {
      await resumed()
      return options.invoke(...call)
    },
  })
  await serveStdio({
    newServer,
    caller: { team: localTeam, baseUrl: '' },
    check: messageCheck(app.tools),
    replayed,
    signal,
    log,
  })
  return 0
}
