import { assemble, type Instruction } from './assemble.ts'
import { type Cpu, denied, errors, inspected, newestCall } from './denied-calls.ts'

/** What becomes of a call, of <linux/seccomp.h>. The lower bits of an error are its number. */
const allow = 0x7fff0000
const killProcess = 0x80000000
const failWith = (name: keyof typeof errors) => 0x00050000 | errors[name]

/** `struct seccomp_data` of <linux/seccomp.h>; of each argument the lower half, which is all that the kernel reads of these. */
const offsets = { call: 0, cpu: 4, argument: (index: number) => 16 + 8 * index }

/** AUDIT_ARCH_X86_64 and AUDIT_ARCH_AARCH64 of <linux/audit.h>. */
const cpuNames = { x64: 0xc000003e, arm64: 0xc00000b7 } as const

const AF_UNIX = 1
const AF_INET = 2
const AF_INET6 = 10
const SOCK_STREAM = 1
const SOCK_DGRAM = 2
/** Above these bits of the type of a socket are flags. */
const typeMask = 0xf
/** 0 is the usual one of the type; the others are TCP and UDP. */
const protocols = [0, 6, 17]
/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID and NEWNET of <linux/sched.h>. */
const newNamespaces = 0x7e020000
/** They type into a terminal as if somebody sat there. */
const TIOCSTI = 0x5412
const TIOCLINUX = 0x541c

const is = (value: number, jump: string): Instruction => ({ when: 'equal', value, jump })

/**
 * A filter of system calls (seccomp(2)), for code in namespaces of its own. It takes calls away: those of `denied`, sockets but
 * for those within the sandbox (Unix, TCP, UDP; so no AF_NETLINK, AF_PACKET, AF_VSOCK, AF_ALG), clone with new namespaces.
 * Undefined for CPUs that it does not know.
 */
export const seccompFilter = (cpu: string = process.arch): Buffer | undefined =>
  cpu === 'x64' || cpu === 'arm64' ? assemble(instructions(cpu)) : undefined

const instructions = (cpu: Cpu): Instruction[] => [
  { load: offsets.cpu },
  is(cpuNames[cpu], 'own cpu'),
  // Calls of a program for another CPU (32 bits) have other numbers.
  { return: killProcess },
  { label: 'own cpu' },
  { load: offsets.call },
  // So are those of the x32 ABI, which have bit 30 set.
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
