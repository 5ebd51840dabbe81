import { expect, onTestFinished, test } from 'vitest'
import { createLinkedFiles } from '../../src/engine/store/sqlite/linked-files.ts'
import type { Objects } from '../../src/engine/store/data-places.ts'
import { openS3Objects } from '../../src/engine/objects/s3-objects.ts'
import { openTables } from './kit.ts'
import { startObjectStore } from '../helpers/object-store.ts'

const retentionMs = 86_400_000
const picture = { teamId: 'team', mediaType: 'image/png', bytes: Uint8Array.of(0x89, 0x50, 0, 255) }

function open(objects?: Objects) {
  const { count, ...tools } = openTables()
  const files = createLinkedFiles(tools, retentionMs, objects)
  return { clock: tools.clock, files, count: () => count('linked_file') }
}

test('a linked file is deleted when it expires', async () => {
  const { files, clock, count } = open()
  for (let nth = 0; nth < 45; nth++) await files.keep({ ...picture, bytes: Uint8Array.of(nth) })
  clock.advance(retentionMs)
  await files.keep({ ...picture, teamId: 'other' })
  await files.idle()
  expect(await count()).toBe(1)
})

const putMs = 600_000
const long = { ...picture, bytes: new Uint8Array(100_000) }

async function objectStore() {
  const store = await startObjectStore()
  const objects = openS3Objects(store.url, 'Gossamer/test')
  onTestFinished(async () => {
    await Promise.all([objects.close(), store.stop()])
  })
  return { objects, keys: () => [...store.objects.keys()] }
}

test('an object whose process died before its row was complete is deleted after the upload timeout', async () => {
  const { objects, keys } = await objectStore()
  const put: Objects['put'] = async (...object) => {
    await objects.put(...object)
    throw new Error('died')
  }
  const { files, clock, count } = open({ ...objects, put })
  await files.keep(long)
  await files.idle()
  expect(keys()).toHaveLength(1)
  clock.advance(putMs)
  await files.keep(picture)
  await files.idle()
  expect(keys()).toEqual([])
  expect(await count()).toBe(2)
})

test('a file whose upload ends after the timeout is stored in the database', async () => {
  const { objects, keys } = await objectStore()
  const put: Objects['put'] = async (...object) => {
    await objects.put(...object)
    late.clock.advance(putMs)
    await late.files.keep(picture)
    await late.files.idle()
  }
  const late = open({ ...objects, put })
  const id = await late.files.keep(long)
  expect(keys()).toEqual([])
  expect(Buffer.compare((await late.files.find(id))?.bytes ?? Buffer.of(), long.bytes)).toBe(0)
})
