import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { tempDir } from './program.ts'
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

function expectStarted(): never {
  throw new Error('the site starts with the first test')
}
