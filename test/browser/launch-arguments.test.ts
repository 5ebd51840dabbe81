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

  test('disables nothing that isolates pages', () => {
    expect(argumentsOf({ sandbox: 'off' }).join(' ')).not.toMatch(
      /single-process|disable-web-security|site-isolation|insecure|ignore-certificate|unsafe/,
    )
  })

  test.each<[string, Partial<ArgumentOptions>, string]>([
    ['a folder of its own', {}, '--user-data-dir=/tmp/profile'],
    ['the shell without a window', {}, '--headless'],
    ['a full browser without a window', { kind: 'full' }, '--headless=new'],
    ['no sandbox where there can be none', { sandbox: 'off' }, '--no-sandbox'],
    ['a folder for what small shared memory cannot hold', { sharedMemory: 'small' }, '--disable-dev-shm-usage'],
    ['a window size', { windowSize: { width: 800, height: 600 } }, '--window-size=800,600'],
    ['a name', { userAgent: 'Mine/1' }, '--user-agent=Mine/1'],
    ['a proxy', { proxy: 'http://127.0.0.1:1' }, '--proxy-server=http://127.0.0.1:1'],
    ['the proxy for loopback addresses too', { proxy: 'http://127.0.0.1:1' }, '--proxy-bypass-list=<-loopback>'],
    ['WebRTC through the proxy only, for the shell', {}, '--force-webrtc-ip-handling-policy=disable_non_proxied_udp'],
    ['WebRTC through the proxy only, for Chrome', {}, '--webrtc-ip-handling-policy=disable_non_proxied_udp'],
    ['whatever else is asked for', { more: ['--lang=pl'] }, '--lang=pl'],
  ])('contains %s', (_, more, argument) => {
    expect(argumentsOf(more)).toContain(argument)
  })
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
  'a locale that is set is the locale of the browser: %o',
  (own) => {
    expect(browserEnvironment(own, {})).toEqual(own)
  },
)

test.each([
  ['/tmp/gossamer-browser-AAAAAA', { TMPDIR: '/tmp/gossamer-browser-AAAAAA' }],
  [`/${'long'.repeat(20)}/gossamer-browser-AAAAAA`, {}],
])(
  'temporary files are in the folder of the browser unless the path of a socket there is too long (%#)',
  (dir, env) => {
    expect(temporaryFiles(dir)).toEqual(env)
  },
)

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
  ])('%j is reported as %j', (stderr, told) => {
    expect(summarizeStderr(stderr)).toBe(told)
  })

  test.each([
    [{ code: 1, signal: null }, 'it ended with code 1'],
    [{ code: null, signal: 'SIGSEGV' }, 'it was ended by SIGSEGV'],
    [{ error: 'EACCES' }, 'the system says EACCES'],
    [{ afterMs: 20_000 }, 'it gave no sign of life within 20000 ms'],
  ])('follows the reason of the exit: %j', (end, words) => {
    const { code, status, message } = startError(end, 'FATAL: no luck.')
    expect([code, status]).toEqual(['BROWSER_UNAVAILABLE', 503])
    expect(message).toBe(`The browser did not start: ${words}; its output: FATAL: no luck.`)
    expect(startError(end, '').message).toBe(`The browser did not start: ${words}.`)
  })

  test('leads to advice if libraries are missing', () => {
    const said = 'chrome: error while loading shared libraries: libnss3.so: cannot open shared object file'
    expect(startError({ code: 127, signal: null }, said)).toMatchObject({
      message: expect.stringContaining('libnss3.so'),
      hint: expect.stringContaining('install-deps'),
    })
  })

  test.each([
    ['FATAL:zygote_host_impl_linux.cc(126)] No usable sandbox!', true],
    ['Failed to move to new namespace: PID namespaces supported', true],
    ['error while loading shared libraries: libnss3.so', false],
  ])('%j: the sandbox was the cause: %j', (stderr, isSo) => {
    expect(isSandboxRefused(startError({ code: 1, signal: null }, stderr))).toBe(isSo)
    expect(isSandboxRefused(new Error(stderr))).toBe(false)
  })
})
