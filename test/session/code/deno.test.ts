import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Browser } from '../../../src/engine/browser/launch/types.ts'
import type { CodeRunner } from '../../../src/engine/code/runners.ts'
import { findDeno } from '../../../src/engine/code/sandbox/deno.ts'
import { openHere } from '../../browser/programs/machine.ts'
import { deno, outcome, runnerOn } from './programs/coding.ts'

const dialled = (start: string) =>
  `return new Promise((resolve, reject) => void ${start}.on('error', reject).on('connect', resolve))`
const passwords = 'file:///etc/passwd'
const stealing = `import text from "${passwords}" with { type: "text" }; export default text`
const worker = `const worker = new (require('worker_threads').Worker)`
const told = `; return new Promise((resolve, reject) => worker.on('message', resolve).on('error', reject))`

/** Whatever leads out of the process, by what it is called. */
const waysOut: Record<string, string> = {
  'read a file': `require('fs').readFileSync('/etc/passwd')`,
  'list a folder': `require('fs').readdirSync('/')`,
  'read its own program': `require('fs').readFileSync(process.argv[1])`,
  'write a file': `require('fs').writeFileSync('/tmp/left-by-code', '')`,
  'import a file': `await import('${passwords}', { with: { type: 'text' } })`,
  'import its own program': `await import('file://' + process.argv[1] + '?again')`,
  'import by a module of its own': `await import('data:text/javascript,' + encodeURIComponent('${stealing}'))`,
  'import from the network': `await import('https://deno.land/std/version.ts')`,
  'import from a registry': `await import('npm:left-pad')`,
  'read in a thread': `${worker}("require('worker_threads').parentPort.postMessage(require('fs').readFileSync('/etc/passwd'))", { eval: true })${told}`,
  'attach a database': `new (require('node:sqlite').DatabaseSync)(':memory:').exec("ATTACH '/tmp/left-by-code' AS left")`,
  'store for later': `localStorage.setItem('a', 'b')`,
  'cache for later': `await caches.open('a')`,
  'snapshot its memory': `require('v8').writeHeapSnapshot('/tmp/left-by-code')`,
  fetch: `await fetch('http://127.0.0.1:8080')`,
  'open a WebSocket': `new WebSocket('ws://127.0.0.1:8080')`,
  dial: dialled(`require('net').connect(8080, '127.0.0.1')`),
  'dial a socket file': dialled(`require('net').connect('/run/left-by-code')`),
  listen: `return new Promise((resolve, reject) => void require('net').createServer().on('error', reject).listen(0, resolve))`,
  'look up a name': `await require('dns').promises.lookup('localhost')`,
  'start a program': `require('child_process').execFileSync('/bin/true')`,
  'start itself': `new Deno.Command(Deno.execPath()).outputSync()`,
  'signal another': `process.kill(process.ppid, 0)`,
  'load native code': `Deno.dlopen('libc.so.6', {})`,
  'load an addon': `process.dlopen({ exports: {} }, '/tmp/left-by-code.node')`,
  'open a debugger': `require('inspector').open(0)`,
  'name the machine': `require('os').hostname()`,
  'name the user': `require('os').userInfo()`,
  'see the graphics card': `if ((await navigator.gpu.requestAdapter()) === null) throw new Error('none')`,
  'get permission': `if ((await Deno.permissions.request({ name: 'read' })).state !== 'granted') throw new Error('no')`,
}

describe.skipIf(!deno)('Deno', () => {
  let browser: Browser
  let runner: CodeRunner
  beforeAll(async () => {
    browser = await openHere()
    runner = runnerOn(browser, { language: 'node', sandbox: deno! })
  })
  afterAll(async () => {
    await runner.close()
    await browser.close()
  })

  test('leaves no way out, and tells which is open', async () => {
    const ways = { ...waysOut, 'do nothing': '' }
    const code = `const open = []
      for (const [name, text] of Object.entries(${JSON.stringify(ways)})) {
        const way = new Function('require', 'return (async () => {' + text + '})()')
        await way(require).then(() => open.push(name), () => {})
      }
      open`
    expect((await outcome(runner, code)).lastValue).toBe('["do nothing"]')
  })

  test('opens no debugger when code signals itself, once it would listen for that', async () => {
    const { stdout, stderr, exitCode } = await outcome(
      runner,
      `await new Promise((resolve) => setTimeout(resolve, 1000))
       process.kill(process.pid, 'SIGUSR1')
       await new Promise((resolve) => setTimeout(resolve, 300))
       console.log('goes on')`,
    )
    expect({ stdout, stderr, exitCode }).toEqual({ stdout: 'goes on\n', stderr: '', exitCode: 0 })
  })

  test('writes nothing to the disk where a database grows out of memory', async () => {
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

  test('lets nothing be set in its environment', async () => {
    const { lastValue } = await outcome(runner, `Deno.env.set('TZ', 'Asia/Tokyo'); new Date(0).getHours()`)
    expect(lastValue).toBe('0')
  })

  test('says on which line code cannot be parsed', async () => {
    const { stderr } = await outcome(runner, `const a = 1\n\nconst = 5`)
    expect(stderr).toBe(`SyntaxError: Unexpected token '='\n    at code.js:3\n`)
  })

  test('prints values as Node does', async () => {
    const { stdout } = await outcome(runner, `console.log(['a', new Map([['b', 1]])])`)
    expect(stdout).toBe(`[ 'a', Map(1) { 'b' => 1 } ]\n`)
  })
})

test('a program of that name that does not run code is not taken for Deno', async () => {
  expect(await findDeno(['/bin/true', '/bin/cat', '/nowhere/deno'])).toBeUndefined()
})
