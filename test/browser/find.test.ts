import { describe, expect, test } from 'vitest'
import {
  findBrowser,
  type BrowserProbes,
  type BrowserSettings,
  type BrowserKind,
  type Machine,
} from '../../src/engine/browser/find/find-browser.ts'
import { machineProbes } from '../../src/engine/browser/find/machine-probes.ts'
import { browserHere } from './programs/machine.ts'

const linux: Machine = { platform: 'linux', arch: 'x64', env: { PATH: '/usr/local/bin:/usr/bin' }, home: '/home/me' }
const mac: Machine = { platform: 'darwin', arch: 'arm64', env: {}, home: '/Users/me' }
const windows: Machine = {
  platform: 'win32',
  arch: 'x64',
  env: { PROGRAMFILES: 'C:\\Program Files', LOCALAPPDATA: 'C:\\Users\\me\\Local', Path: 'C:\\bin;D:\\bin' },
  home: 'C:\\Users\\me',
}

/** Creates the probes of a machine with these executable files. */
function holding(machine: Machine, files: readonly string[], packaged = false): BrowserProbes {
  const separator = machine.platform === 'win32' ? '\\' : '/'
  const has = (path: string) => Promise.resolve(files.includes(path))
  return {
    machine,
    isFile: has,
    isProgram: has,
    list: async (folder) => [
      ...new Set(
        files
          .filter((file) => file.startsWith(folder))
          .map((file) => file.slice(folder.length + 1).split(separator)[0]!),
      ),
    ],
    packaged: async () => (packaged ? { path: '/data/chromium', env: { FONTCONFIG_PATH: '/data/fonts' } } : undefined),
  }
}

const found = async (machine: Machine, files: readonly string[], wanted: BrowserKind, packaged = false) => {
  const browser = await findBrowser(wanted, {}, holding(machine, files, packaged))
  return browser.from === 'remote' ? browser.url : `${browser.from} ${browser.kind} ${browser.path}`
}

const inCache = (folder: string, program: string, separator = '/') => [
  [folder, 'INSTALLATION_COMPLETE'].join(separator),
  [folder, program].join(separator),
]
const cache = '/home/me/.cache/ms-playwright'
const playwrightShell = inCache(
  `${cache}/chromium_headless_shell-1255`,
  'chrome-headless-shell-linux64/chrome-headless-shell',
)
const playwrightFull = inCache(`${cache}/chromium-1255`, 'chrome-linux64/chrome')
const chrome = '/opt/google/chrome/chrome'
const shellOnPath = '/usr/bin/chromium-headless-shell'
const fullOnPath = '/usr/bin/chromium'

