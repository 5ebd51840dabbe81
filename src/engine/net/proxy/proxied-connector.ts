import { once } from 'node:events'
import type { Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { buildConnector } from 'undici'
import { bareHost, portOf } from '../address/host.ts'
import { addressRefused, type ConnectorOptions } from '../http/connector.ts'
import { dial } from './dial.ts'
import type { ProxyAddress } from './proxy-address.ts'

/** Opens sockets through a proxy. The rule is asked about the name; the proxy, which is the operator's, resolves it. */
export function proxiedConnector(options: ConnectorOptions, proxy: ProxyAddress): buildConnector.connector {
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
  proxy: ProxyAddress,
): Promise<Socket> {
  const host = bareHost(target.hostname)
  const port = portOf(target)
  if (rule.refusesHost(host, port)) throw addressRefused(host)
  const socket = await dial({ host, port }, { rule, proxy, timeoutMs: connectTimeoutMs })
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
