import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { weakSandbox } from '../../../src/app/wiring/live-browsers.ts'
import { createSandboxes } from '../../../src/engine/code/sandbox/find-sandbox.ts'
import { openHere } from '../../browser/programs/machine.ts'
import { shareHere } from '../../browser/programs/shared.ts'
import { isAlive, processesBelow, until } from '../../helpers/processes.ts'
import { outcome, places, runnerOn, startedSince } from './programs/coding.ts'
import { forAll } from '../../helpers/for-all.ts'

const program = fileURLToPath(new URL('./programs/code-and-wait.ts', import.meta.url))
const browser = forAll(shareHere)

test('code ends when its host is killed, in every language and sandbox', async () => {
  const host = spawn(process.execPath, ['--no-warnings', program], { stdio: ['ignore', 'pipe', 'inherit'] })
  await new Promise((resolve) => void host.stdout.once('data', resolve))
  const all = processesBelow(host.pid!)
  expect(all.length).toBeGreaterThan(3 + places.length)
  host.kill('SIGKILL')
  await until(() => all.every((pid) => !isAlive(pid)))
})

describe('a runner', () => {
  test('starts a waiting process in advance, another after each run, and none once it is closed', async () => {
    const started = startedSince()
    const { sandbox } = places.find(({ language }) => language === 'python')!
    const runner = runnerOn(browser, { language: 'python', sandbox, start: 'ahead' })
    await until(() => started().length > 0)
    expect(await outcome(runner, 'print(1)')).toMatchObject({ stdout: '1\n' })
    await until(() => started().length > 0)
    await runner.close()
    await until(() => started().length === 0)
  })

  test('leaves no file behind', async () => {
    const before = readdirSync(tmpdir())
    for (const { language, sandbox, programs = {} } of places.filter(({ sandbox: { name } }) => name !== 'none')) {
      const runner = runnerOn(browser, { language, sandbox, programs })
      const codes = {
        node: `try { require('fs').writeFileSync('/tmp/left-by-code', '') } catch {}`,
        python: `open('/tmp/left-by-code', 'w')`,
        bash: `touch /tmp/left-by-code`,
      }
      await outcome(runner, codes[language])
      await runner.close()
    }
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith('left-by-code') && !before.includes(name))).toEqual(
      [],
    )
  })

  test('starts on the current page of the session', async () => {
    const { targetId } = await browser.connection.browser.send('Target.createTarget', {
      url: 'data:text/html,<title>This</title>',
    })
    await browser.connection.browser.send('Target.createTarget', { url: 'data:text/html,<title>Other</title>' })
    for (const { name, language, sandbox, programs = {} } of places) {
      const runner = runnerOn(browser, { language, sandbox, programs, pageId: () => targetId })
      const codes = {
        node: 'console.log(await page.title())',
        python: 'print(await page.title())',
        bash: 'agent-browser get title',
      }
      expect((await outcome(runner, codes[language])).stdout, `${language} ${name}`).toBe('This\n')
      await runner.close()
    }
  })
})

test('output is complete if code ends while the browser still sends messages', async () => {
  const { sandbox } = places.find(({ language }) => language === 'node')!
  const runner = runnerOn(browser, { language: 'node', sandbox, start: 'ahead' })
  const code = `page.on('console', () => {})
    await page.evaluate(() => {
      clearInterval(self.talking)
      self.talking = setInterval(() => { for (let i = 0; i < 10; i++) console.log(i) }, 0)
    })
    'the end'`
  for (let runs = 0; runs < 2; runs++) expect(await outcome(runner, code)).toMatchObject({ lastValue: 'the end' })
  await runner.close()
})

test('code gets an error when its browser ends, in every language and sandbox', async () => {
  const own = await openHere()
  const codes = {
    node: 'await new Promise((resolve) => setTimeout(resolve, 500)); await page.title()',
    python: 'await asyncio.sleep(0.5); await page.title()',
    bash: 'agent-browser get url >/dev/null; sleep 0.5; agent-browser get title',
  }
  const runners = places.map(({ language, sandbox, programs = {} }) => runnerOn(own, { language, sandbox, programs }))
  const running = places.map(({ language }, at) => outcome(runners[at]!, codes[language]))
  await own.close()
  for (const [at, result] of (await Promise.all(running)).entries()) {
    expect(result, places[at]!.name).toMatchObject({ success: true, killed: false, error: expect.any(String) })
    expect(result.exitCode).not.toBe(0)
  }
  await Promise.all(runners.map((runner) => runner.close()))
})

test('bash code is killed if it sends too many arguments or bytes to agent-browser', async () => {
  const { language, sandbox } = places.at(-1)!
  const runner = runnerOn(browser, { language, sandbox })
  const floods = [`printf 'id\\0%s\\0' 999999999 >&3; sleep 20`, `tr '\\0' x </dev/zero >&3; sleep 20`]
  for (const code of floods)
    expect(await outcome(runner, code)).toMatchObject({ killed: false, error: expect.any(String) })
  await runner.close()
})

const bwrap = '/nowhere/bwrap'
test.each([
  ['never', undefined, undefined],
  ['node only', 'permission', undefined],
  ['always', 'permission', 'none'],
] as const)(
  'without bubblewrap and Deno, allowWeakSandbox %s gives Node the sandbox %s, and other languages %s',
  async (allowWeakSandbox, node, python) => {
    const sandboxFor = createSandboxes({ bwrap, allowWeakSandbox, paths: [], denoPaths: [] })
    expect((await sandboxFor('node'))?.name).toBe(node)
    expect((await sandboxFor('python'))?.name).toBe(python)
    expect((await sandboxFor('bash'))?.name).toBe(python)
  },
)

test.each([
  ['never', 'own user', 'never'],
  ['never', 'over HTTP', 'never'],
  ['local', 'own user', 'node only'],
  ['local', 'over HTTP', 'never'],
  ['always', 'own user', 'always'],
  ['always', 'over HTTP', 'always'],
] as const)('unsandboxedCode %j allows calls of %j: %j', (unsandboxedCode, callers, allowed) => {
  expect(weakSandbox({ unsandboxedCode }, callers)).toBe(allowed)
})
