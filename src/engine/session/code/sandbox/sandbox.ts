import type { Language } from '../code.ts'

/** A program for the code of one language, and what it must be able to read. */
export type Program = {
  language: Language
  file: string
  args: readonly string[]
  /** Files and folders; everything below them can be read. */
  reads: readonly string[]
}

/** What is started for it. */
export type Command = {
  file: string
  args: readonly string[]
  env: Readonly<Record<string, string>>
  cwd: string
}

export type Sandbox = {
  readonly name: 'bubblewrap' | 'permission' | 'none'
  /** `strong` is kept by the kernel. `weak` holds against mistakes, not against an attacker. */
  readonly strength: 'strong' | 'weak'
  /** For whoever runs code in it. */
  readonly warning?: string
  /** Further arguments of our own program. */
  readonly childArgs: readonly string[]
  command(program: Program): Command
}

/** All that code is told of the machine. */
export const cleanEnvironment = (home: string, path: string): Record<string, string> => ({
  PATH: path,
  HOME: home,
  TMPDIR: home,
  LANG: 'C.UTF-8',
  PYTHONDONTWRITEBYTECODE: '1',
})

/** Limits of single processes; those of all together are watched from outside. Data: the memory a process may write to, KB. */
export const limitsOf = ({ language }: Program): string =>
  `ulimit -c 0; ulimit -f 131072; ulimit -n 256; ulimit -d ${language === 'node' ? 1_572_864 : 786_432}`
