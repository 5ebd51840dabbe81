import { once } from 'node:events'
import type { Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { buildConnector } from 'undici'
import { bareHost, portOf } from '../address/host.ts'
import { addressRefused, type ConnectorOptions } from '../http/connector.ts'
import { openSocket } from './open-socket.ts'
import type { UpstreamProxy } from './upstream-proxy.ts'

/** Opens sockets through a proxy. The rule is asked about the name; the proxy, which is the operator's, resolves it. */
export function proxiedConnector(options: ConnectorOptions, proxy: UpstreamProxy): buildConnector.connector {
  return (target, callback) => void connectFor(open(target, options, proxy), callback)
}

async function connectFor(opening: Promise<Socket>, callback: buildConnector.Callback): Promise<void> {
  try {
    callback(null, await opening)
  } catch (error) {
    callback(error as Error, null)
  }
}

async function open(
  target: buildConnector.Options,
  { rule, connectTimeoutMs, certificates }: ConnectorOptions,
  proxy: UpstreamProxy,
): Promise<Socket> {
  const host = bareHost(target.hostname)
  const port = portOf(target)
  if (rule.refusesHost(host, port)) throw addressRefused(host)
  const socket = await openSocket({ host, port }, { rule, proxy, timeoutMs: connectTimeoutMs })
  if (target.protocol !== 'https:') return socket
  const secure = connectTls({
    socket,
    ...(target.servername && { servername: target.servername }),
    rejectUnauthorized: certificates === 'verify',
    ALPNProtocols: ['http/1.1'],
  })
  try {
    await once(secure, 'secureConnect', { signal: AbortSignal.timeout(connectTimeoutMs) })
    return secure
  } catch (error) {
    secure.destroy()
    throw error
  }
}
