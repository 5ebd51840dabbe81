import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tempDir, tempStore } from './kit.ts'

const owner = { name: 'laptop', teamId: 'team', permissions: ['ignoreRobotsTxt'] as const }

test('no file of the store contains an API key', async () => {
  const dir = await tempDir()
  const { store } = await tempStore({ dir })
  const { key } = await store.keys.add(owner)
  await store.close()
  const file = await readFile(join(dir, 'gossamer.db'))
  expect(file.includes('laptop')).toBe(true)
  expect(file.includes(key.slice(8))).toBe(false)
})
