import { spawn } from 'node:child_process'
import { DatabaseSync } from 'node:sqlite'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, onTestFinished, test } from 'vitest'
import { tempDir, tempStore } from './kit.ts'
import { fakeClock, aPage } from '../contracts/fixtures.ts'

type Ended = { code: number | null; stdout: string; stderr: string }

/** A separate process that does not outlive the test. */
function start(program: string, ...args: string[]) {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'programs', program), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

async function runToEnd(program: string, ...args: string[]): Promise<Ended> {
  const child = start(program, ...args)
  const texts = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk: Buffer) => (texts.stdout += chunk))
  child.stderr.on('data', (chunk: Buffer) => (texts.stderr += chunk))
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, ...texts }
}

async function idsUntilKilled(dir: string, count: number): Promise<string[]> {
  const child = start('record-until-killed.ts', dir)
  const ids: string[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    ids.push(line)
    if (ids.length === count) child.kill('SIGKILL')
  }
  return ids
}

const rowsOf = (dir: string, sql: string): Record<string, unknown>[] => {
  const db = new DatabaseSync(join(dir, 'gossamer.db'))
  try {
    return db.prepare(sql).all()
  } finally {
    db.close()
  }
}
const allNames = (processes: number, each: number): string[] =>
  Array.from({ length: processes * each }, (_, nth) => `p${Math.floor(nth / each)}-${nth % each}`)

// Many processes share few cores, so these tests may take long.
describe('processes on one folder', () => {
  test('keep every acknowledged job after kill -9, five times', async () => {
    const dir = await tempDir()
    const acknowledged: string[] = []
    for (let round = 0; round < 5; round++) {
      const ids = await idsUntilKilled(dir, 20 + round * 7)
      expect(ids.length).toBeGreaterThanOrEqual(20)
      acknowledged.push(...ids)
      expect(rowsOf(dir, 'PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }])
    }
    for (const table of ['job', 'activity'])
      expect(rowsOf(dir, `SELECT id FROM ${table}`).map(({ id }) => id)).toEqual(expect.arrayContaining(acknowledged))
    const [ledger] = rowsOf(dir, 'SELECT SUM(credits) AS credits FROM ledger')
    const [rollUp] = rowsOf(dir, 'SELECT SUM(credits) AS credits FROM usage_day')
    expect(rollUp).toEqual(ledger)
  })

  test('four processes write concurrently and nothing is lost or refused', async () => {
    const dir = await tempDir()
    const { store } = await tempStore({ dir, clock: fakeClock(Date.now()) })
    await store.pages.keep('shared', aPage({ fetchedAt: 1 }), Buffer.from('shared'))
    const ended = await Promise.all([0, 1, 2, 3].map((nth) => runToEnd('write-many.ts', dir, '50', `p${nth}`)))
    expect(ended).toEqual(ended.map(() => ({ code: 0, stdout: 'file', stderr: '' })))

    const names = allNames(4, 50).sort()
    expect(rowsOf(dir, 'SELECT id FROM job ORDER BY id').map(({ id }) => id)).toEqual(names)
    expect(Object.keys((await store.pages.find('shared'))?.made ?? {}).sort()).toEqual(names)
    expect(await store.pages.body('p3-49')).toEqual(new Uint8Array(Buffer.from('<p>p3</p>'.repeat(2000))))
    expect(await store.usage.since('team', 0)).toBe(200)
  })

  test('twenty processes open a new folder concurrently', async () => {
    const dir = join(await tempDir(), 'made', 'by', 'them')
    const ended = await Promise.all(
      Array.from({ length: 20 }, (_, nth) => runToEnd('write-many.ts', dir, '1', `p${nth}`)),
    )
    expect(ended).toEqual(ended.map(() => ({ code: 0, stdout: 'file', stderr: '' })))
    expect(rowsOf(dir, 'SELECT COUNT(*) AS jobs FROM job')).toEqual([{ jobs: 20 }])
    expect((await readdir(dir)).filter((name) => name.includes('corrupt'))).toEqual([])
  })

  test('a program that does not close its store ends by itself, after its last write', async () => {
    const dir = await tempDir()
    expect(await runToEnd('leave-open.ts', dir)).toEqual({ code: 0, stdout: 'end of program', stderr: '' })
    expect(rowsOf(dir, "SELECT id FROM job WHERE id = 'last'")).toHaveLength(1)
  })
})
