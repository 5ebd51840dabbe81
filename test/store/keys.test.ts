import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { tempDir, tempStore } from './kit.ts'

const owner = { name: 'laptop', teamId: 'team', permissions: ['ignoreRobotsTxt'] as const }

describe('an API key', () => {
  test('finds its owner', async () => {
    const { store } = await tempStore()
    const { key } = await store.keys.add(owner)
    expect(key).toMatch(/^gsm-[\w-]{32}$/)
    expect(await store.keys.find(key)).toEqual(owner)
  })

  test.each(['', 'gsm-', 'gsm-'.padEnd(36, 'A'), 'laptop', '漢字'])('%j is nobody', async (presented) => {
    const { store } = await tempStore()
    await store.keys.add(owner)
    expect(await store.keys.find(presented)).toBeUndefined()
  })

  test('is listed by name and beginning only', async () => {
    const { store, clock } = await tempStore()
    const { key } = await store.keys.add(owner)
    expect(await store.keys.list()).toEqual([{ ...owner, prefix: key.slice(0, 8), createdAt: clock.now() }])
  })

  test('opens nothing once revoked, and its name is free again', async () => {
    const { store } = await tempStore()
    const { key } = await store.keys.add(owner)
    await store.keys.revoke('laptop')
    expect(await store.keys.find(key)).toBeUndefined()
    expect(await store.keys.list()).toEqual([])
    expect((await store.keys.add(owner)).key).not.toBe(key)
  })

  test('is in no file of the store', async () => {
    const dir = await tempDir()
    const { store } = await tempStore({ dir })
    const { key } = await store.keys.add(owner)
    await store.close()
    const file = await readFile(join(dir, 'gossamer.db'))
    expect(file.includes('laptop')).toBe(true)
    expect(file.includes(key.slice(8))).toBe(false)
  })
})

describe('a name', () => {
  test('that is taken is refused and the first key keeps working', async () => {
    const { store } = await tempStore()
    const { key } = await store.keys.add(owner)
    await expect(store.keys.add({ ...owner, teamId: 'other' })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: 'There is already a key named "laptop".',
    })
    expect(await store.keys.find(key)).toEqual(owner)
  })

  test.each(['', 'x'.repeat(65), 'two\nlines'])('%j is refused', async (name) => {
    const { store } = await tempStore()
    await expect(store.keys.add({ ...owner, name })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  })

  test('that nobody has cannot be revoked', async () => {
    const { store } = await tempStore()
    await expect(store.keys.revoke('laptop')).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: 'There is no key named "laptop".',
    })
  })
})
