import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, onTestFinished } from 'vitest'
import { type Server, startServer, tempDir } from './program.ts'
import { type Site, type SiteOptions, startSite } from './site.ts'

/** Creates a folder for all tests of the file or group. */
export function folderForAll(): { path: string } {
  const { path, remove } = tempDir()
  afterAll(remove)
  return { path }
}

/** Creates a folder for each test of the file or group. */
export const folderForEach = (): { readonly path: string } => forEach(tempDir, ({ remove }) => remove())

/** Leaves a shared resource open for other files; it ends with the process. */
export const leftOpen = (): void => {}

/**
 * Opens a resource before the first test of the file or group, after the resources requested earlier, and closes it
 * after the last test. Its members are readable once it is open.
 */
export const forAll = <T extends object>(open: Open<T>, close: Close<T> = closed): T =>
  whileOpen(open, close, beforeAll, afterAll)

/** Opens a resource before each test of the file or group, and closes it after the test. */
export const forEach = <T extends object>(open: Open<T>, close: Close<T> = closed): T =>
  whileOpen(open, close, beforeEach, afterEach)

type Open<T> = () => T | Promise<T>
type Close<T> = (opened: T) => unknown
type Hook = (work: () => unknown) => void

function whileOpen<T extends object>(open: Open<T>, close: Close<T>, before: Hook, after: Hook): T {
  let opened: T | undefined
  before(async () => void (opened = await open()))
  after(() => opened && close(opened))
  const started = () => opened ?? expectStarted()
  return new Proxy({} as T, {
    get(_, name) {
      const value: unknown = Reflect.get(started(), name)
      // Private members of a class are accessible only if `this` is the object itself.
      return typeof value === 'function' && !Object.hasOwn(started(), name) ? value.bind(started()) : value
    },
    set: (_, name, value) => Reflect.set(started(), name, value),
    ownKeys: () => Reflect.ownKeys(started()),
    getOwnPropertyDescriptor(_, name) {
      const described = Reflect.getOwnPropertyDescriptor(started(), name)
      return described && { ...described, configurable: true }
    },
  })
}

/** Returns the opened resource, and closes it after the test. */
export function forTest<T extends object>(opened: T, close: Close<T> = closed): T {
  onTestFinished(async () => void (await close(opened)))
  return opened
}

/** Starts a site for all tests of the file or group. */
export const siteForAll = (options?: SiteOptions): Site => forAll(() => startSite(options))

/**
 * Starts a server for all tests of the file or group, by default on its own data folder, with sites on loopback.
 * `env` is called after resources requested earlier have started; its result is returned for other programs.
 */
export function serverForAll(env: () => Record<string, string> = () => ({})): Server & { env: Record<string, string> } {
  const folder = folderForAll()
  return forAll(async () => {
    const usual = { GOSSAMER_DATA_DIR: join(folder.path, 'data'), GOSSAMER_ALLOW_HOSTS: '127.0.0.1' }
    const settings: Record<string, string> = { ...usual, ...env() }
    return { ...(await startServer(settings)), env: settings }
  })
}

function closed(opened: { close?(): unknown; stop?(): unknown }): unknown {
  return opened.close ? opened.close() : opened.stop?.()
}

function expectStarted(): never {
  throw new Error('A resource of forAll or forEach can be used only in tests and hooks.')
}
