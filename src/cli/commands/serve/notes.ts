import type { App } from '../../../app/app.ts'
import { failure } from '../../../kernel/error.ts'

/** A server that cannot store anything still answers calls that need not be stored. Paths are not for everybody. */
export async function healthOf(app: App): Promise<object> {
  const { describe, storage } = await app.store()
  const { code, message, hint } = failure('STORAGE_FULL')
  if (await storage.isFull()) return { status: 'degraded', warning: `${code}: ${message} ${hint}` }
  if (describe().warning === undefined) return {}
  return { status: 'degraded', warning: 'The data folder is unusable, so everything is kept in memory.' }
}

/** Without its data folder a server does not know the keys in it, so it lets nobody in without one. */
export async function storeNote(app: App): Promise<string> {
  const store = await app.store()
  await store.ready()
  if (store.describe().warning === undefined) return ''
  return 'The data folder is unusable, so every call needs a key from GOSSAMER_API_KEYS. To run without a data folder, set GOSSAMER_DATA_DIR=memory.\n'
}

/** What will be done without anybody's call. A server that listens goes on where this cannot be read: the schedule logs why. */
export async function monitorNote(app: App): Promise<string> {
  const { monitors } = await app.store()
  const { active, nextAt } = await monitors.upcoming().catch(() => ({ active: 0, nextAt: null }))
  if (active === 0 || nextAt === null) return ''
  const count = active === 1 ? '1 monitor is' : `${active} monitors are`
  return `${count} active; the next check is due at ${new Date(nextAt).toISOString()}\n`
}

/** Rejects where calls cannot be served now, so that a balancer sends them to another server. */
export async function checkReady(app: App): Promise<void> {
  await (await app.store()).ready()
}
