import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { fileNameOf } from '../../src/engine/browser/profile/store-file.ts'
import { profileFolder, read, reader, save, saver, stateOf } from './programs/profile-folder.ts'

const folder = profileFolder()

const changed = (change: (file: Record<string, unknown> & { sealed: Record<string, string> }) => object) => {
  const path = folder.fileWith('.json')
  writeFileSync(path, JSON.stringify(change(JSON.parse(readFileSync(path, 'utf8')) as never)))
}
const flip = (text = '') => (text.startsWith('A') ? 'B' : 'A') + text.slice(1)
describe('a profile store with a key', () => {
  const key = 'correct horse battery'

  test('writes no readable part of a state to disk', async () => {
    await save(folder.store(key), 'team', 'p', 'hunter2')
    const text = readFileSync(folder.fileWith('.json'), 'utf8')
    expect(text).not.toContain('hunter2')
    expect(text).not.toContain('127.0.0.1')
    expect(JSON.parse(text)).toMatchObject({ name: 'p', sealed: { cipher: 'aes-256-gcm' } })
    expect(await read(folder.store(key), 'team', 'p')).toBe('hunter2')
    expect(await folder.store().list('team')).toMatchObject([{ name: 'p', isEncrypted: true }])
  })

  test('uses a new initialisation vector for each save, and a new salt for each process', async () => {
    const sealed = async (store = folder.store(key)) => {
      await save(store, 'team', 'p', 'same')
      return (JSON.parse(readFileSync(folder.fileWith('.json'), 'utf8')) as { sealed: Record<string, string> }).sealed
    }
    const store = folder.store(key)
    const all = [await sealed(store), await sealed(store), await sealed()]
    for (const part of ['iv', 'tag', 'data']) expect(new Set(all.map((each) => each[part])).size).toBe(3)
    expect(new Set(all.map(({ salt }) => salt)).size).toBe(2)
  })

  test('reads a plain profile, and encrypts it at the next save', async () => {
    await save(folder.store(), 'team', 'p', 'old')
    const store = folder.store(key)
    expect(await read(store, 'team', 'p')).toBe('old')
    const held = await store.open('team', 'p', saver)
    await held.save(held.state ?? stateOf('lost'))
    await held.release()
    expect(readFileSync(folder.fileWith('.json'), 'utf8')).not.toContain('old')
    expect(await read(store, 'team', 'p')).toBe('old')
  })

  test.each<[string, string | undefined, () => void]>([
    ['another key', 'another key', () => {}],
    ['no key', undefined, () => {}],
    [
      'changed data',
      key,
      () => changed((file) => ({ ...file, sealed: { ...file.sealed, data: flip(file.sealed['data']) } })),
    ],
    [
      'a changed tag',
      key,
      () => changed((file) => ({ ...file, sealed: { ...file.sealed, tag: flip(file.sealed['tag']) } })),
    ],
    ['a short tag', key, () => changed((file) => ({ ...file, sealed: { ...file.sealed, tag: 'AAAA' } }))],
    ['a changed date', key, () => changed((file) => ({ ...file, savedAt: 1 }))],
    ['another name', key, () => changed((file) => ({ ...file, name: 'q' }))],
  ])('does not open a profile with %s, and changes no file', async (_, other, change) => {
    const mine = folder.store(key)
    await save(mine, 'team', 'p', 'hunter2')
    const before = folder.files().length
    change()
    // Reuses the store, because deriving a key is slow.
    const theirs = other === key ? mine : folder.store(other)
    for (const options of [reader, saver])
      await expect(theirs.open('team', 'p', options)).rejects.toMatchObject({
        code: 'PROFILE_UNREADABLE',
        hint: expect.stringContaining('GOSSAMER_PROFILE_KEY'),
      })
    expect(folder.files()).toHaveLength(before)
  })

  test('does not open a file of another team', async () => {
    const store = folder.store(key)
    await save(store, 'a', 'p', 'of a')
    const text = readFileSync(folder.fileWith('.json'), 'utf8')
    await save(store, 'b', 'p', 'of b')
    writeFileSync(join(folder.path(), 'profiles', fileNameOf('b'), `${fileNameOf('p')}.json`), text)
    await expect(read(store, 'b', 'p')).rejects.toMatchObject({ code: 'PROFILE_UNREADABLE' })
  })
})
