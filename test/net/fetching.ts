import type { LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import type { PageRequest, PageResponse } from '../../src/contracts/fetch.ts'
import { createFetcher, type FetcherOptions } from '../../src/engine/net/http/client.ts'
import { forTest } from '../helpers/for-all.ts'
import { ruleForAll } from './rule-for-all.ts'

export type Fetching = Partial<Omit<FetcherOptions, 'ruleOf'>> & { allowHosts?: readonly string[] }
export type Get = (url: string, request?: Partial<PageRequest>) => Promise<PageResponse>

/** Creates a client that is closed after the test. By default it may connect only to 127.0.0.1. */
export function client({ allowHosts = ['127.0.0.1'], ...options }: Fetching = {}): Get {
  const fetcher = forTest(
    createFetcher({ ruleOf: ruleForAll(allowHosts), userAgent: 'gossamer-test/1', lookup: noNames, ...options }),
  )
  return (url, request) =>
    fetcher.fetchPage({
      url,
      teamId: 'team',
      headers: {},
      skipTlsVerification: false,
      maxBytes: 1_000_000,
      signal: new AbortController().signal,
      ...request,
    })
}

/** Creates a lookup of these names. Each lookup of a name returns its next list of addresses; the last is repeated. */
export function names(table: Readonly<Record<string, readonly (readonly string[])[]>>): LookupFunction {
  const lookups = new Map<string, number>()
  return (host, _options, callback) => {
    const answers = table[host]
    if (!answers) return noNames(host, _options, callback)
    const turn = lookups.get(host) ?? 0
    lookups.set(host, turn + 1)
    const addresses = answers[Math.min(turn, answers.length - 1)] ?? []
    callback(
      null,
      addresses.map((address): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 })),
    )
  }
}

const noNames: LookupFunction = (host, _options, callback) => {
  callback(Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: 'ENOTFOUND' }), [])
}

export function textOf({ body }: PageResponse): string {
  return Buffer.from(body).toString('utf8')
}
