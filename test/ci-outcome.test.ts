import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { folderForAll } from './helpers/for-all.ts'

const root = join(import.meta.dirname, '..')
const folder = folderForAll()

type Run = { report?: object; outside?: string; reasons?: string[] }

/** Runs the script for a test run with these results, and returns its status and its output. */
function outcomeOf({ report, outside, reasons = [] }: Run) {
  const [reportPath, outsidePath] = ['report.json', 'outside'].map((name) =>
    join(folder.path, crypto.randomUUID() + name),
  )
  if (report) writeFileSync(reportPath!, JSON.stringify(report))
  if (outside !== undefined) writeFileSync(outsidePath!, outside)
  const args = [join(root, '.ci/outcome.cjs'), reportPath!, outsidePath!, ...reasons]
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  return { status, lines: stdout.trimEnd().split('\n') }
}

const good = { numPassedTests: 7, numFailedTests: 0, numFailedTestSuites: 0, success: true }

describe('the outcome of a test run', () => {
  it('without failures is only its numbers', () => {
    expect(outcomeOf({ report: good, outside: '0' })).toEqual({ status: 0, lines: ['7 passed, 0 failed'] })
  })

  it.each<[string, Run, string]>([
    [
      'had errors outside of tests',
      { report: good, outside: '4', reasons: ['npm ci && npm test ended with code 1'] },
      'vitest reported 4 errors outside of tests',
    ],
    [
      'failed a static check',
      { report: good, outside: '0', reasons: ['npm run static ended with code 2'] },
      'npm run static ended with code 2',
    ],
    [
      'could not load a file',
      { report: { ...good, numFailedTestSuites: 1, success: false } },
      '1 files or groups of tests failed without a test',
    ],
    ['ran no test', { report: { ...good, numPassedTests: 0 } }, 'no test passed'],
  ])('that %s is a failure, with the reason before the numbers', (_, run, why) => {
    const { status, lines } = outcomeOf(run)
    expect(status).toBe(1)
    expect(lines).toContain(`refused: ${why}`)
    expect(lines.at(-1)).toMatch(/^\d+ passed, 0 failed$/)
  })

  it('that ended before its tests is the reason', () => {
    const reasons = ['npm ci && npm test ended with code 1']
    expect(outcomeOf({ reasons })).toEqual({
      status: 1,
      lines: [`refused: ${reasons[0]}`, 'refused: the tests left no report', '0 passed, 0 failed'],
    })
  })

  it('with failed tests is a failure, with their number', () => {
    const report = { ...good, numFailedTests: 2, numFailedTestSuites: 1, success: false }
    const { status, lines } = outcomeOf({ report, outside: '0' })
    expect([status, lines.at(-1)]).toEqual([1, '7 passed, 2 failed'])
  })
})
