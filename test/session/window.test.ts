import { expect, test } from 'vitest'
import { openSessionBrowser, type OpenOptions } from '../../src/engine/session/open-browser.ts'
import type { Launch } from '../../src/engine/browser/launch/launcher.ts'
import { hasDisplay, hasWindows } from '../../src/engine/browser/find/find-browser.ts'
import { machineProbes } from '../../src/engine/browser/find/machine-probes.ts'
import { tempDir } from '../helpers/program.ts'
import { logBook } from '../contracts/fixtures.ts'
import { never, wish } from './fixture.ts'

const folder = tempDir()

const launch: Launch = async (_, { display }) => {
  throw new Error(`launched ${display}`)
}

/** Opens a session up to the launch, which fails with the display it was given; returns that error. */
async function launched(isInWindow: boolean, teamId: string, browserPath?: string): Promise<unknown> {
  const options: OpenOptions = {
    settings: { browserPath },
    dataDir: folder.path,
    forwardProxies: { proxyFor: async () => ({ server: '127.0.0.1:1', errorOf: () => undefined }) } as never,
    profiles: { open: () => Promise.reject(new Error('none')) },
    launch,
    chooseProxy: () => undefined,
    log: logBook().log,
  }
  return openSessionBrowser(options, wish({ teamId, isInWindow }), never).catch((error: unknown) => error)
}

test('a session is headless unless a window is wanted', async () => {
  expect(await launched(false, 'red', process.execPath)).toMatchObject({ message: 'launched headless' })
})

test('a window is opened only for the local user, on a machine with a display', async () => {
  expect(await launched(true, 'red', process.execPath)).toMatchObject({
    code: 'FEATURE_UNAVAILABLE',
    message: 'Windows are opened for the local user alone.',
  })
  const isShown = hasDisplay(machineProbes(folder.path).machine)
  expect(await launched(true, 'local', process.execPath)).toMatchObject({
    message: isShown ? 'launched window' : 'This machine has no display to show a window on.',
  })
})

test.each([
  ['linux', {}, false],
  ['linux', { DISPLAY: ':0' }, true],
  ['linux', { WAYLAND_DISPLAY: 'wayland-0' }, true],
  ['darwin', {}, true],
] as const)('%s with %j has a display: %s', (platform, env, isThere) => {
  expect(hasDisplay({ platform, env })).toBe(isThere)
})

test.each([
  [{ url: 'ws://a.example', from: 'remote' } as const, false],
  [{ path: '/a/headless-shell', kind: 'shell', from: 'npm', env: {} } as const, false],
  [{ path: '/a/chrome', kind: 'full', from: 'installed', env: {} } as const, true],
])('the browser %j can show windows: %s', (found, has) => expect(hasWindows(found)).toBe(has))
