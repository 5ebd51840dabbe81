import { spawn } from 'node:child_process'

export type RunResult = { code: number; output: string }
/** Runs a program, and resolves with its exit code and the end of its output. Never rejects. */
export type Run = (command: string, args: readonly string[], limitMs: number) => Promise<RunResult>

const maxOutput = 4000
/** Exit codes of shells and timeout(1). */
const notFound = 127
const timedOut = 124

export const run: Run = (command, args, limitMs) =>
  new Promise((resolve) => {
    const child = spawn(command, args, {
      env: environment(),
      stdio: ['ignore', 'pipe', 'pipe'],
      // On Windows npx is a script, which only a shell can start.
      shell: process.platform === 'win32',
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output = (output + text).slice(-maxOutput)
      })
    const end = (result: RunResult) => {
      clearTimeout(timer)
      resolve(result)
    }
    // Its child processes may keep the output open, so `close` is not awaited.
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      end({ code: timedOut, output: `${output}\nnot ended after ${limitMs} ms` })
    }, limitMs)
    child.once('error', (cause) => end({ code: notFound, output: cause.message }))
    child.once('close', (code) => end({ code: code ?? 1, output }))
  })

/** Package managers need proxies and registries from the environment, but not our keys. */
function environment(): NodeJS.ProcessEnv {
  // oxlint-disable-next-line node/no-process-env -- the settings of the package managers are there
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GOSSAMER_')))
}
