import dns, { type LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { buildConnector } from 'undici'
import { type AppError, failure } from '../../../kernel/error.ts'
import type { AddressRule } from '../address/address.ts'
import { bareHost, portOf } from '../address/host.ts'
import { rememberedLookup } from '../address/remembered-lookup.ts'

export type ConnectorOptions = {
  rule: AddressRule
  /** Stands in for the system's name service (same shape as dns.lookup). */
  lookup?: LookupFunction | undefined
  connectTimeoutMs: number
  certificates: 'verify' | 'trust'
}

/**
 * Opens sockets to allowed places only, failing with SCRAPE_ADDRESS_REFUSED. undici calls `lookup` for names only, so
 * literals are judged before and the peer after; together this holds against rebinding and mixed DNS answers.
 */
export function guardedConnector(options: ConnectorOptions): buildConnector.connector {
  const { rule } = options
  // Allow entries may name a port, which lookup never learns: hence one connector a port, not one a call, to keep TLS sessions.
  const openers = new Map<number, buildConnector.connector>()
  const openerFor = (port: number) => {
    const opener = openers.get(port) ?? openerOf(options, port)
    openers.set(port, opener)
    return opener
  }

  return (target, callback) => {
    const host = bareHost(target.hostname)
    const port = portOf(target)
    if (rule.refusesHost(host, port)) return callback(addressRefused(host), null)
    openerFor(port)({ ...target, hostname: host }, (...result) => {
      const [error, socket] = result
      if (error) return callback(error, null)
      if (!rule.refusesIp(socket.remoteAddress ?? '', host, port)) return callback(null, socket)
      socket.destroy()
      callback(addressRefused(host), null)
    })
  }
}

/** All connections of the program ask for a name together. */
const systemLookup = rememberedLookup((...asked) => dns.lookup(...asked))

/** A lookup that answers only the addresses the rule lets through, and fails if there are none. */
export function guardedLookup(rule: AddressRule, port: number, lookup: LookupFunction = systemLookup): LookupFunction {
  return (host, options, callback) => {
    lookup(host, { ...options, all: true }, (error, answer) => {
      if (error) return callback(error, [])
      const open = asList(answer).filter(({ address }) => !rule.refusesIp(address, host, port))
      const [first] = open
      if (!first) return callback(addressRefused(host), [])
      if (options.all) return callback(null, open)
      callback(null, first.address, first.family)
    })
  }
}

export function addressRefused(host: string): AppError {
  return failure('SCRAPE_ADDRESS_REFUSED', { details: { host } })
}

function openerOf({ rule, lookup, connectTimeoutMs, certificates }: ConnectorOptions, port: number) {
  return buildConnector({
    lookup: guardedLookup(rule, port, lookup),
    timeout: connectTimeoutMs,
    allowH2: false,
    rejectUnauthorized: certificates === 'verify',
  })
}

function asList(answer: string | LookupAddress[]): LookupAddress[] {
  return typeof answer === 'string' ? [{ address: answer, family: answer.includes(':') ? 6 : 4 }] : answer
}
