import { once } from 'node:events'
import { connect, type LookupFunction, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { buildConnector } from 'undici'
import { AppError, fail, failure } from '../../../kernel/error.ts'
import type { AddressRule } from '../address-rule.ts'
import { bareHost, portOf } from '../http/canonical-url.ts'
import { addressRefused, type ConnectorOptions, guardedLookup } from '../http/connector.ts'
import { createReader, type Reader, socksHandshake, type Target } from './socks.ts'
import { proxyAuthorization, relayOf, type UpstreamProxy } from './upstream-proxy.ts'

type SocketOptions = {
  rule: AddressRule
  /** Replaces the system's DNS lookup (same signature as dns.lookup). */
  lookup?: LookupFunction | undefined
  /** Time limit in ms until the socket is writable. */
  timeoutMs: number
  signal?: AbortSignal | undefined
  proxy?: UpstreamProxy | undefined
  /** `relay`: connects to the proxy itself, which forwards requests with absolute URLs; see `relayOf`. */
  wants?: 'tunnel' | 'relay'
}

/**
 * Opens a socket to an allowed target, directly or through an upstream proxy, which then resolves the name. Fails with
 * SCRAPE_ADDRESS_REFUSED, SCRAPE_PROXY_SELECTION_ERROR or a network error.
 */
export async function openSocket(target: Target, options: SocketOptions): Promise<Socket> {
  const { rule, proxy, timeoutMs, signal } = options
  if (rule.refusesHost(target.host, target.port)) throw addressRefused(target.host)
  const late = untilLate({ timeoutMs, signal })
  if (!proxy) return direct(target, options, late)
  return throughProxy(options.wants === 'relay' ? undefined : target, proxy, late)
}

const untilLate = ({ timeoutMs, signal }: Pick<SocketOptions, 'timeoutMs' | 'signal'>) =>
  AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])])

async function direct({ host, port }: Target, { rule, lookup }: SocketOptions, late: AbortSignal): Promise<Socket> {
  const socket = connect({ host, port, lookup: guardedLookup(rule, port, lookup), autoSelectFamily: true })
  await waitFor(socket, 'connect', late)
  if (!rule.refusesIp(socket.remoteAddress ?? '', host, port)) return socket
  socket.destroy()
  throw addressRefused(host)
}

/** Connects to a proxy, and through it to the target. The address rule does not apply to the operator's proxy. */
async function throughProxy(target: Target | undefined, proxy: UpstreamProxy, late: AbortSignal): Promise<Socket> {
  const { host, port, protocol } = proxy
  try {
    const plain = connect({ host, port, autoSelectFamily: true })
    await waitFor(plain, 'connect', late)
    const socket = protocol === 'https' ? connectTls({ socket: plain, servername: host }) : plain
    if (socket !== plain) await waitFor(socket, 'secureConnect', late)
    return target ? await openTunnel(socket, target, proxy, late) : socket
  } catch (cause) {
    throw proxyError(cause)
  }
}

class LoginRefused extends Error {
  override readonly name = 'LoginRefused'
}

const proxyError = (cause: unknown): AppError =>
  failure('SCRAPE_PROXY_SELECTION_ERROR', {
    message:
      cause instanceof LoginRefused
        ? 'The proxy did not accept the user name and password.'
        : 'The proxy could not be used.',
    cause,
  })

const targetOf = (url: Pick<URL, 'hostname' | 'protocol' | 'port'>): Target => ({
  host: bareHost(url.hostname),
  port: portOf(url),
})

/**
 * Returns the error of a proxy that rejected its login instead of forwarding a request; undefined if the site answered.
 * Status 401 may come from the proxy or the site, so a CONNECT request, which only a proxy answers, is sent in
 * addition.
 */
