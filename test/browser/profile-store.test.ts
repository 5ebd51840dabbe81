import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createProfileStore } from '../../src/engine/browser/profile/profile-store.ts'
import { fileNameOf } from '../../src/engine/browser/profile/store-file.ts'
import { profileFolder, read, reader, save, saver, stateOf } from './programs/profile-folder.ts'

const folder = profileFolder()

describe('a profile', () => {
  test('does not exist until it is saved, and then contains the saved state', async () => {
    const store = folder.store()
    expect(await read(store, 'team', 'p')).toBeUndefined()
    await save(store, 'team', 'p', 'one')
    expect(await read(store, 'team', 'p')).toBe('one')
    await save(store, 'team', 'p', 'two')
    expect(await store.export('team', 'p')).toEqual(stateOf('two'))
    expect(folder.files()).toHaveLength(1)
  })

  test('is visible to its team only', async () => {
    const store = folder.store()
    await save(store, 'a', 'p', 'of a')
    await save(store, 'b', 'p', 'of b')
    expect([await read(store, 'a', 'p'), await read(store, 'b', 'p')]).toEqual(['of a', 'of b'])
    expect(await read(store, 'c', 'p')).toBeUndefined()
    expect(await store.list('c')).toEqual([])
    await store.delete('a', 'p')
    expect([await store.list('a'), await read(store, 'b', 'p')]).toEqual([[], 'of b'])
  })

  test('opened without saveChanges is never written', async () => {
    const store = folder.store()
    await save(store, 'team', 'p', 'one')
    const held = await store.open('team', 'p', reader)
    await held.save(stateOf('two'))
    await held.release()
    expect(await read(store, 'team', 'p')).toBe('one')
  })

  test.runIf(process.platform !== 'win32')('can be read by its owner only', async () => {
    await save(folder.store(), 'team', 'p', 'one')
    expect(statSync(folder.fileWith('.json')).mode & 0o777).toBe(0o600)
    for (const name of ['profiles', join('profiles', fileNameOf('team'))])
      expect(statSync(join(folder.path(), name)).mode & 0o777).toBe(0o700)
  })

  test('is shown without its values', async () => {
    const store = folder.store()
    await save(store, 'team', 'p', 'hunter2')
    const shown = await store.show('team', 'p')
    expect(shown).toMatchObject({
      name: 'p',
      isEncrypted: false,
      cookies: [{ domain: '127.0.0.1', count: 1 }],
      origins: [{ origin: 'http://127.0.0.1:1', localStorage: 1, databases: 0, records: 0, files: 0 }],
    })
    expect(shown.savedAt).toBeGreaterThanOrEqual(shown.createdAt)
    expect(shown.bytes).toBe(statSync(folder.fileWith('.json')).size)
    expect(JSON.stringify([shown, await store.list('team')])).not.toContain('hunter2')
  })

  test('that is replaced by an import keeps its creation date', async () => {
    let now = 1000
    const store = createProfileStore({ dir: folder.path(), clock: { now: () => now } })
    await store.import('team', 'p', stateOf('one'))
    now = 2000
    await store.import('team', 'p', stateOf('two'))
    expect(await store.list('team')).toMatchObject([{ name: 'p', createdAt: 1000, savedAt: 2000 }])
    expect(await read(store, 'team', 'p')).toBe('two')
  })
})

describe('a name', () => {
  const tricks = [
    '../x',
    '..',
    '/etc/passwd',
    'C:\\con',
    'con',
    'aux.json',
    'A',
    'a ',
    'ä/ö',
    '漢字',
    '👩‍👩‍👧',
    'nul\0byte',
    'line\nbreak',
    '__proto__',
    'x'.repeat(128),
    '%2e%2e%2f',
  ]

  test.each(tricks)('%j becomes the name of a plain file in the folder of its team', async (name) => {
    const store = folder.store()
    await save(store, name, name, 'one')
    expect(await read(store, name, name)).toBe('one')
    expect(await store.list(name)).toMatchObject([{ name }])
    const files = folder.files()
    expect(files).toHaveLength(1)
    expect(files[0]?.name).toMatch(/^[a-z0-9][a-z0-9-]{0,64}\.json$/)
    expect(files[0]?.parentPath).toBe(join(folder.path(), 'profiles', fileNameOf(name)))
  })

  test('has its own file, even on file systems that ignore case', () => {
    const names = tricks.map((name) => fileNameOf(name).toLowerCase())
    expect(new Set(names).size).toBe(tricks.length)
  })
})

describe('a broken file', () => {
  test.each([
    ['truncated', (text: string) => text.slice(0, text.length / 2)],
    ['empty', () => ''],
    ['with other content', () => '{"format":"gossamer-profile","version":1}'],
    ['without a state', (text: string) => text.replace('"state"', '"other"')],
  ])('(%s) is reported to a reader, and replaced by an empty profile for a saver', async (_, breakIt) => {
    const store = folder.store()
    await save(store, 'team', 'p', 'one')
    const path = folder.fileWith('.json')
    const text = breakIt(readFileSync(path, 'utf8'))
    writeFileSync(path, text)
    await expect(store.open('team', 'p', reader)).rejects.toMatchObject({ code: 'PROFILE_UNREADABLE', status: 500 })
    expect(readFileSync(path, 'utf8')).toBe(text)
    const refusal = await store.open('team', 'p', saver).catch((error: unknown) => error)
    expect(refusal).toMatchObject({
      code: 'PROFILE_UNREADABLE',
      details: { setAside: expect.stringMatching(/\.broken-/) },
    })
    const aside = folder.files().find(({ name }) => name.includes('.broken-'))
    expect(readFileSync(join(aside?.parentPath ?? '', aside?.name ?? ''), 'utf8')).toBe(text)
    await save(store, 'team', 'p', 'two')
    expect(await read(store, 'team', 'p')).toBe('two')
  })

  test('from a later version is left unchanged', async () => {
    const store = folder.store()
    await save(store, 'team', 'p', 'one')
    const path = folder.fileWith('.json')
    const later = readFileSync(path, 'utf8').replace('"version":1', '"version":2').replace('"state"', '"news"')
    writeFileSync(path, later)
    for (const options of [reader, saver])
      await expect(store.open('team', 'p', options)).rejects.toMatchObject({
        code: 'PROFILE_UNREADABLE',
        message: expect.stringContaining('later version'),
      })
    expect(readFileSync(path, 'utf8')).toBe(later)
  })

  test('is listed by its file name', async () => {
    const store = folder.store()
    await save(store, 'team', 'p', 'one')
    writeFileSync(folder.fileWith('.json'), 'x')
    expect(await store.list('team')).toEqual([{ name: `${fileNameOf('p')}.json`, isBroken: true }])
  })

  test('that was only partly written is ignored, and removed at the next save', async () => {
    const store = folder.store()
    await save(store, 'team', 'p', 'one')
    const half = `${folder.fileWith('.json')}.0b0c.tmp`
    writeFileSync(half, '{"format":"gossamer-pro')
    expect(await read(store, 'team', 'p')).toBe('one')
    expect(await store.list('team')).toMatchObject([{ name: 'p' }])
    await save(store, 'team', 'p', 'two')
    expect(folder.files().map(({ name }) => name)).toEqual([`${fileNameOf('p')}.json`])
  })
})
