import { type AppError, failure } from '../../../kernel/error.ts'
import {
  type BrowserKind,
  type Candidate,
  installedCandidates,
  kindOf,
  type Machine,
  pathCandidates,
  playwrightCandidates,
  playwrightFolder,
} from './places.ts'

/** A browser on this machine, and what its process needs in its environment. */
export type LocalBrowser = {
  path: string
  kind: BrowserKind
  from: 'setting' | 'playwright' | 'installed' | 'path' | 'npm'
  env: Readonly<Record<string, string>>
}
/** A browser that runs already, by its ws:// or http:// endpoint (which may hold a secret). */
export type RemoteBrowser = { url: string; from: 'remote' }
export type FoundBrowser = LocalBrowser | RemoteBrowser

export type BrowserSettings = { browserCdpUrl?: string | undefined; browserPath?: string | undefined }

export type BrowserProbes = {
  machine: Machine
  isProgram(path: string): Promise<boolean>
  isFile(path: string): Promise<boolean>
  /** Names in a folder; none when there is no such folder. */
  list(folder: string): Promise<readonly string[]>
  /** The browser inside an npm package, ready to run; undefined when it is not installed. Unpacks it at first use. */
  packaged(): Promise<{ path: string; env: Readonly<Record<string, string>> } | undefined>
}

type Source = { from: LocalBrowser['from']; find(kind: BrowserKind): Promise<LocalBrowser | undefined> }

/**
 * The browser to use: what the settings say, or else the first of the wanted kind, or else the first of the other kind.
 * A `full` browser is Chrome itself if there is one. Fails with BROWSER_UNAVAILABLE.
 */
export async function findBrowser(
  wanted: BrowserKind,
  { browserCdpUrl, browserPath }: BrowserSettings,
  probes: BrowserProbes,
): Promise<FoundBrowser> {
  if (browserCdpUrl) return { url: browserCdpUrl, from: 'remote' }
  if (browserPath) return ofSetting(browserPath, probes)
  const sources = sourcesOf(probes)
  const order = orders[wanted].map((from) => sources.find((source) => source.from === from))
  for (const kind of [wanted, wanted === 'shell' ? 'full' : 'shell'] as const)
    for (const source of order) {
      const found = await source?.find(kind)
      if (found) return found
    }
  throw nothingFound(probes.machine)
}

const orders: Record<BrowserKind, readonly LocalBrowser['from'][]> = {
  shell: ['playwright', 'installed', 'path', 'npm'],
  full: ['installed', 'playwright', 'path', 'npm'],
}

async function ofSetting(path: string, probes: BrowserProbes): Promise<LocalBrowser> {
  if (await probes.isProgram(path)) return { path, kind: kindOf(path), from: 'setting', env: {} }
  throw failure('BROWSER_UNAVAILABLE', {
    message: 'The browserPath setting names no program that can be run.',
    hint: 'Set browserPath (GOSSAMER_BROWSER_PATH) to the file of Chrome or Chromium, or leave it out to have one found.',
  })
}

function sourcesOf(probes: BrowserProbes): Source[] {
  const { machine, isProgram, isFile, list, packaged } = probes
  const firstOf = async (from: LocalBrowser['from'], candidates: readonly Candidate[], wanted: BrowserKind) => {
    for (const { path, kind } of candidates)
      if (kind === wanted && (await isProgram(path))) return { path, kind, from, env: {} }
    return undefined
  }
  return [
    {
      from: 'playwright',
      async find(kind) {
        const folder = playwrightFolder(machine)
        const candidates = playwrightCandidates(machine, folder, await list(folder))
        const whole = await Promise.all(candidates.map(({ mark }) => isFile(mark)))
        const complete = candidates.filter((_, at) => whole[at])
        return firstOf('playwright', complete, kind)
      },
    },
    { from: 'installed', find: (kind) => firstOf('installed', installedCandidates(machine), kind) },
    { from: 'path', find: (kind) => firstOf('path', pathCandidates(machine), kind) },
    {
      from: 'npm',
      async find(kind) {
        const found = kind === 'shell' ? await packaged() : undefined
        return found && { ...found, kind, from: 'npm' }
      },
    },
  ]
}

function nothingFound({ platform }: Machine): AppError {
  const isLinux = platform === 'linux'
  return failure('BROWSER_UNAVAILABLE', {
    message: `No browser was found: not in Playwright's folder, nor where Chrome, Edge, Chromium and Brave are installed, nor on the search path${isLinux ? ', nor in the npm package @sparticuz/chromium' : ''}.`,
  })
}
