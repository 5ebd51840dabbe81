import { localTeam } from '../../app/app.ts'
import { createMcpServers } from '../../surfaces/mcp/server.ts'
import { serveStdio } from '../../surfaces/mcp/transport/stdio.ts'
import type { Command } from '../command.ts'
import { mcpOptions } from '../mcp-options.ts'

/** `gossamer`: MCP over stdin and stdout, until the client goes away. */
export const stdioCommand: Command = async ({ app, config, log, signal }) => {
  const newServer = createMcpServers(mcpOptions(app, config, log))
  await serveStdio({ newServer, caller: { team: localTeam, baseUrl: '' }, signal, log })
  return 0
}
