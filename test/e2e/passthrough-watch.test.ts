import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer } from '../helpers/program.ts'
import { sharedServer, type SharedServer } from '../helpers/shared-server.ts'
import { read, startTree } from './cluster-kit.ts'

type Frame = { type: string; data?: unknown }
const pages = 20
let tree: Awaited<ReturnType<typeof startTree>>
let own: SharedServer
let passing: Awaited<ReturnType<typeof startServer>>

beforeAll(async () => {
  tree = await startTree(pages, 30)
  own = await sharedServer()
  passing = await startServer({ GOSSAMER_DATA_DIR: 'memory', GOSSAMER_REMOTE_URL: own.url })
})
afterAll(async () => {
  await passing.stop()
  tree.close()
})

test('a passthrough server reports a crawl over a WebSocket like the remote one', async () => {
  const { id } = await read<{ id: string }>(`${passing.url}/v2/crawl`, {
    url: `${tree.origin}/p/0`,
    crawlEntireDomain: true,
    scrapeOptions: { maxAge: 0 },
  })
  const frames: Frame[] = []
  const socket = new WebSocket(`${passing.url.replace('http', 'ws')}/v2/crawl/${id}`)
  socket.addEventListener('message', ({ data }) => frames.push(JSON.parse(String(data)) as Frame))
  await new Promise((resolve) => socket.addEventListener('close', resolve))
  const types = frames.map(({ type }) => type)
  expect([types[0], types.at(-1)]).toEqual(['catchup', 'done'])
  const caughtUp = frames.flatMap(({ type, data }) => (type === 'catchup' ? (data as { data: object[] }).data : []))
  expect(caughtUp.length + types.filter((type) => type === 'document').length).toBe(pages)
  expect(await read(`${own.url}/v2/crawl/${id}?limit=1`)).toMatchObject({ status: 'completed', completed: pages })
})
