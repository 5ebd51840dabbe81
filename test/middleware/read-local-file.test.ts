import { expect, test } from 'vitest'
import { readLocalFile } from '../../src/middleware/check-input.ts'
import { FileBytes } from '../../src/util/file-bytes.ts'
import { failureOf, fakeCtx } from '../helpers/fakes.ts'
import { toy, under } from './toy.ts'

const operation = toy({ upload: { field: 'file', maxBytes: 10 } })

const local = fakeCtx({ team: { id: 'local', key: null, permissions: ['localFiles'] } })
const paths: string[] = []
const call = under(
  readLocalFile({
    read: async (path) => {
      paths.push(path)
      return { filename: 'a.txt', bytes: new TextEncoder().encode('hello') }
    },
  }),
  async (input) => input,
)

test('a path is replaced by its file if the caller may read files', async () => {
  const input = await call(operation, { path: '/data/a.txt', timeout: 5 }, local)
  expect(input).toMatchObject({ file: { base64: expect.any(FileBytes) } })
  expect(JSON.parse(JSON.stringify(input))).toEqual({ timeout: 5, file: { filename: 'a.txt', base64: 'aGVsbG8=' } })
})

test('a caller without the permission cannot read a file', async () => {
  paths.length = 0
  expect(await failureOf(call(operation, { path: '/data/a.txt' }, fakeCtx()))).toMatchObject({
    code: 'FILE_NOT_ALLOWED',
  })
  expect(paths).toEqual([])
})

test('a path in addition to a file is refused', async () => {
  const input = { path: '/data/a.txt', file: { filename: 'b.txt', base64: 'aGVsbG8=' } }
  expect(await failureOf(call(operation, input, local))).toMatchObject({ code: 'BAD_REQUEST' })
})

test.each([
  ['a call that takes no file', toy(), { path: '/data/a.txt' }],
  ['a file that was sent', operation, { file: { filename: 'b.txt', base64: 'aGVsbG8=' } }],
  ['an invalid path', operation, { path: 7 }],
])('%s is passed on unchanged', async (_name, of, input) => {
  paths.length = 0
  expect(await call(of, input, local)).toBe(input)
  expect(paths).toEqual([])
})
