import { existsSync, lstatSync, readFileSync, readlinkSync, statSync } from 'node:fs'
import { cleanEnvironment, firstInput, limitsOf, type Program, type Read, type Sandbox } from './run-in-sandbox.ts'
import { seccompFilter } from './seccomp-filter.ts'

/** What programs need of a Linux system. Settings, users and other people's files are not part of it. */
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
/** Size limit of each in-memory file system that code may write to, bytes. */
const maxFiles = String(64 * 1024 * 1024)
/** Smaller files are copied, since the table of mounts tells where a mounted one comes from. */
const maxCopiedBytes = 4 * 1024 * 1024
const filter = seccompFilter()

/**
 * New namespaces of every kind, so no network at all; read-only files; no privileges; a filter of system calls; killed when
 * this process ends (bwrap(1)). No --new-session: the sandbox starts in a session of its own, without a terminal, and bwrap
 * would leave its process group before it ties its life to that of its parent: a kill in between would miss it.
 */
export function bubblewrap(bwrap: string, extra: readonly string[]): Sandbox {
  return {
    name: 'bubblewrap',
    strength: 'strong',
    about: `no network, no files of users, ${filter ? 'a filter of system calls' : `no filter of system calls for ${process.arch}`}`,
    pathOf: ({ as }) => as,
    childArgs: [],
    command(program) {
      const { args, inputs } = bubblewrapArgs(program.reads, extra)
      return {
        file: bwrap,
        // The command line of bwrap can be read in the sandbox, so its own arguments are not on it.
        args: [
          '--args',
          String(firstInput),
          '--',
          '/bin/sh',
          '-c',
          asInit(program),
          'sh',
          program.file,
          ...program.args,
        ],
        env: cleanEnvironment(home, '/usr/bin:/bin'),
        cwd: '/',
        inputs: [Buffer.from(args.map((arg) => `${arg}\0`).join('')), ...inputs],
      }
    },
  }
}

/**
 * The shell is process 1, since the memory of bwrap holds paths of the machine and code may read that of its other processes.
 * It stays to reap orphans, and keeps to itself what it has to say of killed children.
 */
const asInit = (program: Program) => `${limitsOf(program)}; exec 9>&2 2>/dev/null; "$@" 2>&9 9>&-; exit "$?"`

/** Not in all versions of bwrap: tried first, left out where it is not known. */
export const noMoreNamespaces = ['--unshare-user', '--disable-userns'] as const

function bubblewrapArgs(reads: readonly Read[], extra: readonly string[]) {
  const inputs: Buffer[] = []
  /** After the arguments themselves. */
  const given = (bytes: Buffer) => String(firstInput + inputs.push(bytes))
  const apart = `--unshare-all --as-pid-1 --die-with-parent --cap-drop ALL --uid 65534 --gid 65534 --hostname sandbox`
  const own = `--proc /proc --dev /dev --size ${maxFiles} --tmpfs /dev/shm`
  const args = [
    ...apart.split(' '),
    ...extra,
    ...(filter ? ['--seccomp', given(filter)] : []),
    '--size',
    maxFiles,
    '--tmpfs',
    home,
    ...system.filter((path) => existsSync(path)).flatMap(mountSystem),
    ...reads.filter(({ as }) => !isInSystem(as)).flatMap((read) => show(read, given)),
    ...own.split(' '),
    ...`--remount-ro /dev --remount-ro / --chdir ${home}`.split(' '),
  ]
  return { args, inputs }
}

const mountSystem = (path: string) =>
  lstatSync(path).isSymbolicLink() ? ['--symlink', readlinkSync(path), path] : ['--ro-bind', path, path]

/** Whether a sandbox shows a path because it is the system's. */
export const isInSystem = (path: string) => system.some((folder) => path === folder || path.startsWith(`${folder}/`))

function show({ path, as }: Read, given: (bytes: Buffer) => string): string[] {
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found) return []
  if (found.isFile() && found.size <= maxCopiedBytes)
    return ['--perms', '0555', '--file', given(readFileSync(path)), as]
  if (path === as && lstatSync(path).isSymbolicLink()) return ['--symlink', readlinkSync(path), as]
  return ['--ro-bind', path, as]
}

export const probeProgram: Program = { language: 'bash', file: '/bin/sh', args: ['-c', 'exit 0'], reads: [] }
