import { createMcpServers } from '../../src/surfaces/mcp/server.ts'
import { serveStdio } from '../../src/surfaces/mcp/transport/serve-stdio.ts'
import { toyLogin } from './toy-login.ts'
import { caller, silentLog } from './toy.ts'

const { options, runs } = toyLogin()
await serveStdio({ newServer: createMcpServers(options), caller, log: silentLog })
// The outcome of calls is printed after they had time to receive the end.
setTimeout(() => {
  process.stderr.write(`runs ${runs.join(' ')}\n`)
  process.exit(0)
}, 50)
