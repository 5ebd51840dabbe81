import { describe, expect, onTestFinished, test } from 'vitest'
import { openSqlite } from '../../src/engine/store/sqlite/db/sqlite-db.ts'
import { createLinkedFiles } from '../../src/engine/store/sqlite/linked-files.ts'
import { fakeClock, logBook, tempDir, tempStore } from './kit.ts'

const retentionMs = 86_400_000
const picture = { teamId: 'team', mediaType: 'image/png', bytes: Uint8Array.of(0x89, 0x50, 0, 255) }

function open() {
  const db = openSqlite(':memory:')
  onTestFinished(() => db.close())
  const clock = fakeClock()
  const { log } = logBook()
  const files = createLinkedFiles({ db, clock, log, closing: new AbortController().signal }, retentionMs)
  const count = async () => Number((await db.all('SELECT COUNT(*) AS n FROM linked_file'))[0]?.n)
  return { clock, files, count }
}

describe('a file that answers link to', () => {
  test('comes back by its id as it was', async () => {
    const { files } = open()
    const { teamId: _, ...file } = picture
    expect(await files.find(await files.keep(picture))).toEqual(file)
  })

  test('has an id that nobody can guess', async () => {
    const { files } = open()
    const ids = await Promise.all([1, 2, 3].map((last) => files.keep({ ...picture, bytes: Uint8Array.of(last) })))
    expect(new Set(ids).size).toBe(3)
    for (const id of ids) expect(id).toMatch(/^[\w-]{43}$/)
    for (const id of ['', '%', ids[0]?.slice(1) ?? '', ids[0]?.toLowerCase() ?? ''])
      expect(await files.find(id)).toBeUndefined()
  })

  test('is kept once, however many answers hold it', async () => {
    const { files, count } = open()
    const ids = await Promise.all(Array.from({ length: 20 }, () => files.keep(picture)))
    expect(new Set(ids).size).toBe(1)
    expect(await count()).toBe(1)
  })

  test.each([
    ['of another team', { teamId: 'other' }],
    ['of another type', { mediaType: 'image/jpeg' }],
    ['of other bytes', { bytes: Uint8Array.of(1) }],
  ])('is another when it is %s', async (_, change) => {
    const { files } = open()
    expect(await files.keep({ ...picture, ...change })).not.toBe(await files.keep(picture))
  })

  test('is there as long as the result of a job, from the last answer that held it', async () => {
    const { files, clock } = open()
    const id = await files.keep(picture)
    clock.advance(retentionMs - 1)
    expect(await files.find(id)).toBeDefined()
    await files.keep(picture)
    clock.advance(retentionMs - 1)
    expect(await files.find(id)).toBeDefined()
    clock.advance(1)
    expect(await files.find(id)).toBeUndefined()
  })

  test('is there no longer than asked, unless another answer asks for more', async () => {
    const { files, clock } = open()
    const id = await files.keep({ ...picture, until: clock.now() + 1000 })
    const long = await files.keep({ ...picture, teamId: 'other' })
    await files.keep({ ...picture, teamId: 'other', until: clock.now() + 1000 })
    clock.advance(1000)
    expect(await files.find(id)).toBeUndefined()
    expect(await files.find(long)).toBeDefined()
  })

  test('that has expired comes again under another id', async () => {
    const { files, clock } = open()
    const id = await files.keep(picture)
    clock.advance(retentionMs)
    const again = await files.keep(picture)
    expect(await files.find(again)).toBeDefined()
    expect(await files.find(id)).toBeUndefined()
  })

  test('is deleted in time', async () => {
    const { files, clock, count } = open()
    for (let nth = 0; nth < 45; nth++) await files.keep({ ...picture, bytes: Uint8Array.of(nth) })
    clock.advance(retentionMs)
    await files.keep({ ...picture, teamId: 'other' })
    await files.idle()
    expect(await count()).toBe(1)
  })

  test('is there again when the program is started again', async () => {
    const dir = await tempDir()
    const { store: first } = await tempStore({ dir })
    const id = await first.linkedFiles.keep(picture)
    await first.close()
    const { store } = await tempStore({ dir })
    expect(await store.linkedFiles.find(id)).toMatchObject({ mediaType: 'image/png' })
  })
})
