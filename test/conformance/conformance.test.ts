import { execFile } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { startConformanceServer } from './server.ts'
import { forAll } from '../helpers/for-all.ts'

const sets = [
  { revision: '2026-07-28', required: 37 },
  { revision: '2025-11-25', required: 30 },
]

function conformance(args: string[]): Promise<{ code: number; output: string }> {
  return new Promise((done) => {
    const options = { maxBuffer: 64 * 1024 * 1024, cwd: process.cwd() }
    execFile('node_modules/.bin/conformance', ['server', ...args], options, (error, stdout, stderr) => {
      done({ code: error ? Number(error.code ?? 1) : 0, output: `${stdout}\n${stderr}` })
    })
  })
}

/** Reads the summary. It has a line for each scenario; those that do not count follow a second time, indented. */
function scoredScenarios(output: string): { name: string; passed: boolean }[] {
  const unscored = new Set([...output.matchAll(/^ {2}[✓✗] (\S+) \(/gmu)].map(([, name]) => name))
  return [...output.matchAll(/^([✓✗]) (\S+): \d+ passed/gmu)]
    .map(([, mark, name = '']) => ({ name, passed: mark === '✓' }))
    .filter(({ name }) => !unscored.has(name))
}

describe('the conformance suite of the protocol', () => {
  const server = forAll(startConformanceServer)

  it.each(sets)('passes all $required required server scenarios of $revision', async ({ revision, required }) => {
    const { code, output } = await conformance(['--url', server.url, '--requirements', revision])
    const scored = scoredScenarios(output)
    expect(scored.filter(({ passed }) => !passed)).toEqual([])
    expect(scored).toHaveLength(required)
    expect(code).toBe(0)
  })
})
