import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { openJsonLines } from '../../../src/cli/export/jsonl.ts'
import { folderForEach } from '../../helpers/for-all.ts'

const dir = folderForEach()
let path: string
beforeEach(() => void (path = join(dir.path, 'pages.jsonl')))

test.each(['{"a":', '{"a":3}', '"\u00e9'])('drops an incomplete last line: %s', async (torn) => {
  writeFileSync(path, '{"a":1}\n{"a":"\u2028é"}\n')
  appendFileSync(path, torn)
  const seen: string[] = []
  const lines = await openJsonLines(path, (line) => void seen.push(line))
  await lines.append({ b: 1 })
  await lines.close()
  expect(seen).toEqual(['{"a":1}', '{"a":"\u2028é"}'])
  expect(readFileSync(path, 'utf8')).toBe('{"a":1}\n{"a":"\u2028é"}\n{"b":1}\n')
})

test('reads lines longer than one chunk', async () => {
  const long = Array.from({ length: 5 }, (_, index) => String(index).repeat(65_535 * index + 1))
  writeFileSync(path, long.map((line) => `${line}\n`).join(''))
  const seen: string[] = []
  await (await openJsonLines(path, (line) => void seen.push(line))).close()
  expect(seen).toEqual(long)
})

test('leaves the file unchanged if a line is refused', async () => {
  writeFileSync(path, 'not ours\nnor this')
  const refused = openJsonLines(path, () => {
    throw new Error('refused')
  })
  await expect(refused).rejects.toThrow('refused')
  expect(readFileSync(path, 'utf8')).toBe('not ours\nnor this')
})
