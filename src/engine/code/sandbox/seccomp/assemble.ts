/** One instruction of classic BPF, as far as a seccomp filter needs them. Jumps go forward, to a label; where the condition does not hold, the next instruction follows. */
export type Instruction =
  | { load: number }
  | { and: number }
  | { when: 'equal' | 'greater' | 'any bit of'; value: number; jump: string }
  | { label: string }
  | { return: number }

/** Codes of <linux/bpf_common.h>: class, size or operation, and source of the operand. */
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

/** The program in the form that the kernel takes, for a CPU that stores the lowest byte first. */
export function assemble(program: readonly Instruction[]): Buffer {
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

/** Counted from the instruction after the jump. */
function distanceTo(target: number | undefined, from: number, label: string): number {
  const distance = (target ?? -1) - from - 1
  if (distance < 0 || distance > maxDistance) throw new RangeError(`no jump from instruction ${from} to ${label}`)
  return distance
}
