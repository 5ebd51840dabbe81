import { fork } from 'node:child_process'

/** Starts the real child in a state that no file brings about: it is busy for ever. Says the number of its process. */
const busy = 'data:text/javascript,setTimeout(() => { process.send("busy"); for (;;); }, 300)'
const program = new URL('../../../src/engine/document/convert-child.ts', import.meta.url)
const child = fork(program, ['768'], {
  execArgv: ['--import', busy],
  detached: true,
  stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
})
child.once('message', () => process.stdout.write(`${child.pid}\n`))
