import { describe, expect, test } from 'vitest'
import type { Language } from '../../../src/contracts/session-port.ts'
import {
  denied,
  errors,
  inspected,
  newestCall,
  seccompFilter,
} from '../../../src/engine/code/sandbox/seccomp-filter.ts'
import { shareHere } from '../../browser/programs/shared.ts'
import { outcome, runnerOn, strong } from './programs/coding.ts'
import { forAll } from '../../helpers/for-all.ts'

const allowed = 0x7fff0000
const killed = 0x80000000
const failed = (error: keyof typeof errors) => 0x00050000 + errors[error]
const audit = { x64: 0xc000003e, arm64: 0xc00000b7, ia32: 0x40000003 }
const cpus = ['x64', 'arm64'] as const
/** Each denied call, by its name. */
const calls = denied.flatMap(({ error, calls: group }) =>
  Object.entries(group).map(([name, numbers]) => ({ name, error, numbers })),
)

/** Returns the kernel's decision on a call, by the rules of classic BPF (linux/filter.h). */
function verdict(program: Buffer, call: { cpu: number; number: number; args?: number[] }): number {
  const data = Buffer.alloc(64)
  data.writeUInt32LE(call.number >>> 0, 0)
  data.writeUInt32LE(call.cpu, 4)
  call.args?.forEach((value, index) => data.writeUInt32LE(value, 16 + 8 * index))
  let register = 0
  for (let at = 0; ; at += 8) {
    const [code, yes, no] = [program.readUInt16LE(at), program.readUInt8(at + 2), program.readUInt8(at + 3)]
    const operand = program.readUInt32LE(at + 4)
    const jumps: Record<number, () => boolean> = {
      0x15: () => register === operand,
      0x25: () => register > operand,
      0x45: () => (register & operand) !== 0,
    }
    const jump = jumps[code]
    if (jump) at += 8 * (jump() ? yes : no)
    else if (code === 0x20) register = data.readUInt32LE(operand)
    else if (code === 0x54) register = (register & operand) >>> 0
    else if (code === 0x06) return operand
    else throw new Error(`unknown instruction ${code}`)
  }
}

describe.each(cpus)('the filter on %s', (cpu) => {
  const program = seccompFilter(cpu)!
  const run = (number: number, ...args: number[]) => verdict(program, { cpu: audit[cpu], number, args })
  const [unix, inet, inet6, stream, datagram, raw, sequence] = [1, 2, 10, 1, 2, 3, 5] as const

  test('denies every call in the table, and kills a process that uses the calls of another CPU', () => {
    for (const { name, error, numbers } of calls)
      if (numbers[cpu] !== null) expect(run(numbers[cpu]), name).toBe(failed(error))
    for (const other of Object.values(audit).filter((each) => each !== audit[cpu]))
      expect(verdict(program, { cpu: other, number: 0 })).toBe(killed)
  })

  test('denies calls of the x32 ABI, and those that are newer than the table', () => {
    for (const number of [0x40000000, 0x40000000 + inspected.socket[cpu], 0xffffffff, newestCall + 1, 512])
      expect(run(number)).toBe(failed('ENOSYS'))
  })

  test('allows all other calls', () => {
    const listed = [...calls.map(({ numbers }) => numbers[cpu]), ...Object.values(inspected).map((each) => each[cpu])]
    for (let number = 0; number <= newestCall; number++)
      if (!listed.includes(number)) expect(run(number), `call ${number}`).toBe(allowed)
  })

  test('allows sockets of the sandbox, by family, type and protocol', () => {
    const { socket, socketpair } = inspected
    const flags = 0x80800
    for (const [family, type, protocol] of [
      [unix, sequence, 0],
      [unix, datagram | flags, 0],
      [inet, stream, 0],
      [inet6, stream | flags, 6],
      [inet, datagram, 17],
    ] as const)
      expect(run(socket[cpu], family, type, protocol)).toBe(allowed)
    for (let family = 0; family < 64; family++)
      if (![unix, inet, inet6].includes(family as 1))
        expect(run(socket[cpu], family, stream, 0)).toBe(failed('EAFNOSUPPORT'))
    for (const [type, protocol] of [
      [raw, 1],
      [sequence, 0],
      [stream, 132],
      [stream, 262],
      [datagram, 1],
      [10, 3],
    ] as const)
      expect(run(socket[cpu], inet, type, protocol)).toBe(failed('EPROTONOSUPPORT'))
    expect([run(socketpair[cpu], unix, stream, 0), run(socketpair[cpu], 30, stream, 0)]).toEqual([
      allowed,
      failed('EAFNOSUPPORT'),
    ])
  })

  test('allows threads and processes without new namespaces, and no input to terminals', () => {
    const thread = 0x3d0f00
    expect([run(inspected.clone[cpu], thread), run(inspected.clone[cpu], 17)]).toEqual([allowed, allowed])
    for (const flag of [0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000])
      expect(run(inspected.clone[cpu], flag | 17)).toBe(failed('EPERM'))
    expect([0x5401, 0x5412, 0x541c].map((command) => run(inspected.ioctl[cpu], 0, command))).toEqual([
      allowed,
      failed('EPERM'),
      failed('EPERM'),
    ])
  })
})

