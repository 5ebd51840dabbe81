import type { Language } from '../../../contracts/session.ts'

/** A program for the code of one language, and what it must be able to read. */
export type Program = {
  language: Language
  file: string
  args: readonly string[]
  /** Files and folders; everything below them can be read. */
  reads: readonly string[]
  /** Of each file that it writes, in units of 512 bytes; 64 MB by default. */
  maxFileBlocks?: number
  /** Memory that each of its processes may write to, KB; 768 MB by default. */
  maxDataKb?: number
  /** It speaks with the browser by way of our bridge, over descriptor 3 of that. */
  via?: 'bridge'
}

/** What is started for it. */
export type Command = {
  file: string
  args: readonly string[]
  env: Readonly<Record<string, string>>
  cwd: string
}

export type Sandbox = {
  readonly name: 'bubblewrap' | 'deno' | 'permission' | 'none'
  /** `strong` is kept by the kernel, or by a program that is made for it. `weak` holds against mistakes, not against an attacker. */
  readonly strength: 'strong' | 'weak'
  /** For whoever runs code in it. */
  readonly warning?: string
  /** What runs JavaScript in it instead of Node. */
  readonly runtime?: string
  /** Further arguments of our own program. */
  readonly childArgs: readonly string[]
  command(program: Program): Command
}

/** Of JavaScript's own objects, MB. */
export const heapMb = 384

/** What V8 sets aside counts as well. */
export const nodeDataKb = 1_572_864

/** All that code is told of the machine. */
export const cleanEnvironment = (home: string, path: string): Record<string, string> => ({
  PATH: path,
  HOME: home,
  TMPDIR: home,
  LANG: 'C.UTF-8',
  PYTHONDONTWRITEBYTECODE: '1',
})

/** Limits of single processes; those of all together are watched from outside. */
export const limitsOf = ({ maxFileBlocks = 131_072, maxDataKb = 786_432 }: Program): string =>
  `ulimit -c 0; ulimit -f ${maxFileBlocks}; ulimit -n 256; ulimit -d ${maxDataKb}`

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
