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
} from './browser-candidates.ts'

/** A browser on this machine, with the environment variables that its process needs. */
export type LocalBrowser = {
  path: string
  kind: BrowserKind
  from: 'setting' | 'playwright' | 'installed' | 'path' | 'npm'
  env: Readonly<Record<string, string>>
}
/** A running browser by its ws:// or http:// endpoint (which may contain a secret). */
export type RemoteBrowser = { url: string; from: 'remote' }
export type FoundBrowser = LocalBrowser | RemoteBrowser

export type BrowserSettings = { browserCdpUrl?: string | undefined; browserPath?: string | undefined }

export type BrowserProbes = {
  machine: Machine
  isProgram(path: string): Promise<boolean>
  isFile(path: string): Promise<boolean>
  /** Lists the file names in a folder; empty if the folder does not exist. */
  list(folder: string): Promise<readonly string[]>
  /** Returns the browser of an npm package, which is unpacked on first use; undefined if it is not installed. */
  packaged(): Promise<{ path: string; env: Readonly<Record<string, string>> } | undefined>
}

/** Returns the configured browser, the first of the preferred kind or of the other. Fails with BROWSER_UNAVAILABLE. */
export async function findBrowser(
  preferred: BrowserKind,
  { browserCdpUrl, browserPath }: BrowserSettings,
  probes: BrowserProbes,
): Promise<FoundBrowser> {
  if (browserCdpUrl) return { url: browserCdpUrl, from: 'remote' }
  if (browserPath) return configuredBrowser(browserPath, probes)
  const sources = sourcesOf(probes)
  for (const kind of [preferred, preferred === 'shell' ? 'full' : 'shell'] as const)
    for (const from of sourceOrder[preferred]) {
      const found = await sources[from](kind)
      if (found) return found
    }
  throw browserNotFound(probes.machine)
}

type Source = Exclude<LocalBrowser['from'], 'setting'>

const sourceOrder: Record<BrowserKind, readonly Source[]> = {
  shell: ['playwright', 'installed', 'path', 'npm'],
  full: ['installed', 'playwright', 'path', 'npm'],
}

async function configuredBrowser(path: string, probes: BrowserProbes): Promise<LocalBrowser> {
  if (await probes.isProgram(path)) return { path, kind: kindOf(path), from: 'setting', env: {} }
  throw failure('BROWSER_UNAVAILABLE', {
    message: 'GOSSAMER_BROWSER_PATH does not name an executable program.',
    hint: 'Set GOSSAMER_BROWSER_PATH to the path of Chrome or Chromium, or unset it to find one automatically.',
  })
}

function sourcesOf(probes: BrowserProbes): Record<Source, (kind: BrowserKind) => Promise<LocalBrowser | undefined>> {
  const { machine, isProgram, isFile, list, packaged } = probes
  const firstOf = async (from: Source, candidates: readonly Candidate[], preferred: BrowserKind) => {
    for (const { path, kind } of candidates)
      if (kind === preferred && (await isProgram(path))) return { path, kind, from, env: {} }
    return undefined
  }
  return {
    async playwright(kind) {
      const folder = playwrightFolder(machine)
      const candidates = playwrightCandidates(machine, folder, await list(folder))
      const isComplete = await Promise.all(candidates.map(({ completionMarker }) => isFile(completionMarker)))
      const complete = candidates.filter((_, at) => isComplete[at])
      return firstOf('playwright', complete, kind)
    },
    installed: (kind) => firstOf('installed', installedCandidates(machine), kind),
    path: (kind) => firstOf('path', pathCandidates(machine), kind),
    async npm(kind) {
      const found = kind === 'shell' ? await packaged() : undefined
      return found && { ...found, kind, from: 'npm' }
    },
  }
}

function browserNotFound({ platform }: Machine): AppError {
  const isLinux = platform === 'linux'
  return failure('BROWSER_UNAVAILABLE', {
    message: `No browser was found: not in Playwright's folder, nor where Chrome, Edge, Chromium and Brave are installed, nor on the search path${isLinux ? ', nor in the npm package @sparticuz/chromium' : ''}.`,
  })
}

export const hasDisplay = ({ platform, env }: Pick<Machine, 'platform' | 'env'>): boolean =>
  platform !== 'linux' || Boolean(env['DISPLAY']) || Boolean(env['WAYLAND_DISPLAY'])

/** A remote browser shows its windows elsewhere, and a headless shell has none. */
export const hasWindows = (found: FoundBrowser): found is LocalBrowser =>
  found.from !== 'remote' && found.kind === 'full'
