import { createMcpServers } from '../../src/surfaces/mcp/server.ts'
import { serveStdio } from '../../src/surfaces/mcp/transport/serve-stdio.ts'
import { caller, silentLog, toyOptions } from './toy.ts'

// A handle that keeps the process alive, so that it ends only because serving has ended.
setInterval(() => {}, 60_000)
const options = toyOptions((event) => process.stderr.write(`toy_wait ${event}\n`))
await serveStdio({ newServer: createMcpServers(options), caller, log: silentLog })
process.exit(0)
