import type { Store } from '../../engine/store/store.ts'
import { type CommandContext, UsageError } from '../command.ts'

/** The store, for what would be gone with the command if it were kept in memory. */
export async function storeOnDisk({ app }: CommandContext, what: string): Promise<Store> {
  const store = await app.store()
  await store.ready()
  if (store.describe().kind === 'memory')
    throw new UsageError(`${what} need a data folder, but none is usable. "gossamer doctor" says why.`)
  return store
}
