import { createClient } from '@redis/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runProgram, startServer, tempDir } from '../helpers/program.ts'
import { noRedis, type Redis, startRedis } from '../helpers/redis.ts'
import { startTree } from './cluster-kit.ts'

const key = 'a-key-of-the-team'

/** What the doctor says of a server. */
const look = async (url: string) => {
  const env = { GOSSAMER_REDIS_URL: url, GOSSAMER_DATA_DIR: 'memory' }
  const { stdout } = await runProgram(['doctor', '--json'], env)
  const { findings } = JSON.parse(stdout) as { findings: { topic: string; state: string; says: string }[] }
  return findings.find(({ topic }) => topic === 'Redis')
}

describe.skipIf(noRedis !== undefined)(`servers over Redis${noRedis === undefined ? '' : `: ${noRedis}`}`, () => {
  const folder = tempDir()
  let redis: Redis
  let tree: Awaited<ReturnType<typeof startTree>>
  let servers: Awaited<ReturnType<typeof startServer>>[]
  beforeAll(async () => {
    redis = await startRedis()
    tree = await startTree(3)
    const env = {
      GOSSAMER_REDIS_URL: redis.url,
      GOSSAMER_DATA_DIR: folder.path,
      GOSSAMER_ALLOW_HOSTS: '127.0.0.1',
      GOSSAMER_API_KEYS: `acme:${key}`,
      GOSSAMER_REQUESTS_PER_MINUTE: 'scrape=1000,map=3',
    }
    servers = [await startServer(env), await startServer(env)]
  })
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.stop()))
    await redis?.close()
    tree?.close()
    folder.remove()
  })

  const call = async (nth: number, operation: 'scrape' | 'map') => {
    const response = await fetch(`${servers[nth % 2]?.url}/v2/${operation}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify({ url: `${tree.origin}/p/1` }),
    })
    return response.status
  }
  const keysLike = async (pattern: string) => {
    const client = createClient({ url: redis.url })
    await client.connect()
    return client.keys(pattern).finally(() => client.close())
  }

  test('count calls together, in Redis', async () => {
    const statuses = await Promise.all(Array.from({ length: 9 }, (_, nth) => call(nth, 'map')))
    // The minute may end meanwhile, and then another one begins.
    expect([3, 6]).toContain(statuses.filter((status) => status === 200).length)
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(3)
    expect(await keysLike('gossamer:calls:map:acme')).toHaveLength(1)
  })

  test('answer while it is gone, and count in it again once it is back', async () => {
    await redis.kill()
    expect(await Promise.all([0, 1, 2, 3].map((nth) => call(nth, 'scrape')))).toEqual([200, 200, 200, 200])
    expect((await fetch(`${servers[0]?.url}/ready`)).status).toBe(200)
    await redis.start()
    await expect
      .poll(async () => {
        await Promise.all([0, 1].map((nth) => call(nth, 'scrape')))
        return keysLike('gossamer:calls:scrape:acme')
      })
      .toHaveLength(1)
  })

  test('the doctor says whether it answers, and nothing of its password', async () => {
    expect(await look(redis.url)).toMatchObject({ state: 'ok', says: expect.stringContaining('answers in') })
    const gone = await look('redis://me:hunter2@127.0.0.1:1')
    expect(gone).toMatchObject({ state: 'note', says: expect.stringContaining('127.0.0.1:1') })
    expect(JSON.stringify(gone)).not.toContain('hunter2')
  })
})
