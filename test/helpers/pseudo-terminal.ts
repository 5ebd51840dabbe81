import { execFile, spawnSync } from 'node:child_process'
import { bin, cleanEnv } from './program.ts'

/** True if `script` of util-linux, which runs a program on a terminal, is available. */
export const hasTerminal =
  process.platform === 'linux' && spawnSync('script', ['-qec', 'true', '/dev/null']).status === 0

const shellWord = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

/** Runs the program on a terminal. The text contains both outputs and the typed input, as the terminal shows them. */
export async function runOnTerminal(
  args: readonly string[],
  env: Record<string, string> = {},
  typed = '',
): Promise<{ code: number; text: string }> {
  const command = [process.execPath, bin, ...args].map(shellWord).join(' ')
  return new Promise((resolve) => {
    execFile(
      'script',
      ['-qec', command, '/dev/null'],
      { env: cleanEnv({ TERM: 'xterm-256color', SHELL: '/bin/sh', ...env }) },
      (error, stdout) => resolve({ code: Number(error?.code ?? 0), text: stdout.replaceAll('\r\n', '\n') }),
    ).stdin?.end(typed)
  })
}
