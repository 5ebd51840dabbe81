/**
 * Checks the types of bench/. The packages of its peers are installed only for a run, so faults in a file that imports
 * an absent package are unreliable and omitted.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

type TypeFault = { file: string; text: string }

const absentPackage = /TS(?:2307|7016): .*'([^'.][^']*)'/

/** Incremental build state, so that the next check reads only changed files. */
const buildInfo = 'node_modules/.cache/bench.tsbuildinfo'

/** Faults in files without absent imports. @param output of tsc without colours, one fault per line. */
export function certainFaults(output: string): string[] {
  const faults = output.split('\n').flatMap((text): TypeFault[] => {
    const file = /^(\S.*?)\(\d+,\d+\): error/.exec(text)?.[1]
    return file === undefined ? [] : [{ file, text }]
  })
  const uncertain = new Set(faults.filter(({ text }) => absentPackage.test(text)).map(({ file }) => file))
  return faults.filter(({ file }) => !uncertain.has(file)).map(({ text }) => text)
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '..')
  const { stdout, status } = spawnSync(
    'tsc',
    [...'-p bench --pretty false --incremental --tsBuildInfoFile'.split(' '), buildInfo],
    { cwd: root, encoding: 'utf8' },
  )
  const faults = certainFaults(stdout)
  if (status === null) throw new Error('tsc did not run over bench/')
  process.stdout.write([...faults, `${faults.length} faults in bench/.`, ''].join('\n'))
  process.exitCode = faults.length > 0 ? 1 : 0
}
