import { createMcpServers } from '../../src/surfaces/mcp/server.ts'
import { serveStdio } from '../../src/surfaces/mcp/transport/stdio.ts'
import { browserOptions, toyBrowser } from './toy-browser.ts'
import { guest, silentLog } from './toy.ts'

await serveStdio({ newServer: createMcpServers(browserOptions(toyBrowser())), guest, log: silentLog })
process.exit(0)
