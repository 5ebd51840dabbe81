import { describe, expect, test } from 'vitest'
import { findDeno } from '../../../src/engine/code/sandbox/find-sandbox.ts'
import { shareHere } from '../../browser/programs/shared.ts'
import { deno, outcome, runnerOn } from './programs/coding.ts'
import { openOf, waysOut } from './programs/ways-out.ts'
import { forAll } from '../../helpers/for-all.ts'

const waysOfDeno: Record<string, string> = {
  'start itself': `new Deno.Command(Deno.execPath()).outputSync()`,
  'load native code': `Deno.dlopen('libc.so.6', {})`,
  'get permission': `if ((await Deno.permissions.request({ name: 'read' })).state !== 'granted') throw new Error('no')`,
}

describe.skipIf(!deno)('Deno', () => {
  const browser = forAll(shareHere)
  const runner = forAll(() => runnerOn(browser, { language: 'node', sandbox: deno! }))

  test('closes every way out of the process', async () => {
    const ways = { ...waysOut, ...waysOfDeno, 'do nothing': '' }
    expect((await outcome(runner, openOf(ways))).lastValue).toBe('["do nothing"]')
  })

  test('opens no debugger when code sends itself SIGUSR1', async () => {
    const { stdout, stderr, exitCode } = await outcome(
      runner,
      `await new Promise((resolve) => setTimeout(resolve, 1000))
       process.kill(process.pid, 'SIGUSR1')
       await new Promise((resolve) => setTimeout(resolve, 300))
       console.log('continues')`,
    )
    expect({ stdout, stderr, exitCode }).toEqual({ stdout: 'continues\n', stderr: '', exitCode: 0 })
  })

  test('writes nothing to the disk when a database outgrows its memory', async () => {
    const { lastValue, error } = await outcome(
      runner,
      `const database = new (require('node:sqlite').DatabaseSync)(':memory:')
       database.exec('CREATE TEMP TABLE big (text); PRAGMA temp.cache_size = 10; BEGIN')
       const insert = database.prepare('INSERT INTO big VALUES (?)')
       for (let n = 0; n < 3000; n++) insert.run('x'.repeat(10_000))
       database.exec('COMMIT')`,
    )
    expect({ lastValue, error }).toEqual({ lastValue: null, error: expect.stringContaining('SIGXFSZ') })
  })

  test('does not let code change its environment variables', async () => {
    const { lastValue } = await outcome(runner, `Deno.env.set('TZ', 'Asia/Tokyo'); new Date(0).getHours()`)
    expect(lastValue).toBe('0')
  })

  test('names the line of a syntax error', async () => {
    const { stderr } = await outcome(runner, `const a = 1\n\nconst = 5`)
    expect(stderr).toBe(`SyntaxError: Unexpected token '='\n    at code.js:3\n`)
  })
})

test('a program named deno that cannot run code is not used', async () => {
  expect(await findDeno(['/bin/true', '/bin/cat', '/nowhere/deno'])).toBeUndefined()
})
