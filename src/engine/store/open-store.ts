import type { Store, StoreOptions } from './store.ts'

/** The store that the options name. Each kind is loaded when it is the one. */
export async function openStore(options: StoreOptions): Promise<Store> {
  if (options.databaseUrl === undefined) return (await import('./sqlite/open-store.ts')).openStore(options)
  return (await import('./postgres/open-store.ts')).openPostgresStore(options.databaseUrl, options)
}
