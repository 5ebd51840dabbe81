import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createLocalFiles } from '../../src/engine/document/document-reader.ts'
import { failureOf } from '../helpers/fakes.ts'
import { forTest } from '../helpers/for-all.ts'
import { tempDir } from '../helpers/program.ts'

function folders() {
  const { path: root } = forTest(tempDir(), ({ remove }) => remove())
  const allowed = join(root, 'allowed')
  mkdirSync(join(allowed, 'deep'), { recursive: true })
  mkdirSync(join(root, 'allowed-not'))
  writeFileSync(join(root, 'secret.txt'), 'secret')
  writeFileSync(join(root, 'allowed-not', 'a.txt'), 'secret')
  writeFileSync(join(allowed, 'a.txt'), 'hello')
  writeFileSync(join(allowed, 'deep', 'b.txt'), 'deep')
  symlinkSync(join(root, 'secret.txt'), join(allowed, 'link.txt'))
  symlinkSync(join(allowed, 'a.txt'), join(root, 'in.txt'))
  return { root, allowed, files: createLocalFiles([allowed], 10) }
}

test('a file below an allowed folder is read by any path to it', async () => {
  const { root, allowed, files } = folders()
  const hello = { filename: 'a.txt', bytes: Buffer.from('hello') }
  expect(await files.read(join(allowed, 'a.txt'))).toEqual(hello)
  expect(await files.read(`${allowed}/deep/../a.txt`)).toEqual(hello)
  expect((await files.read(join(allowed, 'deep', 'b.txt'))).bytes).toEqual(Buffer.from('deep'))
  expect((await files.read(join(root, 'in.txt'))).bytes).toEqual(Buffer.from('hello'))
})

test.each([
  ['a file next to the folder', 'secret.txt'],
  ['a folder with the same start of its name', 'allowed-not/a.txt'],
  ['a path that leaves by dots', 'allowed/../secret.txt'],
  ['a link that leads out', 'allowed/link.txt'],
  ['a file outside that does not exist', 'nothing.txt'],
  ['a system file', '../../../../../../etc/passwd'],
  ['the folder itself', 'allowed'],
])('%s is refused without revealing whether it exists', async (_, path) => {
  const { root, files } = folders()
  expect(await failureOf(files.read(join(root, path)))).toMatchObject({ code: 'FILE_NOT_ALLOWED', details: undefined })
})

test('a path to a missing file, to a folder or to a large file has its own error', async () => {
  const { allowed, files } = folders()
  writeFileSync(join(allowed, 'large.txt'), 'more than ten bytes')
  expect(await failureOf(files.read(join(allowed, 'nothing.txt')))).toMatchObject({ code: 'FILE_NOT_FOUND' })
  expect(await failureOf(files.read(join(allowed, 'deep')))).toMatchObject({ code: 'FILE_NOT_FOUND' })
  expect(await failureOf(files.read(join(allowed, 'large.txt')))).toMatchObject({ code: 'PAYLOAD_TOO_LARGE' })
})

test('a path through a link out of the folder is refused whether its target exists or not', async () => {
  const { root, allowed, files } = folders()
  symlinkSync(join(root, 'allowed-not'), join(allowed, 'out'))
  for (const name of ['a.txt', 'nothing.txt', 'nothing/at/all.txt'])
    expect(await failureOf(files.read(join(allowed, 'out', name))), name).toMatchObject({ code: 'FILE_NOT_ALLOWED' })
})

test.skipIf(process.platform === 'win32')('a pipe without a writer is refused immediately', async () => {
  const { allowed, files } = folders()
  execFileSync('/usr/bin/env', ['mkfifo', join(allowed, 'pipe')])
  expect(await failureOf(files.read(join(allowed, 'pipe')))).toMatchObject({
    code: 'FILE_NOT_FOUND',
    message: expect.stringContaining('does not lead to a file'),
  })
})

test.runIf(process.platform === 'linux')(
  'devices and virtual files are not read, even below an allowed folder',
  async () => {
    const files = createLocalFiles(['/dev', '/proc/self'], 10)
    expect(await failureOf(files.read('/dev/zero'))).toMatchObject({ code: 'FILE_NOT_FOUND' })
    expect((await files.read('/proc/self/environ')).bytes).toHaveLength(0)
  },
)

test.each(['a\0b.txt', '', '.'])('the path %j is refused', async (path) => {
  expect(await failureOf(folders().files.read(path))).toMatchObject({ code: 'FILE_NOT_ALLOWED' })
})
