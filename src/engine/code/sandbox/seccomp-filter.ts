type Cpu = 'x64' | 'arm64'
/** Values of <errno.h>, identical on both CPUs. */
export const errors = { EPERM: 1, ENOSYS: 38, EPROTONOSUPPORT: 93, EAFNOSUPPORT: 97 } as const
/** Number of a call on each CPU; `null` if it does not exist there. */
type Numbers = Readonly<Record<Cpu, number | null>>
/** Parses names of calls, each with its number on x64 and on arm64; `-` if it does not exist there. */
const numbered = (table: string): Record<string, Numbers> =>
  Object.fromEntries(
    table.split(',').map((row) => {
      const [name = '', x64, arm64] = row.trim().split(' ')
      return [name, { x64: x64 === '-' ? null : Number(x64), arm64: arm64 === '-' ? null : Number(arm64) }]
    }),
  )

/** Number of the newest known call (removexattrat, Linux 6.13). Newer ones fail as on an older kernel. */
export const newestCall = 466

/** Calls whose arguments are checked. */
export const inspected: Readonly<Record<'clone' | 'ioctl' | 'socket' | 'socketpair', Readonly<Record<Cpu, number>>>> = {
  clone: { x64: 56, arm64: 220 },
  ioctl: { x64: 16, arm64: 29 },
  socket: { x64: 41, arm64: 198 },
  socketpair: { x64: 53, arm64: 199 },
}

type Denied = {
  because: string
  /** Programs treat ENOSYS as an old kernel and continue without the call; they treat EPERM as a refusal. */
  error: 'EPERM' | 'ENOSYS'
  calls: Readonly<Record<string, Numbers>>
}

/**
 * Calls that sandboxed code does not need and with which attacks on the kernel often start. Most of them need
 * privileges that code does not have anyway. Numbers: asm/unistd_64.h for x64, asm-generic/unistd.h for arm64.
 */
export const denied: readonly Denied[] = [
  {
    because: 'reads, changes or follows other processes, such as those of the sandbox itself',
    error: 'EPERM',
    calls: numbered(`
      ptrace 101 117, process_vm_readv 310 270, process_vm_writev 311 271, process_madvise 440 440,
      kcmp 312 272, pidfd_getfd 438 438, migrate_pages 256 238, move_pages 279 239`),
  },
  {
    because: 'reaches the keys of the user, which namespaces do not isolate',
    error: 'EPERM',
    calls: numbered('add_key 248 217, request_key 249 218, keyctl 250 219'),
  },
  {
    because: 'runs programs in the kernel, or observes it',
    error: 'EPERM',
    calls: numbered(`
      bpf 321 280, perf_event_open 298 241, userfaultfd 323 282, lookup_dcookie 212 18, syslog 103 116,
      fanotify_init 300 262, fanotify_mark 301 263`),
  },
  {
    because: 'makes system calls through a queue, which this filter does not see',
    error: 'ENOSYS',
    calls: numbered('io_uring_setup 425 425, io_uring_enter 426 426, io_uring_register 427 427'),
  },
  {
    because: 'changes mounts, or reveals their sources',
    error: 'EPERM',
    calls: numbered(`
      mount 165 40, umount2 166 39, pivot_root 155 41, chroot 161 51, open_tree 428 428,
      move_mount 429 429, fsopen 430 430, fsconfig 431 431, fsmount 432 432, fspick 433 433,
      mount_setattr 442 442, statmount 457 457, listmount 458 458, quotactl 179 60, quotactl_fd 443 443`),
  },
  {
    because: 'opens files by number instead of by path, even outside the mounts',
    error: 'EPERM',
    calls: numbered('name_to_handle_at 303 264, open_by_handle_at 304 265'),
  },
  {
    because: 'enters or creates namespaces, in which code would have all privileges',
    error: 'EPERM',
    calls: numbered('unshare 272 97, setns 308 268'),
  },
  {
    because: 'creates namespaces by flags in memory, which a filter cannot see; programs use clone instead',
    error: 'ENOSYS',
    calls: numbered('clone3 435 435'),
  },
  {
    because: 'changes the kernel or the machine',
    error: 'EPERM',
    calls: numbered(`
      kexec_load 246 104, kexec_file_load 320 294, init_module 175 105, finit_module 313 273,
      delete_module 176 106, reboot 169 142, swapon 167 224, swapoff 168 225, acct 163 89,
      settimeofday 164 170, clock_settime 227 112, adjtimex 159 171, clock_adjtime 305 266, iopl 172 -,
      ioperm 173 -`),
  },
  {
    because: 'is obsolete and hardly tested',
    error: 'ENOSYS',
    calls: numbered('modify_ldt 154 -, uselib 134 -, ustat 136 -, sysfs 139 -, _sysctl 156 -, nfsservctl 180 42'),
  },
]

/** Actions of <linux/seccomp.h>. The lower bits of an error are its number. */
const allow = 0x7fff0000
const killProcess = 0x80000000
const failWith = (name: keyof typeof errors) => 0x00050000 | errors[name]

/**
 * Offsets in `struct seccomp_data` of <linux/seccomp.h>. `argument` is the lower half; the kernel reads no more of the
 * arguments checked here.
 */
const offsets = { call: 0, cpu: 4, argument: (index: number) => 16 + 8 * index }

/** AUDIT_ARCH_X86_64 and AUDIT_ARCH_AARCH64 of <linux/audit.h>. */
const cpuNames = { x64: 0xc000003e, arm64: 0xc00000b7 } as const

