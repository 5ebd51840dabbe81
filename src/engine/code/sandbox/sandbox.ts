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
