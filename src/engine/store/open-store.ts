import type { Store, StoreOptions } from './store.ts'

/** Opens the configured store. Each kind is loaded on demand. */
export async function openStore(options: StoreOptions): Promise<Store> {
  if (options.databaseUrl === undefined) return (await import('./sqlite/open-store.ts')).openStore(options)
  return (await import('./postgres/open-store.ts')).openPostgresStore(options.databaseUrl, options)
}