export async function loginRefusal(
  status: number | undefined,
  url: URL,
  options: SocketOptions,
): Promise<AppError | undefined> {
  const relay = relayOf(options.proxy, url.protocol)
  if (relay && status === 407) return proxyError(new LoginRefused())
  if (relay?.username === undefined || status !== 401) return undefined
  try {
    const tunnel = await openSocket(targetOf(url), options)
    tunnel.destroy()
  } catch (error) {
    if (error instanceof AppError && error.cause instanceof LoginRefused) return error
  }
  return undefined
}

async function waitFor(socket: Socket, event: 'connect' | 'secureConnect', late: AbortSignal): Promise<void> {
  try {
    await once(socket, event, { signal: late })
  } catch (error) {
    socket.destroy()
    if (late.aborted) fail('SCRAPE_ALL_ENGINES_FAILED', { message: 'The site did not answer in time.', cause: error })
    throw error
  }
}

/** Opens a tunnel through a connected proxy: by CONNECT (RFC 9110, 9.3.6) or SOCKS 5 (RFC 1928, 1929). */
async function openTunnel(socket: Socket, target: Target, proxy: UpstreamProxy, signal: AbortSignal): Promise<Socket> {
  const reader = createReader(socket, signal)
  try {
    await (proxy.protocol === 'socks5'
      ? socksHandshake(socket, reader, target, proxy)
      : connectHandshake(socket, reader, target, proxy))
    return socket
  } catch (error) {
    socket.destroy()
    throw error
  }
}

const hostAndPort = ({ host, port }: Target) => `${host.includes(':') ? `[${host}]` : host}:${port}`

async function connectHandshake(socket: Socket, reader: Reader, target: Target, proxy: UpstreamProxy): Promise<void> {
  const authority = hostAndPort(target)
  const auth = Object.entries(proxyAuthorization(proxy)).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`CONNECT ${authority} HTTP/1.1\r\nhost: ${authority}\r\n${auth.join('')}\r\n`)
  const head = (await reader.until('\r\n\r\n', 16_384)).toString('latin1')
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(head)?.[1] ?? 0)
  if (status === 401 || status === 407) throw new LoginRefused()
  if (status < 200 || status > 299) throw new Error(`The proxy answered CONNECT with status ${status}`)
}

type SecureOptions = Pick<SocketOptions, 'timeoutMs' | 'signal'> & {
  servername?: string | undefined
  certificates: 'verify' | 'trust'
}

/** Starts TLS on an open socket, for HTTP/1.1. */
export async function secured(socket: Socket, options: SecureOptions): Promise<Socket> {
  const { servername, certificates } = options
  const secure = connectTls({
    socket,
    ...(servername && { servername }),
    rejectUnauthorized: certificates === 'verify',
    ALPNProtocols: ['http/1.1'],
  })
  const late = untilLate(options)
  try {
    await once(secure, 'secureConnect', { signal: late })
    return secure
  } catch (error) {
    secure.destroy()
    throw late.aborted
      ? Object.assign(new Error('The TLS handshake timed out'), { code: 'UND_ERR_CONNECT_TIMEOUT' })
      : error
  }
}

/**
 * Creates an undici connector through a proxy. The address rule checks only the name, because the proxy resolves it.
 */
export function proxiedConnector(options: ConnectorOptions, proxy: UpstreamProxy): buildConnector.connector {
  const { rule, connectTimeoutMs: timeoutMs, certificates } = options
  async function open({ hostname, protocol, port, servername }: buildConnector.Options): Promise<Socket> {
    const wants = relayOf(proxy, protocol) ? 'relay' : 'tunnel'
    const socket = await openSocket(targetOf({ hostname, protocol, port }), { rule, proxy, timeoutMs, wants })
    return protocol === 'https:' ? secured(socket, { servername, certificates, timeoutMs }) : socket
  }
  return (target, callback) => void connectFor(open(target), callback)
}

async function connectFor(opening: Promise<Socket>, callback: buildConnector.Callback): Promise<void> {
  try {
    callback(null, await opening)
  } catch (error) {
    callback(error as Error, null)
  }
}
