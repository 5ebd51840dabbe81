import type { OriginState, ProfileState } from './state-schema.ts'

export type OriginOutline = {
  origin: string
  localStorage: number
  databases: number
  records: number
  files: number
  /** Characters of its JSON. */
  size: number
}
export type ProfileOutline = {
  /** How many cookies a domain has. */
  cookies: { domain: string; count: number }[]
  origins: OriginOutline[]
}

/** What a profile holds, counted. */
export function outlineOf({ cookies, origins }: ProfileState): ProfileOutline {
  const domains = Map.groupBy(cookies, ({ domain }) => domain)
  return {
    cookies: Array.from(domains, ([domain, all]) => ({ domain, count: all.length })),
    origins: origins.map(outlineOfOrigin),
  }
}

function outlineOfOrigin(state: OriginState): OriginOutline {
  const { origin, localStorage, indexedDB = [], opfs = [] } = state
  const records = indexedDB.flatMap(({ stores }) => stores).reduce((sum, store) => sum + store.records.length, 0)
  return {
    origin,
    localStorage: localStorage.length,
    databases: indexedDB.length,
    records,
    files: opfs.filter(({ type }) => type === 'file').length,
    size: JSON.stringify(state).length,
  }
}
