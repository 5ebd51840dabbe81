import { once } from 'node:events'
import { connect, type LookupFunction, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { fail, failure } from '../../../kernel/error.ts'
import type { AddressRule } from '../address/address.ts'
import { addressRefused, guardedLookup } from '../http/connector.ts'
import type { ProxyAddress } from './proxy-address.ts'
import { openTunnel } from './tunnel.ts'

export type Place = { host: string; port: number }
export type DialOptions = {
  rule: AddressRule
  /** Stands in for the system's name service (same shape as dns.lookup). */
  lookup?: LookupFunction | undefined
  /** Until the socket can be written to, ms. */
  timeoutMs: number
  proxy?: ProxyAddress | undefined
}

/**
 * Opens a socket to a place the rule allows, itself or through a proxy, which then resolves the name. Fails with
 * SCRAPE_ADDRESS_REFUSED, SCRAPE_PROXY_SELECTION_ERROR, or the error of the network.
 */
export async function dial(place: Place, options: DialOptions): Promise<Socket> {
  const { rule, proxy, timeoutMs } = options
  if (rule.refusesHost(place.host, place.port)) throw addressRefused(place.host)
  const late = AbortSignal.timeout(timeoutMs)
  return proxy ? throughProxy(place, proxy, late) : direct(place, options, late)
}

async function direct({ host, port }: Place, { rule, lookup }: DialOptions, late: AbortSignal): Promise<Socket> {
  const socket = connect({ host, port, lookup: guardedLookup(rule, port, lookup), autoSelectFamily: true })
  await opened(socket, 'connect', late)
  if (!rule.refusesIp(socket.remoteAddress ?? '', host, port)) return socket
  socket.destroy()
  throw addressRefused(host)
}

/** The proxy is the operator's own, wherever it stands, so the rule is not asked about it. */
async function throughProxy(place: Place, proxy: ProxyAddress, late: AbortSignal): Promise<Socket> {
  const { host, port, protocol } = proxy
  try {
    const plain = connect({ host, port, autoSelectFamily: true })
    await opened(plain, 'connect', late)
    const socket = protocol === 'https' ? connectTls({ socket: plain, servername: host }) : plain
    if (socket !== plain) await opened(socket, 'secureConnect', late)
    return await openTunnel(socket, place, proxy, late)
  } catch (cause) {
    throw failure('SCRAPE_PROXY_SELECTION_ERROR', { message: 'The proxy could not be used.', cause })
  }
}

async function opened(socket: Socket, event: 'connect' | 'secureConnect', late: AbortSignal): Promise<void> {
  try {
    await once(socket, event, { signal: late })
  } catch (error) {
    socket.destroy()
    if (late.aborted) fail('SCRAPE_ALL_ENGINES_FAILED', { message: 'The site did not answer in time.', cause: error })
    throw error
  }
}
