import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { ourFile } from './contestants.ts'

/** Flags of every benchmark, for parseArgs of node:util. */
export const commonFlags = {
  server: { type: 'string', default: ourFile },
  json: { type: 'string' },
  check: { type: 'boolean', default: false },
} as const

/** A path as the user means it: npm changes to this folder before it runs a script. */
export const userPath = (path: string): string => resolve(process.env['INIT_CWD'] ?? '.', path)

/** Fails with a message for the user if the text is not a whole number above 0. */
export function positive(flag: string, text: string): number {
  if (/^[1-9]\d*$/.test(text)) return Number(text)
  throw new Error(`${flag} takes a whole number above 0`)
}

/** Writes all figures of a run to the file of `--json`, if it is given. */
export async function writeJson(path: string | undefined, figures: object): Promise<void> {
  if (path !== undefined) await writeFile(userPath(path), `${JSON.stringify(figures, null, 2)}\n`)
}
