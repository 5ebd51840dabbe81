import { existsSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { makeFolder } from '../../src/engine/store/make-folder.ts'
import { folderForAll } from '../helpers/for-all.ts'

const dir = folderForAll()
const at = (...parts: string[]) => join(dir.path, ...parts)

it('a folder and its parents are created, and an existing one is accepted', async () => {
  await makeFolder(at('a', 'b', 'c'))
  await makeFolder(at('a', 'b', 'c'))
  expect(statSync(at('a', 'b', 'c')).isDirectory()).toBe(true)
})

it('a link to a folder is accepted', async () => {
  mkdirSync(at('real'))
  symlinkSync(at('real'), at('link'))
  await makeFolder(at('link', 'inner'))
  expect(existsSync(at('real', 'inner'))).toBe(true)
})

it('a file at the path of the folder is an error', async () => {
  writeFileSync(at('file'), '')
  await expect(makeFolder(at('file'))).rejects.toMatchObject({ code: 'EEXIST' })
  await expect(makeFolder(at('file', 'x', 'y'))).rejects.toMatchObject({ code: 'ENOTDIR' })
})
