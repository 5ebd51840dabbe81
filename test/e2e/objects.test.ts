import { beforeAll, describe, expect, test } from 'vitest'
import type { Document } from '../../src/schema/scrape/document.ts'
import { read } from '../helpers/api.ts'
import { folderForAll, forAll, siteForAll } from '../helpers/for-all.ts'
import { startObjectStore } from '../helpers/object-store.ts'
import { runProgram, startServer } from '../helpers/program.ts'

const [folder, copied] = [folderForAll(), folderForAll()]
const token = 'a token of many characters'
const site = siteForAll()
const objects = forAll(startObjectStore)
const env = forAll((): Record<string, string> => ({
  GOSSAMER_DATA_DIR: folder.path,
  GOSSAMER_ALLOW_HOSTS: `127.0.0.1:${site.port}`,
  GOSSAMER_PERMISSIONS: 'zeroDataRetention',
  GOSSAMER_PICTURE_LINKS: 'true',
  GOSSAMER_METRICS_TOKEN: token,
  GOSSAMER_OBJECTS_URL: objects.plainUrl,
  ...objects.keys,
}))
const shot = { type: 'screenshot', fullPage: true, viewport: { width: 1600, height: 1200 } }

describe('a server with an object store', () => {
  let link = ''
  const shoot = async (more: object = {}) => {
    const input = { url: site.url('/article'), formats: [shot], ...more }
    return (await read<{ data: Document }>(`${server.url}/v2/scrape`, input)).data.screenshot ?? ''
  }
  const follow = async (from = link) => {
    const response = await fetch(from)
    return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) }
  }

  const server = forAll(() => startServer(env))
  beforeAll(async () => void (link = await shoot()))

  test('stores a picture in it under its team, and serves the picture unchanged', async () => {
    expect([...objects.objects.keys()]).toEqual([expect.stringMatching(/^\/bucket\/kept\/here\/[\w-]+\/[0-9a-f]{64}-/)])
    const [object] = objects.objects.values()
    expect(object?.mediaType).toBe('image/png')
    expect(await follow()).toEqual({ status: 200, bytes: object?.bytes })
  })

  test('stores no files of zero-retention calls in it', async () => {
    const before = objects.requests.length
    expect(await shoot({ zeroDataRetention: true, maxAge: 0 })).toMatch(/^data:image\/png;base64,/)
    expect(objects.requests.slice(before)).toEqual([])
  })

  test('reports an unreachable store by a code, and stores new files in the database meanwhile', async () => {
    await objects.stop()
    const { status, bytes } = await follow()
    expect([status, JSON.parse(bytes.toString())]).toEqual([
      503,
      expect.objectContaining({ success: false, code: 'OBJECT_STORE_UNAVAILABLE' }),
    ])
    const other = await shoot({ url: site.url('/docs') })
    expect(await follow(other)).toMatchObject({ status: 200 })
    await objects.start()
    expect(await follow()).toMatchObject({ status: 200 })
    expect(objects.objects.size).toBe(1)
  })

  test('never reveals its keys', () => {
    expect(server.program.stderr()).toContain('OBJECT_STORE_UNAVAILABLE')
    for (const key of Object.values(objects.keys)) {
      expect(server.program.stderr()).not.toContain(key)
      expect(server.program.stderr()).not.toContain(encodeURIComponent(key))
    }
  })

  test('copies its files with its data', async () => {
    await server.stop()
    const { GOSSAMER_OBJECTS_URL: _, ...without } = env
    const refused = await runProgram(['db', 'copy', folder.path, copied.path], without)
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('are in an object store')])
    expect((await runProgram(['db', 'copy', folder.path, copied.path], env)).stderr).toContain('linked_file: 2')
    const copy = await startServer({ ...without, GOSSAMER_DATA_DIR: copied.path })
    const found = await follow(copy.url + new URL(link).pathname)
    await copy.stop()
    expect(found).toEqual({ status: 200, bytes: [...objects.objects.values()][0]?.bytes })
  })
})

const finding = async (more: Record<string, string> = {}) => {
  const { stdout } = await runProgram(['doctor', '--json'], { ...env, ...more })
  const { findings } = JSON.parse(stdout) as { findings: { topic: string; state: string; says: string }[] }
  return findings.find(({ topic }) => topic === 'Object store')
}

describe('gossamer doctor', () => {
  test('tests the object store and leaves nothing in it', async () => {
    const before = objects.objects.size
    expect(await finding()).toMatchObject({
      state: 'ok',
      says: expect.stringMatching(/^bucket\/kept\/here\/ at 127\.0\.0\.1:\d+ stores, returns and deletes/),
    })
    expect(objects.objects.size).toBe(before)
  })

  test('prints the answer of the store to an invalid key', async () => {
    expect(await finding({ AWS_SECRET_ACCESS_KEY: 'wrong' })).toMatchObject({
      state: 'fault',
      says: expect.stringMatching(/SignatureDoesNotMatch/),
    })
  })
})
