import { existsSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { makeFolder } from '../../src/engine/store/make-folder.ts'
import { tempDir } from '../helpers/program.ts'

const dir = tempDir()
afterAll(() => dir.remove())
const at = (...parts: string[]) => join(dir.path, ...parts)

it('makes a folder and those above it, and takes one that is there', async () => {
  await makeFolder(at('a', 'b', 'c'))
  await makeFolder(at('a', 'b', 'c'))
  expect(statSync(at('a', 'b', 'c')).isDirectory()).toBe(true)
})

it('gives all of them the mode', async () => {
  await makeFolder(at('own', 'deep'), 0o700)
  expect([statSync(at('own')).mode & 0o777, statSync(at('own', 'deep')).mode & 0o777]).toEqual([0o700, 0o700])
})

it('may be asked for the same folders at the same time', async () => {
  await Promise.all(Array.from({ length: 8 }, (_, i) => makeFolder(at('same', 'way', String(i % 2)))))
  expect(existsSync(at('same', 'way', '1'))).toBe(true)
})

it('takes a link to a folder', async () => {
  mkdirSync(at('real'))
  symlinkSync(at('real'), at('link'))
  await makeFolder(at('link', 'inner'))
  expect(existsSync(at('real', 'inner'))).toBe(true)
})

it('fails where a file is in the way', async () => {
  writeFileSync(at('file'), '')
  await expect(makeFolder(at('file'))).rejects.toMatchObject({ code: 'EEXIST' })
  await expect(makeFolder(at('file', 'x', 'y'))).rejects.toMatchObject({ code: 'ENOTDIR' })
})

it.runIf(existsSync('/proc/self'))('fails at once below a folder that takes no others', async () => {
  await expect(makeFolder('/proc/nowhere/deep')).rejects.toMatchObject({ code: 'ENOENT' })
})
