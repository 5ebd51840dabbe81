import { expect, test } from 'vitest'
import { openS3Objects } from '../../../src/engine/objects/s3-objects.ts'
import { describeLinkedFiles } from '../../contracts/linked-files.ts'
import { opened } from '../../contracts/store-under-test.ts'
import { startObjectStore } from '../../helpers/object-store.ts'
import { describePostgres, startPostgres } from '../../helpers/postgres.ts'
import { forAll } from '../../helpers/for-all.ts'
import { openIn } from './postgres-under-test.ts'

const retentionMs = 86_400_000
const minute = 60_000
const long = 100_000

const file = (first: number) => ({ teamId: 'team', mediaType: 'image/png', bytes: new Uint8Array(long).with(0, first) })

describePostgres('files of PostgreSQL in an object store', () => {
  const database = forAll(startPostgres)
  const objects = forAll(startObjectStore)
  const open = openIn(
    () => database.url,
    () => openS3Objects(objects.url, 'Gossamer/test'),
  )
  describeLinkedFiles(open, long)

  test('are deleted after their rows, by any server', async () => {
    objects.objects.clear()
    const { store, clock, another } = await opened(open, { jobRetentionMs: retentionMs })
    const ids = await Promise.all(Array.from({ length: 30 }, (_, nth) => store.linkedFiles.keep(file(nth % 10))))
    expect(new Set(ids).size).toBe(10)
    clock.advance(retentionMs)
    const other = await another()
    const short = { ...file(0), bytes: new Uint8Array(10) }
    await Promise.all([store.linkedFiles.keep(short), other.linkedFiles.keep(short)])
    clock.advance(10 * minute)
    await Promise.all([store.linkedFiles.keep(short), other.linkedFiles.keep(short)])
    await expect.poll(() => objects.objects.size).toBe(0)
  })
})
