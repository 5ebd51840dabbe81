import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { type Server, startServer, tempDir } from './program.ts'
import { type Site, type SiteOptions, startSite } from './site.ts'

/** A folder for all tests of the file, or of the group, that asks for it. */
export function folderForAll(): { path: string } {
  const { path, remove } = tempDir()
  afterAll(remove)
  return { path }
}

/** A new folder for each test of the file, or of the group, that asks for it. */
export function folderForEach(): { readonly path: string } {
  let folder: ReturnType<typeof tempDir>
  beforeEach(() => {
    folder = tempDir()
  })
  afterEach(() => folder.remove())
  return {
    get path() {
      return folder.path
    },
  }
}

/** A site for all tests of the file, or of the group, that asks for it. */
export function siteForAll(options?: SiteOptions): Site {
  let site: Site | undefined
  const started = () => site ?? expectStarted()
  beforeAll(async () => {
    site = await startSite(options)
  })
  afterAll(() => site?.close())
  return {
    get origin() {
      return started().origin
    },
    get port() {
      return started().port
    },
    get requests() {
      return started().requests
    },
    url: (path) => started().url(path),
    close: () => started().close(),
  }
}

/**
 * A server for all tests of the file, or of the group, that asks for it: by default on a data folder of its own, with sites on
 * loopback. `env` is asked when sites that were asked for before have started.
 */
export function serverForAll(env: () => Record<string, string> = () => ({})): Server & { env: Record<string, string> } {
  const folder = folderForAll()
  const settings: Record<string, string> = {}
  let server: Server | undefined
  const started = () => server ?? expectStarted()
  beforeAll(async () => {
    const usual = { GOSSAMER_DATA_DIR: join(folder.path, 'data'), GOSSAMER_ALLOW_HOSTS: '127.0.0.1' }
    server = await startServer(Object.assign(settings, usual, env()))
  })
  afterAll(() => server?.stop())
  return {
    /** Settings of the server, for other programs on its data. */
    env: settings,
    get url() {
      return started().url
    },
    get program() {
      return started().program
    },
    stop: () => started().stop(),
  }
}

function expectStarted(): never {
  throw new Error('sites and servers start with the first test')
}
