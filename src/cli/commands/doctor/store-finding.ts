import type { App } from '../../../app/app.ts'
import type { Config } from '../../../app/config.ts'
import { type Finding, findingsOn } from '../../../contracts/ports.ts'
import { databasePlace } from '../../../engine/store/data-places.ts'
import { OtherSchema } from '../../../engine/store/tables.ts'
import { AppError } from '../../../kernel/error.ts'

/** Checks that the data folder is intact and usable, or that the database answers. */
export const storeFinding = (app: App, { databaseUrl }: Config): Promise<Finding> =>
  databaseUrl === undefined ? dataFolder(app) : database(app, databasePlace(databaseUrl))

const folderAdvice = 'Set GOSSAMER_DATA_DIR to a writable folder.'

async function dataFolder(app: App): Promise<Finding> {
  const { ok, fault } = findingsOn('Data folder')
  try {
    const store = await app.store()
    await store.ready()
    const { kind, path, warning } = store.describe()
    if (warning !== undefined) return fault(warning, folderAdvice)
    if (await store.storage.isFull()) return fault(`the disk of ${path} is full`, 'Free some space there.')
    await store.verify?.()
    return ok(kind === 'file' ? `${path} is readable and writable` : 'kept in memory only, as set')
  } catch (thrown) {
    if (thrown instanceof AppError) return fault(thrown.message, thrown.hint ?? folderAdvice)
    return fault(String(thrown), folderAdvice)
  }
}

async function database(app: App, place: string): Promise<Finding> {
  const { ok, fault } = findingsOn('Database')
  try {
    const store = await app.store()
    await store.ready()
    const startedAt = performance.now()
    await store.ready()
    return ok(`${place} answers in ${Math.ceil(performance.now() - startedAt)} ms`)
  } catch (thrown) {
    return fault(`${place}: ${reasonOf(thrown)}`, adviceOn(thrown))
  }
}

function adviceOn(thrown: unknown): string {
  const isOther = thrown instanceof AppError && thrown.cause instanceof OtherSchema
  return (
    (isOther ? thrown.hint : undefined) ??
    'Check GOSSAMER_DATABASE_URL, and that the server runs and accepts connections of this machine.'
  )
}

/** Returns the message of the cause, if there is one: it is more precise than the message for callers. */
export function reasonOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown)
  return thrown.cause instanceof Error ? thrown.cause.message : thrown.message
}
