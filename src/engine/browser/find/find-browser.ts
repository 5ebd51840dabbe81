import { type AppError, failure } from '../../../kernel/error.ts'
import { posix, win32 } from 'node:path'

/** A browser on this machine, with the environment variables that its process needs. */
export type LocalBrowser = {
  path: string
  kind: BrowserKind
  from: 'setting' | 'playwright' | 'installed' | 'path' | 'npm'
  env: Readonly<Record<string, string>>
}
/** A running browser by its ws:// or http:// endpoint (which may contain a secret). */
type RemoteBrowser = { url: string; from: 'remote' }
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

/**
 * Returns the configured browser, otherwise the first one of the preferred kind, otherwise the first one of the other
 * kind. Fails with BROWSER_UNAVAILABLE.
 */
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

/** True if the browser can show windows on this machine, which remote browsers and headless shells cannot. */
export const hasWindows = (found: FoundBrowser): found is LocalBrowser =>
  found.from !== 'remote' && found.kind === 'full'

export type BrowserKind = 'shell' | 'full'
/** A path that may be a browser. */
type Candidate = { path: string; kind: BrowserKind }
export type Machine = {
  platform: NodeJS.Platform
  arch: string
  env: Readonly<Record<string, string | undefined>>
  home: string
}

/** Detects a headless shell by its file name; it needs far fewer resources per page than a full browser. */
const kindOf = (path: string): BrowserKind =>
  /headless[-_]shell/i.test(posix.basename(path.replaceAll('\\', '/'))) ? 'shell' : 'full'

const candidate = (path: string): Candidate => ({ path, kind: kindOf(path) })
const joinFor = (platform: NodeJS.Platform) => (platform === 'win32' ? win32.join : posix.join)

function playwrightFolder({ platform, env, home }: Machine): string {
  const set = env['PLAYWRIGHT_BROWSERS_PATH']
  // "0" means a folder inside Playwright's package, which we cannot know.
  if (set && set !== '0') return set
  const join = joinFor(platform)
  if (platform === 'win32') return join(env['LOCALAPPDATA'] || join(home, 'AppData', 'Local'), 'ms-playwright')
  if (platform === 'darwin') return join(home, 'Library', 'Caches', 'ms-playwright')
  return join(env['XDG_CACHE_HOME'] || join(home, '.cache'), 'ms-playwright')
}

/** Lists the browsers in Playwright's folder, newest first, each with the file that marks a complete download. */
function playwrightCandidates(machine: Machine, folder: string, names: readonly string[]) {
  const join = joinFor(machine.platform)
  const revisions = names.flatMap((name) => {
    const [, browser, revision] = /^(chromium|chromium_headless_shell)-(\d+)$/.exec(name) ?? []
    return browser ? [{ name, revision: Number(revision), kind: kindOf(browser) }] : []
  })
  return revisions
    .toSorted((a, b) => b.revision - a.revision)
    .flatMap(({ name, kind }) =>
      programsOf(machine, kind).map((program) => ({
        path: join(folder, name, ...program),
        kind,
        completionMarker: join(folder, name, 'INSTALLATION_COMPLETE'),
      })),
    )
}

/** Paths in Playwright's registry: the current ones, and those from before it used Chrome for Testing. */
function programsOf({ platform, arch }: Machine, kind: BrowserKind): string[][] {
  const os = platform === 'win32' ? 'win' : platform === 'darwin' ? 'mac' : 'linux'
  const exe = platform === 'win32' ? '.exe' : ''
  const target = os === 'mac' || arch === 'arm64' ? `${os}-${arch}` : `${os}64`
  if (kind === 'shell')
    return [
      [`chrome-headless-shell-${target}`, `chrome-headless-shell${exe}`],
      [`chrome-${os}`, os === 'linux' ? 'headless_shell' : `headless_shell${exe}`],
    ]
  if (os === 'mac')
    return [
      [`chrome-${target}`, ...macApp('Google Chrome for Testing')],
      ['chrome-mac', ...macApp('Chromium')],
    ]
  return [
    [`chrome-${target}`, `chrome${exe}`],
    [`chrome-${os}`, `chrome${exe}`],
  ]
}

const macApp = (name: string) => [`${name}.app`, 'Contents', 'MacOS', name]

const windowsPrograms = [
  ['Google', 'Chrome', 'Application', 'chrome.exe'],
  ['Microsoft', 'Edge', 'Application', 'msedge.exe'],
  ['Chromium', 'Application', 'chrome.exe'],
  ['BraveSoftware', 'Brave-Browser', 'Application', 'brave.exe'],
]
const macApps = ['Google Chrome', 'Microsoft Edge', 'Chromium', 'Brave Browser']
const linuxPrograms = ['/opt/google/chrome/chrome', '/opt/microsoft/msedge/msedge', '/opt/brave.com/brave/brave']

/** Lists the paths where the installers of Chrome, Edge, Chromium and Brave put their programs. */
export function installedCandidates({ platform, env, home }: Machine): Candidate[] {
  if (platform === 'win32') {
    const folders = ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'].flatMap((name) => env[name] ?? [])
    return windowsPrograms.flatMap((program) => folders.map((folder) => candidate(win32.join(folder, ...program))))
  }
  if (platform === 'darwin')
    return macApps.flatMap((name) =>
      ['/', home].map((root) => candidate(posix.join(root, 'Applications', ...macApp(name)))),
    )
  return linuxPrograms.map(candidate)
}

const commandNames =
  'google-chrome-stable google-chrome chrome-headless-shell chromium-headless-shell chromium chromium-browser brave-browser microsoft-edge'.split(
    ' ',
  )

function pathCandidates({ platform, env }: Machine): Candidate[] {
  const isWindows = platform === 'win32'
  const folders = (env['PATH'] ?? env['Path'] ?? '').split(isWindows ? ';' : ':').filter(Boolean)
  const suffix = isWindows ? '.exe' : ''
  return commandNames.flatMap((name) => folders.map((folder) => candidate(joinFor(platform)(folder, name + suffix))))
}
