import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { describeLinkedFiles } from '../contracts/linked-files.ts'
import { opened } from '../contracts/store-under-test.ts'
import { noRealStore, type ObjectStore, realStoreUrl, startObjectStore } from '../helpers/object-store.ts'
import { openWithObjects } from './objects-under-test.ts'

const retentionMs = 86_400_000
const minute = 60_000
const long = 100_000

describe.skipIf(noRealStore !== undefined)(`files in a real store${noRealStore ? `: ${noRealStore}` : ''}`, () => {
  describeLinkedFiles(
    openWithObjects(() => realStoreUrl ?? ''),
    long,
  )
})

describe('files in an object store', () => {
  let objects: ObjectStore
  beforeEach(async () => void (objects = await startObjectStore()))
  afterEach(() => objects.stop())
  const open = openWithObjects(() => objects.url)
  describeLinkedFiles(open, long)

  const picture = (first = 0, teamId = 'team') => {
    const bytes = new Uint8Array(long).fill(7).with(0, first)
    return { teamId, mediaType: 'image/png', bytes }
  }
  const short = { teamId: 'team', mediaType: 'image/png', bytes: new Uint8Array(1000) }
  const keys = () => [...objects.objects.keys()]

  async function world() {
    const made = await opened(open, { jobRetentionMs: retentionMs })
    const files = made.store.linkedFiles
    /** Deletes what is due: storing a file triggers a round. */
    const sweep = async () => {
      made.clock.advance(minute)
      await files.keep(short)
    }
    return { ...made, files, sweep, events: () => made.lines.map(({ event }) => event) }
  }

  test('only large files are stored in the object store, under a prefix for each team', async () => {
    const { files } = await world()
    await files.keep(short)
    await Promise.all([files.keep(picture()), files.keep(picture(0, 'other')), files.keep(picture(0, '../a team/ü'))])
    expect(keys().toSorted()).toEqual([
      expect.stringMatching(/^\/bucket\/kept\/here\/other\/[0-9a-f]{64}-[0-9a-f]{16}$/),
      expect.stringMatching(/^\/bucket\/kept\/here\/team-[0-9a-f]{32}\/[0-9a-f]{64}-/),
      expect.stringMatching(/^\/bucket\/kept\/here\/team\/[0-9a-f]{64}-/),
    ])
  })

  test('an existing file is not sent again', async () => {
    const { files } = await world()
    const id = await files.keep(picture())
    expect(await files.keep(picture())).toBe(id)
    expect(objects.requests).toHaveLength(1)
  })

  test('objects are deleted after their rows expire, even if many files were stored concurrently', async () => {
    const { files, clock, sweep } = await world()
    await Promise.all(Array.from({ length: 5 }, () => files.keep(picture())))
    await Promise.all(Array.from({ length: 60 }, (_, nth) => files.keep(picture(nth))))
    clock.advance(retentionMs)
    await sweep()
    await expect.poll(keys).toEqual([])
  })

  test('a file stored again after it expired is not deleted with its old row', async () => {
    const { files, clock, sweep } = await world()
    await files.keep(picture())
    clock.advance(retentionMs)
    const id = await files.keep(picture())
    await sweep()
    await expect.poll(() => keys().length).toBe(1)
    expect(await files.find(id)).toMatchObject({ mediaType: 'image/png' })
  })

  test('a failed deletion is repeated', async () => {
    const { files, clock, sweep, events } = await world()
    await files.keep(picture())
    clock.advance(retentionMs)
    await objects.stop()
    await sweep()
    await expect.poll(events).toContain('objects could not be deleted; the next round tries again')
    await objects.start()
    clock.advance(10 * minute)
    await sweep()
    await expect.poll(keys).toEqual([])
  })

  test.each(['gone', 'full', 'busy'] as const)(
    'files stay in the database while the object store is %s',
    async (how) => {
      const { files, clock, sweep, events } = await world()
      if (how === 'gone') await objects.stop()
      else objects.mood = how
      const id = await files.keep(picture())
      expect(events()).toEqual(['the object store accepts no files; they are stored in the database until it does'])
      expect(Buffer.compare((await files.find(id))?.bytes ?? Buffer.of(), picture().bytes)).toBe(0)
      // The file stays in the database, even if it is stored again later.
      if (how === 'gone') await objects.start()
      objects.mood = 'well'
      expect(await files.keep(picture())).toBe(id)
      expect(keys()).toEqual([])
      clock.advance(retentionMs)
      await sweep()
      expect(await files.find(id)).toBeUndefined()
    },
  )

  test('a store that has failed is not called for a while', async () => {
    const { files } = await world()
    objects.mood = 'full'
    await files.keep(picture(1))
    const { length } = objects.requests
    await files.keep(picture(2))
    expect(objects.requests).toHaveLength(length)
  })

  test('reading fails in time if the store is unreachable, and nothing is lost', async () => {
    const { files } = await world()
    const id = await files.keep(picture())
    await objects.stop()
    await expect(files.find(id)).rejects.toMatchObject({ code: 'OBJECT_STORE_UNAVAILABLE', status: 503 })
    await objects.start()
    expect(await files.find(id)).toMatchObject({ mediaType: 'image/png' })
  })

  test.each(['deleted', 'changed'])(
    'a file that was %s in the bucket is not served, and can be stored again',
    async (how) => {
      const { files, events } = await world()
      const id = await files.keep(picture())
      if (how === 'deleted') objects.objects.clear()
      else for (const object of objects.objects.values()) object.bytes = Buffer.from(object.bytes).fill(1)
      expect(await files.find(id)).toBeUndefined()
      expect(events()).toEqual(['the object store lacks a file or returned other content'])
      expect(await files.find(await files.keep(picture()))).toMatchObject({ bytes: expect.any(Uint8Array) })
    },
  )
})
