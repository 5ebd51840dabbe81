import { existsSync, lstatSync, readlinkSync } from 'node:fs'
import { cleanEnvironment, limitsOf, type Program, type Sandbox } from './sandbox.ts'

/** What programs need of a Linux system. Settings, users and everybody's files are not among it. */
const system = [
  '/usr',
  '/bin',
  '/sbin',
  '/lib',
  '/lib32',
  '/lib64',
  '/etc/ld.so.cache',
  '/etc/alternatives',
  '/nix/store',
]
const home = '/tmp'
/** Of what is written, bytes: it lies in memory. */
const maxFiles = String(64 * 1024 * 1024)

/** Namespaces of its own for everything, so no network at all; only readable files; no privileges; ends with us (bwrap(1)). */
export function bubblewrap(bwrap: string, extra: readonly string[]): Sandbox {
  return {
    name: 'bubblewrap',
    strength: 'strong',
    childArgs: [],
    command: (program) => ({
      file: bwrap,
      args: [
        ...bubblewrapArgs(program.reads, extra),
        '/bin/sh',
        '-c',
        `${limitsOf(program)}; exec "$@"`,
        'sh',
        program.file,
        ...program.args,
      ],
      env: cleanEnvironment(home, '/usr/bin:/bin'),
      cwd: '/',
    }),
  }
}

/** Newer than some installed versions: tried first, left out where it is not known. */
export const noMoreNamespaces = ['--unshare-user', '--disable-userns'] as const

/**
 * No --new-session: we start it in a session of its own, without a terminal. bwrap would leave our group before it ties its end to
 * that of its parent, so that a kill in between would miss it.
 */
export function bubblewrapArgs(reads: readonly string[], extra: readonly string[] = []): string[] {
  const apart = `--unshare-all --die-with-parent --cap-drop ALL --uid 65534 --gid 65534 --hostname sandbox`
  const files = [...system, ...reads].filter((path) => existsSync(path)).flatMap(bound)
  const own = `--proc /proc --dev /dev --size ${maxFiles} --tmpfs /dev/shm`
  const closed = `--remount-ro /dev --remount-ro / --chdir ${home} --`
  return [
    ...apart.split(' '),
    ...extra,
    '--size',
    maxFiles,
    '--tmpfs',
    home,
    ...files,
    ...own.split(' '),
    ...closed.split(' '),
  ]
}

const bound = (path: string) =>
  lstatSync(path).isSymbolicLink() ? ['--symlink', readlinkSync(path), path] : ['--ro-bind', path, path]

export const probeProgram: Program = { language: 'bash', file: '/bin/sh', args: ['-c', 'exit 0'], reads: [] }