describe('without settings', () => {
  test.each([
    [
      "Playwright's shell first",
      [...playwrightShell, ...playwrightFull, chrome, shellOnPath],
      `playwright shell ${playwrightShell[1]}`,
    ],
    [
      'a shell on the path before any full browser',
      [...playwrightFull, chrome, shellOnPath, fullOnPath],
      `path shell ${shellOnPath}`,
    ],
    [
      "Playwright's full browser if there is no shell",
      [...playwrightFull, chrome, fullOnPath],
      `playwright full ${playwrightFull[1]}`,
    ],
    ['Chrome before a full browser on the path', [chrome, fullOnPath], `installed full ${chrome}`],
    ['a full browser on the path if there is no other', [fullOnPath], `path full ${fullOnPath}`],
  ])('scrapes get %s', async (_, files, browser) => expect(await found(linux, files, 'shell')).toBe(browser))

  test.each([
    ['Chrome first', [...playwrightShell, ...playwrightFull, chrome, shellOnPath], `installed full ${chrome}`],
    [
      "Playwright's full browser before one on the path",
      [...playwrightShell, ...playwrightFull, fullOnPath],
      `playwright full ${playwrightFull[1]}`,
    ],
    ['a full browser on the path before any shell', [...playwrightShell, fullOnPath], `path full ${fullOnPath}`],
    [
      'a shell if there is no full browser',
      [...playwrightShell, shellOnPath],
      `playwright shell ${playwrightShell[1]}`,
    ],
  ])('sessions get %s', async (_, files, browser) => expect(await found(linux, files, 'full')).toBe(browser))

  test('the browser of the npm package is a shell, used only if there is no other shell', async () => {
    expect(await found(linux, [shellOnPath, fullOnPath], 'shell', true)).toBe(`path shell ${shellOnPath}`)
    expect(await found(linux, [fullOnPath], 'shell', true)).toBe('npm shell /data/chromium')
    expect(await found(linux, [fullOnPath], 'full', true)).toBe(`path full ${fullOnPath}`)
    expect(await found(linux, [], 'full', true)).toBe('npm shell /data/chromium')
    expect(await findBrowser('shell', {}, holding(linux, [], true))).toMatchObject({
      env: { FONTCONFIG_PATH: '/data/fonts' },
    })
  })

  test.each([
    [
      'the newest revision',
      [...inCache(`${cache}/chromium-999`, 'chrome-linux/chrome'), ...playwrightFull],
      playwrightFull[1],
    ],
    [
      'an older layout',
      inCache(`${cache}/chromium_headless_shell-1100`, 'chrome-linux/headless_shell'),
      `${cache}/chromium_headless_shell-1100/chrome-linux/headless_shell`,
    ],
    ['only a complete download', [playwrightShell[1]!, ...playwrightFull], playwrightFull[1]],
    ['no other browser', [...inCache(`${cache}/firefox-1500`, 'firefox/firefox'), fullOnPath], fullOnPath],
  ])("%s in Playwright's folder is used", async (_, files, path) => {
    expect(await findBrowser('shell', {}, holding(linux, files))).toMatchObject({ path })
  })

  test.each([
    [{ ...linux, env: { XDG_CACHE_HOME: '/cache' } }, '/cache/ms-playwright/chromium-1', 'chrome-linux64/chrome'],
    [{ ...linux, env: { PLAYWRIGHT_BROWSERS_PATH: '/ms' } }, '/ms/chromium-1', 'chrome-linux64/chrome'],
    [{ ...linux, arch: 'arm64' }, `${cache}/chromium-1`, 'chrome-linux-arm64/chrome'],
    [
      mac,
      '/Users/me/Library/Caches/ms-playwright/chromium-1',
      'chrome-mac-arm64/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing',
    ],
    [
      { ...mac, arch: 'x64' },
      '/Users/me/Library/Caches/ms-playwright/chromium_headless_shell-1',
      'chrome-headless-shell-mac-x64/chrome-headless-shell',
    ],
    [windows, 'C:\\Users\\me\\Local\\ms-playwright\\chromium-1', 'chrome-win64\\chrome.exe'],
  ])("Playwright's folder is found on each platform (%#)", async (machine, folder, program) => {
    const files = inCache(folder, program, machine.platform === 'win32' ? '\\' : '/')
    expect(await findBrowser('shell', {}, holding(machine, files))).toMatchObject({ path: files[1] })
  })

  test.each([
    [mac, '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome', 'installed'],
    [mac, '/Users/me/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge', 'installed'],
    [windows, 'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe', 'installed'],
    [windows, 'C:\\Users\\me\\Local\\Chromium\\Application\\chrome.exe', 'installed'],
    [windows, 'D:\\bin\\chromium.exe', 'path'],
    [linux, '/opt/microsoft/msedge/msedge', 'installed'],
    [linux, '/usr/bin/google-chrome-stable', 'path'],
    [linux, '/usr/local/bin/chromium-browser', 'path'],
    [linux, '/usr/bin/brave-browser', 'path'],
    [linux, '/usr/bin/microsoft-edge', 'path'],
  ])('an installed browser is found (%#)', async (machine, path, from) => {
    expect(await findBrowser('full', {}, holding(machine, [path]))).toEqual({ path, kind: 'full', from, env: {} })
  })

  test.each([linux, mac, windows])('a missing browser is reported with a hint (%#)', async (machine) => {
    await expect(findBrowser('shell', {}, holding(machine, []))).rejects.toMatchObject({
      code: 'BROWSER_UNAVAILABLE',
      status: 503,
      message: expect.stringMatching(/^No browser was found: .*Playwright.*Chrome.*search path/),
      hint: expect.stringMatching(/gossamer browser install.*chromium.*GOSSAMER_BROWSER_PATH/),
    })
  })
})

describe('a browser setting', () => {
  const everything = holding(linux, [...playwrightShell, chrome, '/my/chrome', '/my/headless_shell'], true)
  test.each<[BrowserSettings, object]>([
    [
      { browserCdpUrl: 'ws://far/1', browserPath: '/my/chrome' },
      { url: 'ws://far/1', from: 'remote' },
    ],
    [{ browserPath: '/my/chrome' }, { path: '/my/chrome', kind: 'full', from: 'setting', env: {} }],
    [{ browserPath: '/my/headless_shell' }, { path: '/my/headless_shell', kind: 'shell', from: 'setting', env: {} }],
  ])('%j takes precedence over browsers of the machine', async (settings, browser) => {
    expect(await findBrowser('shell', settings, everything)).toEqual(browser)
    expect(await findBrowser('full', settings, everything)).toEqual(browser)
  })

  test('without an executable program is reported', async () => {
    await expect(findBrowser('shell', { browserPath: '/gone' }, everything)).rejects.toMatchObject({
      code: 'BROWSER_UNAVAILABLE',
      message: expect.stringContaining('GOSSAMER_BROWSER_PATH'),
      hint: expect.stringContaining('GOSSAMER_BROWSER_PATH'),
    })
  })
})

test('this machine has a browser for scrapes', async () => {
  const { path } = await browserHere()
  expect(await machineProbes('').isProgram(path)).toBe(true)
})
