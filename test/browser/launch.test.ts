import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { LocalBrowser } from '../../src/engine/browser/find/find-browser.ts'
import { openBrowser, type LaunchOptions } from '../../src/engine/browser/launch/launcher.ts'
import { makeProfileDir, sweepProfileDirs } from '../../src/engine/browser/launch/profile-dir.ts'
import { forTest, folderForAll } from '../helpers/for-all.ts'
import { browserHere, openHere, processesWith, quiet, until } from './programs/machine.ts'

const root = folderForAll()

/** Creates the folder for the browser profiles of one test. */
function freshRoot(): string {
  const path = join(root.path, crypto.randomUUID())
  mkdirSync(path)
  return path
}

const isLinux = process.platform === 'linux'

describe('a started browser', () => {
  test.each(['shell', 'full'] as const)(
    '(%s) does not receive our secrets, opens no page itself, and leaves no file or process',
    async (kind) => {
      const profileRoot = freshRoot()
      vi.stubEnv('GOSSAMER_REMOTE_KEY', 'hunter2')
      onTestFinished(() => void vi.unstubAllEnvs())
      const browser = await openHere({ profileRoot }, kind)
      expect(browser.version).toMatchObject({ product: expect.stringMatching(/^(?:Headless)?Chrome\//) })
      if (isLinux) expect(readFileSync(`/proc/${browser.pid}/environ`, 'utf8')).not.toContain('hunter2')
      const all = browser.connection.browser
      await all.send('Target.createTarget', { url: 'about:blank', newWindow: true })
      const { targetInfos } = await all.send('Target.getTargets', { filter: [{ type: 'tab', exclude: true }, {}] })
      expect(targetInfos.map(({ url }) => url)).toEqual(['about:blank'])
      const [profile = ''] = readdirSync(profileRoot)
      if (isLinux) expect(processesWith(profile).length).toBeGreaterThan(0)
      await Promise.all([browser.close(), browser.close()])
      expect(await browser.closed).toEqual({ why: 'closed', detail: expect.stringContaining('it exited with code 0') })
      expect(readdirSync(profileRoot)).toEqual([])
      if (isLinux) expect(processesWith(profile)).toEqual([])
      await expect(browser.connection.browser.send('Browser.getVersion', {})).rejects.toMatchObject({ why: 'closed' })
    },
  )

  test('is not detected as automated, and does not reveal the IP address of the machine', async () => {
    const browser = forTest(await openHere({ profileRoot: freshRoot(), userAgent: 'Mozilla/5.0 (Mine)' }))
    const { targetId } = await browser.connection.browser.send('Target.createTarget', { url: 'about:blank' })
    const session = await browser.connection.attach(targetId)
    const expression = `(async () => {
      const peer = new RTCPeerConnection()
      peer.createDataChannel('x')
      const candidates = []
      const gathered = new Promise((done) => {
        peer.onicecandidate = ({ candidate }) => (candidate?.candidate ? candidates.push(candidate.candidate) : done())
      })
      await peer.setLocalDescription(await peer.createOffer())
      await gathered
      return { candidates, webdriver: navigator.webdriver, agent: navigator.userAgent, languages: navigator.languages }
    })()`
    const { result } = await session.send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true })
    expect(result.value).toEqual({
      candidates: [],
      webdriver: false,
      agent: 'Mozilla/5.0 (Mine)',
      languages: ['en-US', 'en'],
    })
  })

  test('that is killed fails its calls immediately and leaves nothing behind', async () => {
    const profileRoot = freshRoot()
    const browser = await openHere({ profileRoot })
    const [profile = ''] = readdirSync(profileRoot)
    const { targetId } = await browser.connection.browser.send('Target.createTarget', { url: 'about:blank' })
    const session = await browser.connection.attach(targetId)
    const waiting = session.send('Runtime.evaluate', { expression: 'new Promise(() => {})', awaitPromise: true })
    const rejection = expect(waiting).rejects.toMatchObject({ name: 'CdpError', why: 'closed' })
    process.kill(browser.pid ?? 0, 'SIGKILL')
    await rejection
    expect(await session.ended).toBe('closed')
    expect(await browser.closed).toEqual({ why: 'died', detail: 'it was killed by SIGKILL' })
    expect(readdirSync(profileRoot)).toEqual([])
    if (isLinux) await until(() => processesWith(profile).length === 0)
    await browser.close()
  })

  test('ends when its connection is closed', async () => {
    const profileRoot = freshRoot()
    const browser = await openHere({ profileRoot })
    browser.connection.close()
    await browser.closed
    expect(readdirSync(profileRoot)).toEqual([])
  })
})

describe.runIf(isLinux)('after the program was killed', () => {
  test('its browser exits, and its profile folder is removed at the next start', async () => {
    const profileRoot = freshRoot()
    const program = spawn(process.execPath, [join(import.meta.dirname, 'programs/open-and-wait.ts'), profileRoot], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    onTestFinished(() => void program.kill('SIGKILL'))
    for await (const _ of createInterface({ input: program.stdout })) break
    const [left = ''] = readdirSync(profileRoot)
    expect(processesWith(left).length).toBeGreaterThan(0)

    program.kill('SIGKILL')
    await until(() => processesWith(left).length === 0)
    expect(readdirSync(profileRoot)).toEqual([left])

    forTest(await openHere({ profileRoot }))
    expect(readdirSync(profileRoot)).toEqual([expect.not.stringContaining(left)])
  })

  test('the sweep kills a browser that is still running', async () => {
    const profileRoot = freshRoot()
    const { path } = await makeProfileDir(profileRoot)
    writeFileSync(join(path, 'gossamer-owner.json'), JSON.stringify({ ...ownerIn(path), startedAt: '1' }))
    const left = spawn('sleep', ['60'], { argv0: `--user-data-dir=${path}` })
    onTestFinished(() => void left.kill('SIGKILL'))
    const ended = new Promise((resolve) => left.once('exit', (_code, signal) => resolve(signal)))
    await until(() => processesWith(path).length > 0)
    expect(await sweepProfileDirs(profileRoot)).toBe(1)
    expect(await ended).toBe('SIGKILL')
    expect(readdirSync(profileRoot)).toEqual([])
  })
})

const ownerIn = (path: string) => JSON.parse(readFileSync(join(path, 'gossamer-owner.json'), 'utf8')) as { pid: number }

test.each([
  ['keeps the folder of a running process', {}, true],
  ['removes the folder of a dead process', { pid: 2 ** 22 + 1 }, false],
  ['removes the folder of a dead process whose id was reused', { startedAt: '1' }, !isLinux],
  ['keeps the folder of another machine', { pid: 2 ** 22 + 1, host: 'elsewhere' }, true],
])('the sweep of old folders %s', async (_, facts, stays) => {
  const profileRoot = freshRoot()
  const { path } = await makeProfileDir(profileRoot)
  writeFileSync(join(path, 'gossamer-owner.json'), JSON.stringify({ ...ownerIn(path), ...facts }))
  expect(await sweepProfileDirs(profileRoot)).toBe(stays ? 0 : 1)
  expect(existsSync(path)).toBe(stays)
})

/** Creates a shell script that is started instead of a browser. */
function imitation(script: string): LocalBrowser {
  const path = join(freshRoot(), 'browser')
  writeFileSync(path, `#!/bin/sh\n${script}\n`)
  chmodSync(path, 0o755)
  return { path, kind: 'shell', from: 'setting', env: {} }
}

async function failed(browser: LocalBrowser, options: Partial<LaunchOptions> = {}, signal?: AbortSignal) {
  const profileRoot = freshRoot()
  const opened = openBrowser(browser, { log: quiet, profileRoot, ...options }, signal)
  const error: unknown = await opened.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(readdirSync(profileRoot)).toEqual([])
  return error
}

describe.runIf(isLinux)('a failed start', () => {
  test('reports the output of the browser', async () => {
    const browser = imitation('echo "error while loading shared libraries: libnss3.so" >&2; exit 127')
    expect(await failed(browser)).toMatchObject({
      code: 'BROWSER_UNAVAILABLE',
      message:
        'The browser did not start: it exited with code 127; its output: error while loading shared libraries: libnss3.so.',
      hint: expect.stringContaining('install-deps'),
    })
  })

  test('reports a missing program', async () => {
    const browser: LocalBrowser = { path: '/no/such/browser', kind: 'shell', from: 'setting', env: {} }
    expect(await failed(browser)).toMatchObject({
      code: 'BROWSER_UNAVAILABLE',
      message: 'The browser did not start: the system says ENOENT.',
    })
  })

  test('ends after the time limit, and the process is killed', async () => {
    const browser = imitation('sleep 300 & wait')
    expect(await failed(browser, { startTimeoutMs: 50 })).toMatchObject({
      code: 'BROWSER_UNAVAILABLE',
      message: 'The browser did not start: it did not respond within 50 ms.',
    })
    await until(() => processesWith(browser.path).length === 0)
  })

  test('ends when the caller aborts', async () => {
    const abort = new AbortController()
    const failing = failed(imitation('sleep 300'), {}, abort.signal)
    abort.abort(new Error('gone'))
    expect(await failing).toMatchObject({ message: 'gone' })
    expect(await failed(imitation('sleep 300'), {}, abort.signal)).toMatchObject({ message: 'gone' })
  })

  test('because of the sandbox is repeated without a sandbox, with a warning', async () => {
    const warn = vi.fn<(event: string, facts?: object) => void>()
    vi.spyOn(process, 'getuid').mockReturnValue(1000)
    onTestFinished(() => void vi.restoreAllMocks())
    const { path } = await browserHere()
    const strict = imitation(
      `case "$*" in *--no-sandbox*) exec "${path}" "$@";; esac\necho "FATAL: No usable sandbox!" >&2; exit 1`,
    )
    const browser = await openBrowser(strict, { log: { ...quiet, warn }, profileRoot: freshRoot() })
    expect(warn.mock.calls).toEqual([['browser.noSandbox', { because: 'the system has no user namespaces' }]])
    await browser.close()
  })
})