const AF_UNIX = 1
const AF_INET = 2
const AF_INET6 = 10
const SOCK_STREAM = 1
const SOCK_DGRAM = 2
/** The bits of a socket type above this mask are flags. */
const typeMask = 0xf
/** 0 is the default protocol of the type; the others are TCP and UDP. */
const protocols = [0, 6, 17]
/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID and NEWNET of <linux/sched.h>. */
const newNamespaces = 0x7e020000
/** Requests that simulate typing into a terminal. */
const TIOCSTI = 0x5412
const TIOCLINUX = 0x541c

const is = (value: number, jump: string): Instruction => ({ when: 'equal', value, jump })

/**
 * Creates a filter of system calls (seccomp(2)) for code in its own namespaces. It blocks the calls in `denied`,
 * sockets other than those within the sandbox (Unix, TCP, UDP; so no AF_NETLINK, AF_PACKET, AF_VSOCK, AF_ALG), and
 * clone with new namespaces. Undefined for unknown CPUs.
 */
export const seccompFilter = (cpu: string = process.arch): Buffer | undefined =>
  cpu === 'x64' || cpu === 'arm64' ? assemble(instructions(cpu)) : undefined

const instructions = (cpu: Cpu): Instruction[] => [
  { load: offsets.cpu },
  is(cpuNames[cpu], 'own cpu'),
  // Calls of a program for another CPU (32 bits) have different numbers.
  { return: killProcess },
  { label: 'own cpu' },
  { load: offsets.call },
  // This includes calls of the x32 ABI, which have bit 30 set.
  { when: 'greater', value: newestCall, jump: 'ENOSYS' },
  ...denied.flatMap(({ error, calls }) =>
    Object.values(calls).flatMap(({ [cpu]: number }) => (number === null ? [] : is(number, error))),
  ),
  ...Object.entries(inspected).map(([name, { [cpu]: number }]) => is(number, name)),
  { return: allow },
  ...socketRules,
  { label: 'clone' },
  { load: offsets.argument(0) },
  { when: 'any bit of', value: newNamespaces, jump: 'EPERM' },
  { return: allow },
  { label: 'ioctl' },
  { load: offsets.argument(1) },
  is(TIOCSTI, 'EPERM'),
  is(TIOCLINUX, 'EPERM'),
  { label: 'allow' },
  { return: allow },
  ...(['EPERM', 'ENOSYS'] as const).flatMap((name) => [{ label: name }, { return: failWith(name) }]),
]

const socketRules: readonly Instruction[] = [
  { label: 'socket' },
  { load: offsets.argument(0) },
  is(AF_INET, 'internet'),
  is(AF_INET6, 'internet'),
  { label: 'socketpair' },
  { load: offsets.argument(0) },
  is(AF_UNIX, 'allow'),
  { return: failWith('EAFNOSUPPORT') },
  { label: 'internet' },
  { load: offsets.argument(1) },
  { and: typeMask },
  is(SOCK_STREAM, 'protocol'),
  is(SOCK_DGRAM, 'protocol'),
  { return: failWith('EPROTONOSUPPORT') },
  { label: 'protocol' },
  { load: offsets.argument(2) },
  ...protocols.map((protocol) => is(protocol, 'allow')),
  { return: failWith('EPROTONOSUPPORT') },
]

/**
 * One instruction of classic BPF, limited to those that a seccomp filter needs. Jumps go forward to a label; if the
 * condition is false, the next instruction follows.
 */
type Instruction =
  | { load: number }
  | { and: number }
  | { when: 'equal' | 'greater' | 'any bit of'; value: number; jump: string }
  | { label: string }
  | { return: number }

/** Opcodes of <linux/bpf_common.h>: class, size or operation, and source of the operand. */
const codes = {
  load: 0x00 | 0x00 | 0x20, // BPF_LD | BPF_W | BPF_ABS
  and: 0x04 | 0x50, // BPF_ALU | BPF_AND | BPF_K
  equal: 0x05 | 0x10, // BPF_JMP | BPF_JEQ | BPF_K
  greater: 0x05 | 0x20, // BPF_JMP | BPF_JGT | BPF_K
  'any bit of': 0x05 | 0x40, // BPF_JMP | BPF_JSET | BPF_K
  return: 0x06, // BPF_RET | BPF_K
} as const

/** `struct sock_filter` of <linux/filter.h>: 16 bits of code, two distances of 8 bits, and 32 bits of operand. */
const instructionBytes = 8
const maxDistance = 255

/** Encodes the program for the kernel of a little-endian CPU. */
function assemble(program: readonly Instruction[]): Buffer {
  const labels = new Map<string, number>()
  const real: Exclude<Instruction, { label: string }>[] = []
  for (const each of program) {
    if ('label' in each) labels.set(each.label, real.length)
    else real.push(each)
  }
  const bytes = Buffer.alloc(real.length * instructionBytes)
  real.forEach((instruction, index) => {
    const { code, operand, distance } = encoded(instruction, (label) => distanceTo(labels.get(label), index, label))
    const at = index * instructionBytes
    bytes.writeUInt16LE(code, at)
    bytes.writeUInt8(distance, at + 2)
    bytes.writeUInt32LE(operand >>> 0, at + 4)
  })
  return bytes
}

function encoded(instruction: Exclude<Instruction, { label: string }>, distanceOf: (label: string) => number) {
  if ('load' in instruction) return { code: codes.load, operand: instruction.load, distance: 0 }
  if ('and' in instruction) return { code: codes.and, operand: instruction.and, distance: 0 }
  if ('return' in instruction) return { code: codes.return, operand: instruction.return, distance: 0 }
  return { code: codes[instruction.when], operand: instruction.value, distance: distanceOf(instruction.jump) }
}

/** Returns the distance, counted from the instruction after the jump. */
function distanceTo(target: number | undefined, from: number, label: string): number {
  const distance = (target ?? -1) - from - 1
  if (distance < 0 || distance > maxDistance) throw new RangeError(`no jump from instruction ${from} to ${label}`)
  return distance
}
