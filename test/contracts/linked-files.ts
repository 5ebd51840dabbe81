import { describe, expect, test } from 'vitest'
import { opened, type OpenStore } from './store-under-test.ts'

const retentionMs = 86_400_000
const start = Uint8Array.of(0x89, 0x50, 0, 255)

/** The contract of every store of linked files, with short and long files. */
export function describeLinkedFiles(open: OpenStore<'linkedFiles'>, length = start.length): void {
  const bytes = new Uint8Array(length)
  bytes.set(start)
  const picture = { teamId: 'team', mediaType: 'image/png', bytes }

  async function world() {
    const stores = await opened(open, { jobRetentionMs: retentionMs })
    return { ...stores, files: stores.store.linkedFiles }
  }

  describe('a file that answers link to', () => {
    test('is found by its id, unchanged', async () => {
      const { files } = await world()
      const { teamId: _, ...file } = picture
      expect(await files.find(await files.keep(picture))).toEqual(file)
    })

    test('has a random id', async () => {
      const { files } = await world()
      const ids = await Promise.all([1, 2, 3].map((first) => files.keep({ ...picture, bytes: bytes.with(0, first) })))
      expect(new Set(ids).size).toBe(3)
      for (const id of ids) expect(id).toMatch(/^[\w-]{43}$/)
      for (const id of ['', '%', ids[0]?.slice(1) ?? '', ids[0]?.toLowerCase() ?? ''])
        expect(await files.find(id)).toBeUndefined()
    })

    test('is stored once for all answers that link to it', async () => {
      const { files } = await world()
      const ids = await Promise.all(Array.from({ length: 20 }, () => files.keep(picture)))
      expect(new Set(ids).size).toBe(1)
    })

    test.each([
      ['of another team', { teamId: 'other' }],
      ['of another type', { mediaType: 'image/jpeg' }],
      ['of other bytes', { bytes: bytes.with(0, 1) }],
    ])('differs when it is %s', async (_, change) => {
      const { files } = await world()
      expect(await files.keep({ ...picture, ...change })).not.toBe(await files.keep(picture))
    })

    test('is kept as long as the result of a job, from the last answer that linked to it', async () => {
      const { files, clock } = await world()
      const id = await files.keep(picture)
      clock.advance(retentionMs - 1)
      expect(await files.find(id)).toBeDefined()
      await files.keep(picture)
      clock.advance(retentionMs - 1)
      expect(await files.find(id)).toBeDefined()
      clock.advance(1)
      expect(await files.find(id)).toBeUndefined()
    })

    test('is kept for the time given, or the longest of several', async () => {
      const { files, clock } = await world()
      const id = await files.keep({ ...picture, until: clock.now() + 1000 })
      const long = await files.keep({ ...picture, teamId: 'other' })
      await files.keep({ ...picture, teamId: 'other', until: clock.now() + 1000 })
      clock.advance(1000)
      expect(await files.find(id)).toBeUndefined()
      expect(await files.find(long)).toBeDefined()
    })

    test('gets another id when stored again after it expired', async () => {
      const { files, clock } = await world()
      const id = await files.keep(picture)
      clock.advance(retentionMs)
      const again = await files.keep(picture)
      expect(await files.find(again)).toBeDefined()
      expect(await files.find(id)).toBeUndefined()
    })

    test('has the same id in all processes', async () => {
      const { files, another } = await world()
      const { linkedFiles } = await another()
      const ids = await Promise.all([files, linkedFiles, files, linkedFiles].map((each) => each.keep(picture)))
      expect(new Set(ids).size).toBe(1)
      expect(await linkedFiles.find(ids[0] ?? '')).toEqual(await files.find(ids[0] ?? ''))
    })
  })
}