const here = cpus.find((cpu) => cpu === process.arch)
if (!strong) console.warn('No usable bubblewrap here, so its filter of system calls is not tested for real.')

describe.skipIf(!strong || !here)('in bubblewrap', () => {
  const browser = forAll(shareHere)
  async function ran(language: Language, code: string): Promise<string> {
    const runner = runnerOn(browser, { language, sandbox: strong! })
    const { stdout, error } = await outcome(runner, code)
    await runner.close()
    expect(error).toBeUndefined()
    return stdout
  }

  test('the kernel denies each call of the table', async () => {
    const wanted = calls.flatMap(({ name, error, numbers }) => {
      const number = numbers[here!]
      return number === null ? [] : [{ name, number, error: errors[error] }]
    })
    const stdout = await ran(
      'python',
      `import ctypes
libc = ctypes.CDLL(None, use_errno=True)
for name, number in ${JSON.stringify(wanted.map(({ name, number }) => [name, number]))}:
    ctypes.set_errno(0)
    libc.syscall(number, 0, 0, 0, 0, 0, 0)
    print(name, ctypes.get_errno())
for flag in (0x20000, 0x10000000, 0x20000000, 0x40000000):
    ctypes.set_errno(0)
    print('clone', libc.syscall(${inspected.clone[here!]}, flag | 17, 0, 0, 0, 0), ctypes.get_errno())
print('newer', libc.syscall(${newestCall + 1}, 0, 0, 0), ctypes.get_errno())`,
    )
    const lines = wanted.map(({ name, error }) => `${name} ${error}`)
    expect(stdout.trim().split('\n')).toEqual([...lines, ...Array(4).fill('clone -1 1'), 'newer -1 38'])
  })

  test('Python gets sockets within the sandbox only', async () => {
    const stdout = await ran(
      'python',
      `import socket
def attempt(*given):
    try:
        socket.socket(*given).close()
        return 0
    except OSError as error:
        return error.errno
print([family for family in range(64) if attempt(family, socket.SOCK_STREAM) != 97])
print([family for family in range(64) if attempt(family, socket.SOCK_RAW) not in (93, 97)])
print(attempt(2, socket.SOCK_STREAM, 132), attempt(2, socket.SOCK_STREAM, 262), attempt(2, socket.SOCK_DGRAM, 1))
server = socket.create_server(('127.0.0.1', 0))
client = socket.create_connection(server.getsockname())
client.sendall(b'within')
print(server.accept()[0].recv(10).decode())`,
    )
    const [streams, raws, protocols, within] = stdout.split('\n')
    expect([streams, within]).toEqual(['[1, 2, 10]', 'within'])
    // Unix sockets treat any unknown type as datagrams.
    expect(raws).toBe('[1]')
    expect(protocols).toBe('93 93 93')
  })

  test('every process is filtered, including the first, and may start processes and threads', async () => {
    const status = `for each in 1 self; do grep -E '^(Seccomp|NoNewPrivs):' "/proc/$each/status"; done`
    const filtered = 'NoNewPrivs:\t1\nSeccomp:\t2\n'.repeat(2)
    expect(await ran('bash', `${status}; (echo child | cat)`)).toBe(`${filtered}child\n`)
    const node = `const { execFileSync } = require('child_process')
      process.stdout.write(execFileSync('/bin/sh', ['-c', ${JSON.stringify(status)}]))
      const { Worker } = require('worker_threads')
      await new Promise((resolve) => new Worker('process.stdout.write("thread\\\\n")', { eval: true }).on('exit', resolve))`
    expect(await ran('node', node)).toBe(`${filtered}thread\n`)
  })

  test('programs cannot create namespaces or mounts', async () => {
    const tools = [
      'unshare -r true',
      'unshare -n true',
      'nsenter -t 1 -m true',
      'mount -t tmpfs none /tmp',
      'chroot / true',
    ]
    const tried = tools.map((tool) => `${tool} 2>/dev/null && echo '${tool}'`).join('\n')
    expect(await ran('bash', `${tried}\necho end`)).toBe('end\n')
  })
})
