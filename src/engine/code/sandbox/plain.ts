import { cleanEnvironment, type Command, limitsOf, type Program, type Sandbox } from './sandbox.ts'

/**
 * Ends the whole group when descriptor 4 closes, which it does when our process ends, however it ends: an endless loop
 * would not notice. Then becomes the program.
 */
const watched = (program: Program) =>
  `(cat <&4 >/dev/null 2>&1; kill -9 -$$) 3>&- >/dev/null 2>&1 & ${limitsOf(program)}; exec 4>&-; exec "$@"`

export const underWatch = (
  program: Program,
  args: readonly string[],
  env = cleanEnvironment('/dev/null', '/usr/local/bin:/usr/bin:/bin'),
): Command =>
  process.platform === 'win32'
    ? { file: program.file, args, env: cleanEnvironment('', ''), cwd: process.cwd() }
    : {
        file: '/bin/sh',
        args: ['-c', watched(program), 'sh', program.file, ...args],
        env,
        cwd: '/',
      }

/** Node's permission model: no files, no child processes, no threads, no native code (https://nodejs.org/api/permissions.html). */
export const permission: Sandbox = {
  name: 'permission',
  strength: 'weak',
  warning:
    'The code ran under Node\'s permission model, which keeps it from files and other processes; the network is closed in JavaScript only. Install bubblewrap ("apt-get install bubblewrap") or Deno ("npm install deno" beside Gossamer) for a real sandbox.',
  childArgs: ['-', 'locked'],
  command: (program) =>
    underWatch(program, ['--permission', ...program.reads.map((path) => `--allow-fs-read=${path}`), ...program.args]),
}

/** No sandbox: a process of its own, with a clean environment and limits. */
export const none: Sandbox = {
  name: 'none',
  strength: 'weak',
  warning:
    'The code ran without a sandbox: it could read files of this machine and use its network. Install bubblewrap ("apt-get install bubblewrap").',
  childArgs: [],
  command: (program) => underWatch(program, program.args),
}
