import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { CodeResult, Language } from '../../../src/contracts/session-port.ts'
import type { CodeRunner } from '../../../src/engine/code/runners.ts'
import { drawn } from '../../attack/hostile.ts'
import { shareHere } from '../../browser/programs/shared.ts'
import { serve } from '../../helpers/listen.ts'
import { forAll } from '../../helpers/for-all.ts'
import { endless, outcome, places, runnerOn, shown, startedSince } from './programs/coding.ts'

let started: () => number[]
/** A service of this machine that code must not reach. */
const visits = vi.fn<() => void>()

beforeAll(() => void vi.stubEnv('GOSSAMER_TEST_SECRET', 'hush-hush'))
const browser = forAll(shareHere)
const service = forAll(() =>
  serve((_, response) => {
    visits()
    response.end('secret')
  }),
)
beforeAll(() => void (started = startedSince()))

type Codes = Record<Language, string>
type Case = {
  name: string
  code: Codes
  expected: (result: CodeResult) => unknown
  /** Cases that a weak sandbox does not support. */
  isStrongOnly?: Language[]
}
const failed = { success: true, killed: false, exitCode: 1, error: expect.any(String) }
const is = (wanted: object) => (result: CodeResult) => expect(result).toMatchObject(wanted)
const both =
  (...checks: ((result: CodeResult) => unknown)[]) =>
  (result: CodeResult) =>
    checks.forEach((check) => check(result))
const succeeds = is({ success: true, killed: false, exitCode: 0 })
const lacks =
  (text: string) =>
  ({ stdout, stderr, lastValue }: CodeResult) =>
    expect(`${stdout}${stderr}${lastValue}`).not.toContain(text)

const cases: Case[] = [
  {
    name: 'returns its output, and no error',
    code: {
      node: `await page.goto('data:text/html,<title>Here</title>'); console.log(await page.title()); 6 * 7`,
      python: `await page.goto('data:text/html,<title>Here</title>'); print(await page.title()); 6 * 7`,
      bash: `agent-browser open 'data:text/html,<title>Here</title>' >/dev/null; agent-browser get title`,
    },
    expected: (result) => {
      expect(result).toMatchObject({ success: true, stdout: 'Here\n', result: 'Here\n', exitCode: 0, killed: false })
      expect(result).not.toHaveProperty('error')
      expect(['42', null]).toContain(result.lastValue)
    },
  },
  {
    name: 'returns an error that it throws, with its place',
    code: {
      node: `const a = 1\nthrow new TypeError('no luck')`,
      python: `a = 1\nraise TypeError('no luck')`,
      bash: `echo 'no luck' >&2; exit 1`,
    },
    expected: both(is(failed), is({ stderr: expect.stringContaining('no luck') })),
  },
  {
    name: 'returns a syntax error',
    code: { node: 'const = 5', python: 'def (', bash: 'if then fi' },
    expected: is({
      success: true,
      killed: false,
      exitCode: expect.any(Number),
      error: expect.any(String),
      stderr: expect.stringMatching(/syntax/i),
    }),
  },
  {
    name: 'is killed if it takes all memory, which the result reports',
    code: {
      node: 'const all = []; for (;;) all.push(Buffer.alloc(1 << 24, 1))',
      python: 'all = []\nwhile True: all.append(bytearray(b"x") * (1 << 24))',
      bash: 'tail /dev/zero || exit 1',
    },
    expected: (result) => {
      expect(result).toMatchObject({ success: true, killed: false, error: expect.any(String) })
      expect(result.exitCode).not.toBe(0)
    },
  },
  {
    name: 'has its output cut at 1 MB',
    code: {
      node: `for (let n = 0; n < 3000; n++) console.log('x'.repeat(1000))`,
      python: `for n in range(3000): print('x' * 1000)`,
      bash: `head -c 3000000 /dev/zero | tr '\\0' x`,
    },
    expected: both(succeeds, ({ stdout }) => {
      expect(stdout.length).toBeGreaterThan(1_000_000)
      expect(stdout.length).toBeLessThan(1_100_000)
      expect(stdout).toMatch(/\n\[cut: \d+ more bytes\]$/)
    }),
  },
  {
    name: 'gets no secret from the environment',
    code: {
      node: `console.log(JSON.stringify(process.env))`,
      python: `import os; print(dict(os.environ))`,
      bash: `env`,
    },
    expected: both(succeeds, is({ stdout: expect.stringContaining('LANG') }), lacks('hush-hush')),
  },
  {
    name: 'cannot read files of the machine',
    isStrongOnly: ['python', 'bash'],
    code: {
      node: `require('fs').readFileSync('/etc/passwd', 'utf8')`,
      python: `print(open('/etc/passwd').read())`,
      bash: `cat /etc/passwd || exit 1`,
    },
    expected: both(is(failed), lacks('root:')),
  },
  {
    name: 'cannot reach services of the machine',
    isStrongOnly: ['python', 'bash'],
    code: {
      node: `console.log(await (await fetch('http://127.0.0.1:PORT')).text())`,
      python: `import urllib.request; print(urllib.request.urlopen('http://127.0.0.1:PORT').read())`,
      bash: `exec 5<>/dev/tcp/127.0.0.1/PORT && cat <&5 || exit 1`,
    },
    expected: both(is(failed), lacks('secret'), () => expect(visits).not.toHaveBeenCalled()),
  },
  {
    name: 'leaves no process behind',
    code: {
      node: `try { require('child_process').spawn('sleep', ['1000'], { detached: true }).on('error', () => {}).unref() } catch {}; console.log('on')`,
      python: `import subprocess; subprocess.Popen(['sleep', '1000']); print('on')`,
      bash: `sleep 1000 & echo on`,
    },
    expected: both(succeeds, is({ stdout: 'on\n' })),
  },
  {
    name: 'gets bytes, and may print invalid UTF-8',
    code: {
      node: `console.log((await page.screenshot()).subarray(1, 4).toString()); process.stdout.write(Buffer.from([255, 10]))`,
      python: `print((await page.screenshot())[1:4].decode(), flush=True)\nimport sys; _ = sys.stdout.buffer.write(bytes([255, 10]))`,
      bash: `agent-browser screenshot /dev/stdout | tail -n +2 | head -c 4 | tail -c 3; printf '\\n\\377\\n'`,
    },
    expected: both(succeeds, is({ stdout: 'PNG\n\ufffd\n' })),
  },
  {
    name: 'fails because of an uncaught error',
    code: {
      node: `Promise.reject(new RangeError('far')); await new Promise((resolve) => setTimeout(resolve, 5000))`,
      python: `import asyncio\nasync def far(): raise ValueError('far')\nawait asyncio.gather(far(), asyncio.sleep(5))`,
      bash: `set -e; (echo far >&2; exit 1); sleep 5`,
    },
    expected: both(is(failed), is({ stderr: expect.stringContaining('far') })),
  },
  {
    name: 'does not end the browser',
    code: {
      node: `await browser.close(); console.log('closed')`,
      python: `await browser.close(); print('closed')`,
      bash: `agent-browser close >/dev/null; echo closed`,
    },
    expected: both(succeeds, is({ stdout: 'closed\n' })),
  },
]

