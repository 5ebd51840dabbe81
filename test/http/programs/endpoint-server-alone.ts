// Opens the server of endpoints, connects to it in both ways, and then has no other work.
import { request } from 'node:http'
import { connect } from 'node:net'
import { openEndpointServer } from '../../../src/surfaces/http/endpoint-server.ts'
import { handshake, keys, toyEndpoints } from '../endpoint-toys.ts'
import { memoryLog } from '../toys.ts'

const find = toyEndpoints([])
const { url } = await openEndpointServer({ endpoint: async (key) => find(key), log: memoryLog() })
connect(Number(new URL(url).port), '127.0.0.1').unref()
request(`${url}/cdp/${keys.cdp}`, { headers: handshake })
  .on('upgrade', (_, socket) => {
    // Our own end must not keep the process alive.
    socket.unref()
    process.stdout.write('opened\n')
  })
  .end()
