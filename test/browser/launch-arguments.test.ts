import { describe, expect, test } from 'vitest'
import { browserArguments, type ArgumentOptions } from '../../src/engine/browser/launch/browser-arguments.ts'
import { browserEnvironment, temporaryFiles } from '../../src/engine/browser/launch/launcher.ts'
import { isSandboxRefused, startError, summarizeStderr } from '../../src/engine/browser/launch/process.ts'

const facts: ArgumentOptions = {
  kind: 'shell',
  profileDir: '/tmp/profile',
  display: 'headless',
  sandbox: 'on',
  sharedMemory: 'usual',
}
const argumentsOf = (more: Partial<ArgumentOptions> = {}) => browserArguments({ ...facts, ...more })

describe('the command line', () => {
  test('opens a pipe and no port, and reveals no automation', () => {
    const line = argumentsOf()
    expect(line).toContain('--remote-debugging-pipe')
    expect(line).toContain('--disable-blink-features=AutomationControlled')
    expect(line.join(' ')).not.toMatch(/remote-debugging-(?:port|address)|enable-automation/)
  })

  test('keeps the isolation of pages', () => {
    expect(argumentsOf({ sandbox: 'off' }).join(' ')).not.toMatch(
      /single-process|disable-web-security|site-isolation|insecure|ignore-certificate|unsafe/,
    )
  })

  test.each<[string, Partial<ArgumentOptions>, string]>([
    ['the profile folder', {}, '--user-data-dir=/tmp/profile'],
    ['headless mode of the shell', {}, '--headless'],
    ['headless mode of a full browser', { kind: 'full' }, '--headless=new'],
    ['a disabled sandbox', { sandbox: 'off' }, '--no-sandbox'],
    ['a replacement for small shared memory', { sharedMemory: 'small' }, '--disable-dev-shm-usage'],
    ['a window size', { windowSize: { width: 800, height: 600 } }, '--window-size=800,600'],
    ['a user agent', { userAgent: 'Mine/1' }, '--user-agent=Mine/1'],
    ['a proxy', { proxy: 'http://127.0.0.1:1' }, '--proxy-server=http://127.0.0.1:1'],
    ['the proxy for loopback addresses', { proxy: 'http://127.0.0.1:1' }, '--proxy-bypass-list=<-loopback>'],
    ['the WebRTC policy of the shell', {}, '--force-webrtc-ip-handling-policy=disable_non_proxied_udp'],
    ['the WebRTC policy of Chrome', {}, '--webrtc-ip-handling-policy=disable_non_proxied_udp'],
    ['additional arguments', { more: ['--lang=pl'] }, '--lang=pl'],
  ])('contains %s', (_, more, argument) => expect(argumentsOf(more)).toContain(argument))
})

test('the environment contains paths and the display, and no secret', () => {
  const own = {
    PATH: '/bin',
    HOME: '/home/me',
    DISPLAY: ':0',
    GOSSAMER_API_KEYS: 'hunter2',
    OPENAI_API_KEY: 'hunter2',
    HTTPS_PROXY: 'http://user:hunter2@proxy',
    NODE_OPTIONS: '--inspect',
    LANG: undefined,
  }
  expect(browserEnvironment(own, { TMPDIR: '/tmp/profile', LD_LIBRARY_PATH: undefined })).toEqual({
    PATH: '/bin',
    HOME: '/home/me',
    DISPLAY: ':0',
    TMPDIR: '/tmp/profile',
    LC_CTYPE: 'C.UTF-8',
  })
})

test.each([{ LANG: 'pl_PL.UTF-8' }, { LC_ALL: 'C' }, { LC_CTYPE: 'en_US.UTF-8' }])(
  'the browser inherits the locale %o',
  (own) => expect(browserEnvironment(own, {})).toEqual(own),
)

test.each([
  ['/tmp/gossamer-browser-AAAAAA', { TMPDIR: '/tmp/gossamer-browser-AAAAAA' }],
  [`/${'long'.repeat(20)}/gossamer-browser-AAAAAA`, {}],
])('temporary files are in the profile folder, unless its path is too long for a socket (%#)', (dir, env) => {
  expect(temporaryFiles(dir)).toEqual(env)
})

describe('the error output of a browser', () => {
  test.each([
    ['', ''],
    ['one\ntwo\nthree\n', 'two | three'],
    [
      '[1:2:0101/1:ERROR:dbus/bus.cc(4)] Failed to connect to the bus: none\n[3:4:0101/1:FATAL:sandbox.cc(7)] No usable sandbox! Update your kernel.\nmore\n',
      'No usable sandbox! Update your kernel',
    ],
    ['\u001b[31mred\u001b[0m \u0007bell\r\n', 'red bell'],
    ['cannot fetch https://user:hunter2@host/?token=hunter2', 'cannot fetch https://host/?token=[hidden]'],
    ['x'.repeat(1000), 'x'.repeat(400)],
  ])('%j is reported as %j', (stderr, expected) => expect(summarizeStderr(stderr)).toBe(expected))

  test.each([
    [{ code: 1, signal: null }, 'it exited with code 1'],
    [{ code: null, signal: 'SIGSEGV' }, 'it was killed by SIGSEGV'],
    [{ error: 'EACCES' }, 'the system says EACCES'],
    [{ afterMs: 20_000 }, 'it did not respond within 20000 ms'],
  ])('follows the reason of the exit: %j', (end, words) => {
    const { code, status, message } = startError(end, 'FATAL: no luck.')
    expect([code, status]).toEqual(['BROWSER_UNAVAILABLE', 503])
    expect(message).toBe(`The browser did not start: ${words}; its output: FATAL: no luck.`)
    expect(startError(end, '').message).toBe(`The browser did not start: ${words}.`)
  })

  test('leads to a hint if libraries are missing', () => {
    const stderr = 'chrome: error while loading shared libraries: libnss3.so: cannot open shared object file'
    expect(startError({ code: 127, signal: null }, stderr)).toMatchObject({
      message: expect.stringContaining('libnss3.so'),
      hint: expect.stringContaining('install-deps'),
    })
  })

  test.each([
    ['FATAL:zygote_host_impl_linux.cc(126)] No usable sandbox!', true],
    ['Failed to move to new namespace: PID namespaces supported', true],
    ['error while loading shared libraries: libnss3.so', false],
  ])('%j means a refused sandbox: %j', (stderr, isRefused) => {
    expect(isSandboxRefused(startError({ code: 1, signal: null }, stderr))).toBe(isRefused)
    expect(isSandboxRefused(new Error(stderr))).toBe(false)
  })
})
