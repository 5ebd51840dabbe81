import { createMcpServers } from '../../src/surfaces/mcp/server.ts'
import { serveStdio } from '../../src/surfaces/mcp/transport/serve-stdio.ts'
import { browserOptions, toyBrowser } from './toy-browser.ts'
import { caller, silentLog } from './toy.ts'

await serveStdio({ newServer: createMcpServers(browserOptions(toyBrowser())), caller, log: silentLog })
process.exit(0)
