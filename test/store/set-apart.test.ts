import { expect, onTestFinished, test } from 'vitest'
import { openS3Objects } from '../../src/engine/objects/s3-objects.ts'
import { openSqlite } from '../../src/engine/store/sqlite/db/sqlite-db.ts'
import { createLinkedFiles } from '../../src/engine/store/sqlite/linked-files.ts'
import { createSetApart, type SetApart } from '../../src/engine/store/sqlite/set-apart.ts'
import { fakeClock, logBook } from '../contracts/fixtures.ts'
import { startObjectStore } from '../helpers/object-store.ts'

const picture = { teamId: 'team', mediaType: 'image/png', bytes: new Uint8Array(100_000) }
const halfAnHour = 1_800_000

async function world() {
  const store = await startObjectStore()
  const db = openSqlite(':memory:')
  const objects = openS3Objects(store.url, 'Gossamer/test')
  onTestFinished(async () => {
    await Promise.all([db.close(), objects.close(), store.stop()])
  })
  const clock = fakeClock()
  const tools = { db, clock, log: logBook().log, closing: new AbortController().signal }
  const apart = createSetApart(tools, objects)
  return {
    apart,
    clock,
    keys: () => [...store.objects.keys()],
    files: (own: SetApart) => createLinkedFiles(tools, 86_400_000, own),
  }
}

test('an object whose process died before its row was written is deleted', async () => {
  const { apart, clock, keys } = await world()
  await apart.put({ ...picture, digest: Uint8Array.of(1) })
  await apart.clear()
  expect(keys()).toHaveLength(1)
  clock.advance(halfAnHour)
  await apart.clear()
  expect(keys()).toEqual([])
})

test('a process that comes to write its row after that keeps the file in the database', async () => {
  const { apart, clock, keys, files } = await world()
  const late: SetApart = {
    ...apart,
    async put(content) {
      const object = await apart.put(content)
      clock.advance(halfAnHour)
      await apart.clear()
      return object
    },
  }
  const { keep, find } = files(late)
  const id = await keep(picture)
  expect(keys()).toEqual([])
  expect(Buffer.compare((await find(id))?.bytes ?? Buffer.of(), picture.bytes)).toBe(0)
})
