import { randomBytes } from 'node:crypto'
import type { Config } from '../../../app/config.ts'
import type { Finding } from '../../../contracts/ports.ts'
import { objectsPlace } from '../../../engine/store/objects.ts'

/** Whether the object store takes a small object, gives it back and deletes it, where one is set. */
export async function objectFindings({ objectsUrl, userAgent }: Config): Promise<Finding[]> {
  if (objectsUrl === undefined) return []
  const topic = 'Object store'
  const place = objectsPlace(objectsUrl)
  const { openS3Objects } = await import('../../../engine/objects/s3-objects.ts')
  const objects = openS3Objects(objectsUrl, userAgent)
  const bytes = randomBytes(32)
  const key = `doctor/${bytes.toString('hex')}`
  const askedAt = performance.now()
  try {
    await objects.put(key, { bytes, mediaType: 'application/octet-stream' })
    const found = await objects.get(key, bytes.length)
    await objects.delete(key)
    if (!found || !bytes.equals(found)) throw new Error('It gave back something else than it was given.')
    const ms = Math.ceil(performance.now() - askedAt)
    return [{ topic, state: 'ok', says: `${place} takes, gives back and deletes an object in ${ms} ms` }]
  } catch (thrown) {
    return [
      {
        topic,
        state: 'fault',
        says: `${place}: ${reasonOf(thrown)}`,
        advice:
          'New files are kept in the database until it works; those that lie there cannot be read. Check GOSSAMER_OBJECTS_URL and AWS_ACCESS_KEY_ID.',
      },
    ]
  } finally {
    await objects.close()
  }
}

/** What the store or the network says is more exact than what callers are told. */
function reasonOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown)
  return thrown.cause instanceof Error ? thrown.cause.message : thrown.message
}
