import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Objects } from '../../src/engine/store/data-places.ts'
import { openS3Objects } from '../../src/engine/objects/s3-objects.ts'
import { forTest } from '../helpers/for-all.ts'
import { noRealStore, type ObjectStore, realStoreUrl, startObjectStore } from '../helpers/object-store.ts'

function opened(url: string): Objects {
  return forTest(openS3Objects(url, 'Gossamer/test'))
}

const newKey = () => `team/${randomBytes(16).toString('hex')}`

/** The contract of every object store. */
function describeObjects(url: () => string): void {
  const content = { bytes: randomBytes(300_000), mediaType: 'image/png' }

  test('a stored object is returned unchanged until it is deleted', async () => {
    const objects = opened(url())
    const key = newKey()
    await objects.put(key, content)
    expect(Buffer.compare((await objects.get(key, content.bytes.length)) ?? Buffer.of(), content.bytes)).toBe(0)
    await objects.delete(key)
    expect(await objects.get(key, content.bytes.length)).toBeUndefined()
  })

  test('a missing object is neither found nor deleted', async () => {
    const objects = opened(url())
    expect(await objects.get(newKey(), 1)).toBeUndefined()
    await objects.delete(newKey())
  })

  test('many objects are stored, read and deleted concurrently', async () => {
    const objects = opened(url())
    const keys = Array.from({ length: 20 }, newKey)
    await Promise.all(keys.map((key) => objects.put(key, content)))
    const found = await Promise.all(keys.map((key) => objects.get(key, content.bytes.length)))
    expect(found.every((bytes) => bytes && content.bytes.equals(bytes))).toBe(true)
    await Promise.all(keys.map((key) => objects.delete(key)))
  })

  test.each([
    ['a wrong secret', (to: URL) => void (to.password = 'wrong')],
    ['a bucket that is not there', (to: URL) => void (to.host = 'no-such-bucket')],
  ])('%s is distinguished from a missing object', async (_, change) => {
    const wrong = new URL(url())
    change(wrong)
    const objects = opened(wrong.href)
    const failed = { code: 'OBJECT_STORE_UNAVAILABLE', cause: { message: expect.stringMatching(/answered 40[34]/) } }
    await expect(objects.get('a', 1)).rejects.toMatchObject(failed)
    await expect(objects.put('a', content)).rejects.toMatchObject(failed)
    await expect(objects.delete('a')).rejects.toMatchObject(failed)
  })
}

describe('a store with a prefix', () => {
  let store: ObjectStore
  beforeEach(async () => void (store = await startObjectStore()))
  afterEach(() => store.stop())
  describeObjects(() => store.url)

  test('keeps objects under bucket and prefix, with their type', async () => {
    await opened(store.url).put('team/a', { bytes: Uint8Array.of(1), mediaType: 'image/png' })
    expect([...store.objects]).toEqual([['/bucket/kept/here/team/a', { bytes: Buffer.of(1), mediaType: 'image/png' }]])
  })

  test('receives the session token of temporary credentials', async () => {
    await opened(`${store.url}&session_token=of%20an%20hour`).put('a', { bytes: Uint8Array.of(1), mediaType: 'a/b' })
    expect(store.objects.size).toBe(1)
  })

  test('is requested again if it is busy', async () => {
    store.mood = 'busy'
    const put = opened(store.url).put('a', { bytes: Uint8Array.of(1), mediaType: 'a/b' })
    setTimeout(() => (store.mood = 'well'), 50)
    await put
    expect(store.objects.size).toBe(1)
  })

  test.each([
    ['stays busy', 'busy', /503 SlowDown/],
    ['hangs', 'hangs', /No answer came in time/],
    ['is another kind of server', 'no store', /answered 404\.$/],
    ['answers with less than was put', 'empty answers', /a different size/],
  ] as const)('that %s fails in time', { timeout: 30_000 }, async (_, mood, why) => {
    const objects = opened(store.url)
    await objects.put('a', { bytes: Uint8Array.of(1), mediaType: 'a/b' })
    store.mood = mood
    await expect(objects.get('a', 1)).rejects.toMatchObject({
      code: 'OBJECT_STORE_UNAVAILABLE',
      status: 503,
      cause: { message: expect.stringMatching(why) },
    })
  })

  test('fails while it is unreachable, and works again afterwards', async () => {
    const objects = opened(store.url)
    await objects.put('a', { bytes: Uint8Array.of(1), mediaType: 'a/b' })
    await store.stop()
    await expect(objects.get('a', 1)).rejects.toMatchObject({ code: 'OBJECT_STORE_UNAVAILABLE' })
    await store.start()
    expect(await objects.get('a', 1)).toEqual(Uint8Array.of(1))
  })
})

describe.skipIf(noRealStore !== undefined)(`a real store${noRealStore ? `: ${noRealStore}` : ''}`, () => {
  describeObjects(() => realStoreUrl ?? '')
})
