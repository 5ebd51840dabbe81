import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderForEach } from '../helpers/for-all.ts'
import { startProgram } from '../helpers/program.ts'

const folder = folderForEach()

/** Creates the folder of a browser, as a killed process leaves it. */
function leftFolder(name: string, pid: number): string {
  const path = join(folder.path, `gossamer-browser-${name}`)
  mkdirSync(path, { recursive: true })
  writeFileSync(join(path, 'gossamer-owner.json'), JSON.stringify({ pid, startedAt: null, host: hostname() }))
  return path
}

test.each([
  ['serve', ['serve', '--port', '0']],
  ['stdio', []],
])('a start over %s removes browser folders of dead processes only', async (name, args) => {
  const { pid } = spawnSync(process.execPath, ['--version'])
  const [dead, alive] = [leftFolder(`dead-${name}`, pid), leftFolder(`alive-${name}`, process.pid)]
  const program = startProgram(args, { GOSSAMER_DATA_DIR: 'memory', TMPDIR: folder.path })
  // Over stdio, the folders are removed after the first request.
  program.child.stdin.write('{"jsonrpc":"2.0","id":1,"method":"resources/list"}\n')
  await expect.poll(() => existsSync(dead)).toBe(false)
  expect(existsSync(alive)).toBe(true)
  program.kill('SIGTERM')
  await program.exited
})
