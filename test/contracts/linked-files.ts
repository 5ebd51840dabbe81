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
    const made = await opened(open, { jobRetentionMs: retentionMs })
    return { ...made, files: made.store.linkedFiles }
  }

  describe('a file that answers link to', () => {
    test('comes back by its id as it was', async () => {
      const { files } = await world()
      const { teamId: _, ...file } = picture
      expect(await files.find(await files.keep(picture))).toEqual(file)
    })

    test('has an id that nobody can guess', async () => {
      const { files } = await world()
      const ids = await Promise.all([1, 2, 3].map((first) => files.keep({ ...picture, bytes: bytes.with(0, first) })))
      expect(new Set(ids).size).toBe(3)
      for (const id of ids) expect(id).toMatch(/^[\w-]{43}$/)
      for (const id of ['', '%', ids[0]?.slice(1) ?? '', ids[0]?.toLowerCase() ?? ''])
        expect(await files.find(id)).toBeUndefined()
    })

    test('is kept once, however many answers hold it', async () => {
      const { files } = await world()
      const ids = await Promise.all(Array.from({ length: 20 }, () => files.keep(picture)))
      expect(new Set(ids).size).toBe(1)
    })

    test.each([
      ['of another team', { teamId: 'other' }],
      ['of another type', { mediaType: 'image/jpeg' }],
      ['of other bytes', { bytes: bytes.with(0, 1) }],
    ])('is another when it is %s', async (_, change) => {
      const { files } = await world()
      expect(await files.keep({ ...picture, ...change })).not.toBe(await files.keep(picture))
    })

    test('is there as long as the result of a job, from the last answer that held it', async () => {
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

    test('is there no longer than asked, unless another answer asks for more', async () => {
      const { files, clock } = await world()
      const id = await files.keep({ ...picture, until: clock.now() + 1000 })
      const long = await files.keep({ ...picture, teamId: 'other' })
      await files.keep({ ...picture, teamId: 'other', until: clock.now() + 1000 })
      clock.advance(1000)
      expect(await files.find(id)).toBeUndefined()
      expect(await files.find(long)).toBeDefined()
    })

    test('that has expired comes again under another id', async () => {
      const { files, clock } = await world()
      const id = await files.keep(picture)
      clock.advance(retentionMs)
      const again = await files.keep(picture)
      expect(await files.find(again)).toBeDefined()
      expect(await files.find(id)).toBeUndefined()
    })

    test('has one id for all processes that keep it', async () => {
      const { files, another } = await world()
      const { linkedFiles } = await another()
      const ids = await Promise.all([files, linkedFiles, files, linkedFiles].map((each) => each.keep(picture)))
      expect(new Set(ids).size).toBe(1)
      expect(await linkedFiles.find(ids[0] ?? '')).toEqual(await files.find(ids[0] ?? ''))
    })
  })
}