describe.each(places)('$language code in $name', ({ language, sandbox, programs = {} }) => {
  let runner: CodeRunner
  beforeAll(() => void (runner = runnerOn(browser, { language, sandbox, programs })))
  afterAll(() => runner.close())
  afterEach(async () => {
    if (language === 'bash') {
      // The process is reused for the next code until the runner is closed.
      await runner.close()
      runner = runnerOn(browser, { language, sandbox, programs })
    }
    expect(started()).toEqual([])
  })

  const supported = cases.filter(
    ({ isStrongOnly = [] }) => sandbox.strength === 'strong' || !isStrongOnly.includes(language),
  )
  // Each case starts a process, so only half of them are drawn for a place, except in full runs.
  test.each(
    drawn(
      supported,
      2,
      places.findIndex((place) => place.sandbox === sandbox && place.language === language),
    ),
  )('$name', async ({ code, expected }) => {
    expected(await outcome(runner, code[language].replaceAll('PORT', String(service.port))))
  })

  test('is killed at its timeout if it never ends', async () => {
    const name = crypto.randomUUID()
    const begins = shown(browser, name)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const running = outcome(runner, endless(language, name), 8000)
    await begins
    vi.advanceTimersByTime(8000)
    const error = 'Execution timed out after 8 s.'
    expect(await running).toMatchObject({ stdout: 'started\n', killed: true, exitCode: null, error })
  })

  test('reports how strong its sandbox is', async () => {
    const { stderr } = await outcome(runner, language === 'bash' ? ':' : '1')
    expect(runner.strength).toBe(sandbox.strength)
    expect(stderr.includes('[warning]')).toBe(sandbox.strength === 'weak')
  })

  test('ends when its signal is aborted', async () => {
    const aborting = new AbortController()
    const name = crypto.randomUUID()
    const begins = shown(browser, name)
    const running = runner.run({ code: endless(language, name), timeoutMs: 60_000 }, aborting.signal)
    await begins
    aborting.abort(new Error('enough'))
    await expect(running).rejects.toThrow('enough')
  })
})
