import { posix, win32 } from 'node:path'

export type BrowserKind = 'shell' | 'full'
/** A path that may be a browser. */
export type Candidate = { path: string; kind: BrowserKind }
export type Machine = {
  platform: NodeJS.Platform
  arch: string
  env: Readonly<Record<string, string | undefined>>
  home: string
}

/** Detects a headless shell by its file name; it needs a fifth of the resources of a full browser per page. */
export const kindOf = (path: string): BrowserKind =>
  /headless[-_]shell/i.test(posix.basename(path.replaceAll('\\', '/'))) ? 'shell' : 'full'

const candidate = (path: string): Candidate => ({ path, kind: kindOf(path) })
const joinFor = (platform: NodeJS.Platform) => (platform === 'win32' ? win32.join : posix.join)

export function playwrightFolder({ platform, env, home }: Machine): string {
  const set = env['PLAYWRIGHT_BROWSERS_PATH']
  // "0" means a folder inside Playwright's package, which we cannot know.
  if (set && set !== '0') return set
  const join = joinFor(platform)
  if (platform === 'win32') return join(env['LOCALAPPDATA'] || join(home, 'AppData', 'Local'), 'ms-playwright')
  if (platform === 'darwin') return join(home, 'Library', 'Caches', 'ms-playwright')
  return join(env['XDG_CACHE_HOME'] || join(home, '.cache'), 'ms-playwright')
}

/** Lists the browsers in that folder, newest first, each with the file that marks a complete download. */
export function playwrightCandidates(machine: Machine, folder: string, names: readonly string[]) {
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

/** Paths of Playwright's registry, current and before it used Chrome for Testing. */
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

export function pathCandidates({ platform, env }: Machine): Candidate[] {
  const isWindows = platform === 'win32'
  const folders = (env['PATH'] ?? env['Path'] ?? '').split(isWindows ? ';' : ':').filter(Boolean)
  const suffix = isWindows ? '.exe' : ''
  return commandNames.flatMap((name) => folders.map((folder) => candidate(joinFor(platform)(folder, name + suffix))))
}
