import { existsSync, lstatSync, readFileSync, readlinkSync, statSync } from 'node:fs'
import { cleanEnvironment, firstInput, limitsOf, type Program, type Read, type Sandbox } from './run-in-sandbox.ts'
import { seccompFilter } from './seccomp-filter.ts'

/** Parts of a Linux system that programs need; everything else stays hidden. */
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
/** Size limit in bytes of each in-memory file system that code may write to. */
const maxFiles = String(64 * 1024 * 1024)
/** Files up to this size in bytes are copied. Larger ones are mounted, and the mount table reveals their path. */
const maxCopiedBytes = 4 * 1024 * 1024
const filter = seccompFilter()

/**
 * Creates a sandbox with new namespaces of every kind, so without network; with read-only files, no privileges and a
 * filter of system calls; killed when this process ends (bwrap(1)). Does not use --new-session: the sandbox already
 * starts in its own session, and bwrap would leave its process group before binding its lifetime to its parent, so a
 * kill in between would miss it.
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
        // The command line of bwrap is readable in the sandbox, so its own arguments are passed over a descriptor.
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
 * Returns a shell script to run as process 1 instead of bwrap, because code may read the memory of process 1 and that
 * of bwrap contains paths of the machine. The shell stays to reap orphans, without messages about killed children.
 */
const asInit = (program: Program) => `${limitsOf(program)}; exec 9>&2 2>/dev/null; "$@" 2>&9 9>&-; exit "$?"`

function bubblewrapArgs(reads: readonly Read[], extra: readonly string[]) {
  const inputs: Buffer[] = []
  /** Returns the descriptor of an input; the first input contains the arguments themselves. */
  const given = (bytes: Buffer) => String(firstInput + inputs.push(bytes))
  const isolation = `--unshare-all --as-pid-1 --die-with-parent --cap-drop ALL --uid 65534 --gid 65534 --hostname sandbox`
  const own = `--proc /proc --dev /dev --size ${maxFiles} --tmpfs /dev/shm`
  const args = [
    ...isolation.split(' '),
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

/** True if a path is visible in a sandbox because it belongs to the system. */
export const isInSystem = (path: string) => system.some((folder) => path === folder || path.startsWith(`${folder}/`))

function show({ path, as }: Read, given: (bytes: Buffer) => string): string[] {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (!stats) return []
  if (stats.isFile() && stats.size <= maxCopiedBytes)
    return ['--perms', '0555', '--file', given(readFileSync(path)), as]
  if (path === as && lstatSync(path).isSymbolicLink()) return ['--symlink', readlinkSync(path), as]
  return ['--ro-bind', path, as]
}
