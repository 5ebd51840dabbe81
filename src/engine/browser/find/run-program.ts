import { spawn } from 'node:child_process'

export type RunResult = { code: number; output: string }
/** Runs a program to its end, and says how it ended and the last of what it wrote. Never rejects. */
export type Run = (command: string, args: readonly string[], limitMs: number) => Promise<RunResult>

const outputMax = 4000
/** As shells and timeout(1) answer. */
const notThere = 127
const timedOut = 124

export const run: Run = (command, args, limitMs) =>
  new Promise((resolve) => {
    const child = spawn(command, args, {
      env: environment(),
      stdio: ['ignore', 'pipe', 'pipe'],
      // npx is a script there, which only a shell can start.
      shell: process.platform === 'win32',
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output = (output + text).slice(-outputMax)
      })
    const end = (result: RunResult) => {
      clearTimeout(timer)
      resolve(result)
    }
    // What it has started itself may hold on to its output, so nobody waits for that.
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      end({ code: timedOut, output: `${output}\nnot ended after ${limitMs} ms` })
    }, limitMs)
    child.once('error', (cause) => end({ code: notThere, output: cause.message }))
    child.once('close', (code) => end({ code: code ?? 1, output }))
  })

/** Package managers need proxies and registries from the environment, but none of our keys. */
function environment(): NodeJS.ProcessEnv {
  // oxlint-disable-next-line node/no-process-env -- the settings of the package managers are there
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GOSSAMER_')))
}
