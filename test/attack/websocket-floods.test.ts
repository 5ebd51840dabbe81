import { createServer } from 'node:http'
import { once } from 'node:events'
import type { WebSocket } from 'ws'
import { beforeAll, describe, expect, it } from 'vitest'
import { acceptUpgrades } from '../../src/surfaces/ws/upgrade.ts'
import { overRest } from '../helpers/transports.ts'
import { forAll, serverForAll, siteForAll } from '../helpers/for-all.ts'
import { memoryLog } from '../http/toys.ts'
import { closeCode, frame, upgraded } from './raw-socket.ts'

type Door = 'a job' | 'the browser of a session' | 'a live view'
const doors: readonly Door[] = ['a job', 'the browser of a session', 'a live view']
const paths = {} as Record<Door, string>
let port = 0
let sessionId = ''

const site = siteForAll()
const server = serverForAll(() => ({ GOSSAMER_DATA_DIR: 'memory' }))
const rest = forAll(() => overRest(server.url))
beforeAll(async () => {
  port = Number(new URL(server.url).port)
  const session = (await rest.call('browser_create', {})).output as { id: string; cdpUrl: string; liveViewUrl: string }
  const crawl = (await rest.call('crawl', { url: site.url('/hang'), limit: 1 })).output as { id: string }
  sessionId = session.id
  paths['a job'] = `/v2/crawl/${crawl.id}`
  paths['the browser of a session'] = new URL(session.cdpUrl).pathname
  paths['a live view'] = `${new URL(session.liveViewUrl).pathname}/ws`
})

const [continued, text, binary, ping] = [0, 1, 2, 9]
const bytes = (count: number) => Buffer.alloc(count, 'x')
/** Invalid input, each with the close codes allowed for it (RFC 6455, section 7.4.1). */
const wrong: Readonly<Record<string, [bytes: () => Buffer, codes: readonly number[]]>> = {
  'text that is not UTF-8': [() => frame({ opcode: text, payload: Buffer.from([0xc3, 0x28]) }), [1007]],
  'half a surrogate': [() => frame({ opcode: text, payload: Buffer.from([0xed, 0xa0, 0x80]) }), [1007]],
  'a frame without a mask': [() => frame({ opcode: text, payload: bytes(1), mask: 'bare' }), [1002]],
  'reserved bits': [() => frame({ opcode: text, payload: bytes(1), rsv: 4 }), [1002]],
  'an unknown opcode': [() => frame({ opcode: 3 }), [1002]],
  'a ping in pieces': [() => frame({ opcode: ping, fin: 0 }), [1002]],
  'a ping that is too long': [() => frame({ opcode: ping, payload: bytes(126) }), [1002]],
  'a continuation without a message': [() => frame({ opcode: continued, payload: bytes(1) }), [1002]],
  'a message in a message': [
    () => Buffer.concat([0, 0].map(() => frame({ opcode: text, payload: bytes(1), fin: 0 }))),
    [1002],
  ],
  'a message of a terabyte': [() => frame({ opcode: binary, length: 1n << 40n }), [1009]],
  'a message whose length is not a safe integer': [() => frame({ opcode: binary, length: 1n << 63n }), [1002, 1009]],
  'a message in pieces of one byte': [
    () =>
      Buffer.concat([
        frame({ opcode: binary, payload: bytes(1), fin: 0 }),
        ...Array.from({ length: 20_000 }, () => frame({ opcode: continued, payload: bytes(1), fin: 0 })),
      ]),
    [1008],
  ],
}

describe.each(doors)('the WebSocket of %s', (door) => {
  it.each(Object.entries(wrong))('is closed after %s', async (_, [make, codes]) => {
    const { socket, status } = await upgraded(port, paths[door])
    expect(status).toBe(101)
    socket.write(make())
    expect(codes).toContain(await closeCode(socket))
  })

  it('survives clients that disconnect in the middle of a frame', async () => {
    for (let round = 0; round < 30; round++) {
      const { socket, status } = await upgraded(port, paths[door])
      expect(status).toBe(101)
      socket.write(frame({ opcode: text, payload: bytes(10_000), length: 20_000n }))
      socket.resetAndDestroy()
    }
  })
})

it('sockets beyond the share of a team are refused, and the server stays up', async () => {
  const all: Awaited<ReturnType<typeof upgraded>>[] = []
  // In groups, because a kernel with a full queue retries the other connections minutes later.
  while (all.length < 700)
    all.push(...(await Promise.all(Array.from({ length: 100 }, () => upgraded(port, paths['a job'])))))
  const refused = all.filter(({ status }) => status === 429)
  expect(refused.length).toBeGreaterThan(100)
  expect(refused.length + all.filter(({ status }) => status === 101).length).toBe(700)
  expect((await fetch(`${server.url}/health`)).status).toBe(200)
  for (const { socket } of all) socket.destroy()
})

it('the session still works after all floods', async () => {
  const acts = [{ type: 'navigate', url: site.url('/article') }]
  expect((await rest.call('browser_act', { sessionId, acts })).output).toMatchObject({ ok: true })
})

it('a client that pings without reading does not fill memory with pongs', async () => {
  const http = createServer()
  const taken = Promise.withResolvers<WebSocket>()
  const route = { match: () => ({ teamId: 'red', accept: (socket: WebSocket) => taken.resolve(socket) }) }
  const rules = { allowedHosts: ['127.0.0.1'], allowedOrigins: [], log: memoryLog() }
  const upgrades = acceptUpgrades(http, { ...rules, routes: [route] })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const { socket } = await upgraded((http.address() as { port: number }).port, '/')
  socket.pause()
  const ours = await taken.promise
  const count = 300_000
  let received = 0
  const all = new Promise<void>((resolve) => ours.on('ping', () => ++received === count && resolve()))
  const pings = Buffer.concat(Array.from({ length: 1000 }, () => frame({ opcode: ping, payload: bytes(125) })))
  for (let sent = 0; sent < count; sent += 1000) if (!socket.write(pings)) await once(socket, 'drain')
  await all
  expect(ours.bufferedAmount).toBeLessThan(1000)
  const last = once(ours, 'close')
  socket.destroy()
  await last
  await upgrades.close()
  http.close()
})
