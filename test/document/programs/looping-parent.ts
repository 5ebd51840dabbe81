import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { converterFd } from '../../../src/engine/document/file-pipe.ts'

/** Starts the real child process in a state that no file causes: it computes endlessly. Prints its process id. */
const busy = `data:text/javascript,import { writeSync } from 'node:fs'; setTimeout(() => { writeSync(${converterFd}, 'busy'); for (;;); }, 300)`
const program = fileURLToPath(new URL('../../../src/engine/document/convert-child.ts', import.meta.url))
const child = spawn(process.execPath, ['--import', busy, program, '768'], {
  detached: true,
  stdio: ['ignore', 'ignore', 'ignore', 'overlapped'],
})
child.stdio[converterFd]?.once('data', () => process.stdout.write(`${child.pid}\n`))
