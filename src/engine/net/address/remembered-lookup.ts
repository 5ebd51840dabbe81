import type { LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'

export type RememberOptions = {
  /** Milliseconds for which an answer counts; 10 s by default, since the system does not tell how long it may. */
  keptMs?: number
  /** Names that are remembered at the same time; the oldest make room. */
  most?: number
}

type Answer = Parameters<Parameters<LookupFunction>[2]>
type Known = { at: number; callers: Parameters<LookupFunction>[2][] | undefined; addresses: LookupAddress[] }

/**
 * Asks for a name once in a while, however many connections to it are opened: the system answers in one of four threads that all
 * lookups and files share. Callers who ask at the same time share an answer; failures are not remembered. Nothing is
 * judged here, so whoever connects still looks at each address.
 *
 * @param lookup has the shape of `dns.lookup`
 */
export function rememberedLookup(lookup: LookupFunction, options: RememberOptions = {}): LookupFunction {
  const { keptMs = 10_000, most = 1000 } = options
  const known = new Map<string, Known>()

  function ask(key: string, host: string, settings: Parameters<LookupFunction>[1], first: Known['callers']): void {
    const entry: Known = { at: performance.now(), callers: first, addresses: [] }
    known.delete(key)
    known.set(key, entry)
    forgetOldest(known, most)
    lookup(host, { ...settings, all: true }, (...[error, answer]: Answer) => {
      const { callers = [] } = entry
      entry.callers = undefined
      entry.addresses = Array.isArray(answer) ? answer : []
      if ((error || entry.addresses.length === 0) && known.get(key) === entry) known.delete(key)
      for (const caller of callers) caller(error, copyOf(entry.addresses))
    })
  }

  return (host, settings, callback) => {
    const { family, hints, order } = settings
    const key = JSON.stringify([host.toLowerCase(), family, hints, order])
    const found = known.get(key)
    if (found?.callers) return void found.callers.push(callback)
    if (!found || performance.now() - found.at >= keptMs) return ask(key, host, settings, [callback])
    // As `dns.lookup` does, it answers only after it has returned.
    process.nextTick(() => callback(null, copyOf(found.addresses)))
  }
}

const copyOf = (addresses: readonly LookupAddress[]) => addresses.map((address) => ({ ...address }))

/** A map keeps its entries in the order they came. One that is being asked for still answers its callers. */
function forgetOldest(known: Map<string, Known>, most: number): void {
  for (const key of known.keys()) {
    if (known.size <= most) return
    known.delete(key)
  }
}
