import { once } from 'node:events'
import { connect, type LookupFunction, type Socket, isIP } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { fail, failure } from '../../../kernel/error.ts'
import type { AddressRule } from '../address/address.ts'
import { addressRefused, guardedLookup } from '../http/connector.ts'
import type { UpstreamProxy } from './upstream-proxy.ts'

export type Target = { host: string; port: number }
export type SocketOptions = {
  rule: AddressRule
  /** Stands in for the system's name service (same shape as dns.lookup). */
  lookup?: LookupFunction | undefined
  /** Until the socket can be written to, ms. */
  timeoutMs: number
  proxy?: UpstreamProxy | undefined
}

/**
 * Opens a socket to a target that the rule allows, directly or through an upstream proxy, which then resolves the name.
 * Fails with SCRAPE_ADDRESS_REFUSED, SCRAPE_PROXY_SELECTION_ERROR or a network error.
 */
export async function openSocket(target: Target, options: SocketOptions): Promise<Socket> {
  const { rule, proxy, timeoutMs } = options
  if (rule.refusesHost(target.host, target.port)) throw addressRefused(target.host)
  const late = AbortSignal.timeout(timeoutMs)
  return proxy ? throughProxy(target, proxy, late) : direct(target, options, late)
}

async function direct({ host, port }: Target, { rule, lookup }: SocketOptions, late: AbortSignal): Promise<Socket> {
  const socket = connect({ host, port, lookup: guardedLookup(rule, port, lookup), autoSelectFamily: true })
  await waitFor(socket, 'connect', late)
  if (!rule.refusesIp(socket.remoteAddress ?? '', host, port)) return socket
  socket.destroy()
  throw addressRefused(host)
}

/** The proxy itself is the operator's choice, so the address rule does not apply to it. */
async function throughProxy(target: Target, proxy: UpstreamProxy, late: AbortSignal): Promise<Socket> {
  const { host, port, protocol } = proxy
  try {
    const plain = connect({ host, port, autoSelectFamily: true })
    await waitFor(plain, 'connect', late)
    const socket = protocol === 'https' ? connectTls({ socket: plain, servername: host }) : plain
    if (socket !== plain) await waitFor(socket, 'secureConnect', late)
    return await openTunnel(socket, target, proxy, late)
  } catch (cause) {
    throw failure('SCRAPE_PROXY_SELECTION_ERROR', { message: 'The proxy could not be used.', cause })
  }
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

/** Makes a connected proxy tunnel to a target: by CONNECT (RFC 9110, 9.3.6) or SOCKS 5 (RFC 1928, 1929). */
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

async function connectHandshake(
  socket: Socket,
  reader: Reader,
  target: Target,
  { username, password }: UpstreamProxy,
): Promise<void> {
  const authority = hostAndPort(target)
  const secret = Buffer.from(`${username ?? ''}:${password ?? ''}`).toString('base64')
  const auth = username === undefined ? '' : `proxy-authorization: Basic ${secret}\r\n`
  socket.write(`CONNECT ${authority} HTTP/1.1\r\nhost: ${authority}\r\n${auth}\r\n`)
  const head = (await reader.until('\r\n\r\n', 16_384)).toString('latin1')
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(head)?.[1] ?? 0)
  if (status < 200 || status > 299) throw new Error(`The proxy answered CONNECT with status ${status}`)
}

const socksErrors = [
  'failed',
  'forbids it',
  'cannot reach the network',
  'cannot reach the host',
  'was refused a connection',
  'gave up',
]

async function socksHandshake(socket: Socket, reader: Reader, target: Target, proxy: UpstreamProxy): Promise<void> {
  const { username, password = '' } = proxy
  socket.write(username === undefined ? Uint8Array.of(5, 1, 0) : Uint8Array.of(5, 2, 0, 2))
  const [, method] = await reader.take(2)
  if (method === 2 && username !== undefined) {
    socket.write(Buffer.concat([Uint8Array.of(1), lengthPrefixed(username), lengthPrefixed(password)]))
    const [, refused] = await reader.take(2)
    if (refused !== 0) throw new Error('The proxy does not accept the user name and password')
  } else if (method !== 0) throw new Error('The proxy offers no way to log in')
  socket.write(
    Buffer.concat([Uint8Array.of(5, 1, 0), socksAddress(target), Uint8Array.of(target.port >> 8, target.port & 255)]),
  )
  const [, error = 1, , type] = await reader.take(4)
  if (error !== 0) throw new Error(`The proxy ${socksErrors[error - 1] ?? 'failed'}`)
  const length = type === 1 ? 4 : type === 4 ? 16 : ((await reader.take(1))[0] ?? 0)
  await reader.take(length + 2)
}

/** Host names are sent as such, so that the proxy resolves them. */
function socksAddress({ host }: Target): Uint8Array {
  if (isIP(host) === 4) return Uint8Array.of(1, ...host.split('.').map(Number))
  return Buffer.concat([Uint8Array.of(3), lengthPrefixed(host)])
}

function lengthPrefixed(text: string): Uint8Array {
  const bytes = Buffer.from(text)
  if (bytes.length > 255) throw new Error('A name for the proxy is longer than 255 bytes')
  return Buffer.concat([Uint8Array.of(bytes.length), bytes])
}

type Reader = {
  take(length: number): Promise<Buffer>
  until(mark: string, maxBytes: number): Promise<Buffer>
}

/** Reads exactly the requested bytes; the rest is put back into the socket. */
function createReader(socket: Socket, signal: AbortSignal): Reader {
  async function readable(): Promise<Buffer> {
    for (;;) {
      signal.throwIfAborted()
      const bytes = socket.read() as Buffer | null
      if (bytes) return bytes
      if (socket.readableEnded || socket.destroyed) throw new Error('The proxy closed the connection')
      await changed(socket, signal)
    }
  }
  async function read(enough: (held: Buffer) => number | undefined): Promise<Buffer> {
    let held = Buffer.alloc(0)
    for (;;) {
      held = Buffer.concat([held, await readable()])
      const end = enough(held)
      if (end === undefined) continue
      if (end < held.length) socket.unshift(held.subarray(end))
      return held.subarray(0, end)
    }
  }
  return {
    take: (length) =>
      length === 0 ? Promise.resolve(Buffer.alloc(0)) : read((held) => (held.length >= length ? length : undefined)),
    until: (mark, maxBytes) =>
      read((held) => {
        const at = held.indexOf(mark)
        if (at < 0 && held.length > maxBytes) throw new Error('The answer of the proxy is too long')
        return at < 0 ? undefined : at + mark.length
      }),
  }
}

async function changed(socket: Socket, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const go = () => resolve()
  const leave = () => reject(signal.reason as Error)
  socket.once('readable', go).once('end', go).once('close', go).once('error', reject)
  signal.addEventListener('abort', leave, { once: true })
  try {
    await promise
  } finally {
    socket.off('readable', go).off('end', go).off('close', go).off('error', reject)
    signal.removeEventListener('abort', leave)
  }
}
