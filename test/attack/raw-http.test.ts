import { readdirSync } from 'node:fs'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { describe, expect, it, test } from 'vitest'
import { serverForAll } from '../helpers/for-all.ts'

const server = serverForAll(() => ({ GOSSAMER_DATA_DIR: 'memory' }))

async function dial(): Promise<Socket> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1').setEncoding('latin1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  return socket
}

/** Sends bytes, and returns what the server sends until it closes the connection. */
async function answerTo(bytes: string, end: 'half-closed' | 'open' = 'open'): Promise<string> {
  const socket = await dial()
  let text = ''
  socket.on('data', (more: string) => void (text += more))
  const closed = once(socket, 'close')
  if (end === 'half-closed') socket.end(bytes, 'latin1')
  else socket.write(bytes, 'latin1')
  await closed
  return text
}
const statuses = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => Number(status))
const isUp = async () => (await fetch(`${server.url}/health`)).status === 200

const host = 'host: 127.0.0.1\r\n'
/** A further request. After an ambiguous one it must not be answered; after a valid one it is. */
const smuggled = `GET /health HTTP/1.1\r\n${host}connection: close\r\n\r\n`
const posted = (headers: string, body: string) => `POST /v2/map HTTP/1.1\r\n${host}${headers}\r\n\r\n${body}`
const got = (headers: string) => `GET /health HTTP/1.1\r\n${host}${headers}\r\n\r\n`
const chunked = (body: string) => posted('transfer-encoding: chunked', body)

const refused: Readonly<Record<string, string>> = {
  'a length and a coding': posted('content-length: 4\r\ntransfer-encoding: chunked', `0\r\n\r\n${smuggled}`),
  'a coding and a length': posted('transfer-encoding: chunked\r\ncontent-length: 4', `0\r\n\r\n${smuggled}`),
  'two lengths': posted('content-length: 4\r\ncontent-length: 0', `abcd${smuggled}`),
  'the same length twice': posted('content-length: 4\r\ncontent-length: 4', `abcd${smuggled}`),
  'a list of lengths': posted('content-length: 4, 4', `abcd${smuggled}`),
  'a length with a sign': posted('content-length: +4', `abcd${smuggled}`),
  'a negative length': posted('content-length: -4', `abcd${smuggled}`),
  'a length in hex': posted('content-length: 0x4', `abcd${smuggled}`),
  'a length of 40 digits': posted(`content-length: ${'9'.repeat(40)}`, smuggled),
  'an empty length': posted('content-length:', smuggled),
  'a blank before the colon': posted('content-length : 4', `abcd${smuggled}`),
  'an unknown coding': posted('transfer-encoding: xchunked', `0\r\n\r\n${smuggled}`),
  'a coding that is not decoded': posted('transfer-encoding: gzip, chunked', `0\r\n\r\n${smuggled}`),
  'a coding after chunked': posted('transfer-encoding: chunked, identity', `0\r\n\r\n${smuggled}`),
  'two codings': posted('transfer-encoding: chunked\r\ntransfer-encoding: identity', `0\r\n\r\n${smuggled}`),
  'chunked twice': posted('transfer-encoding: chunked\r\ntransfer-encoding: chunked', `0\r\n\r\n${smuggled}`),
  'a coding behind a control character': posted('transfer-encoding: \u000bchunked', `0\r\n\r\n${smuggled}`),
  'a coding with a NUL': posted('transfer-encoding: chunked\0', `0\r\n\r\n${smuggled}`),
  'a coding of HTTP/1.0': chunked(`0\r\n\r\n${smuggled}`).replace('HTTP/1.1', 'HTTP/1.0'),
  'a folded header': got('x-a: b\r\n c: d'),
  'a folded coding': posted('transfer-encoding:\r\n chunked', `0\r\n\r\n${smuggled}`),
  'lines that end in LF alone': got('').replaceAll('\r\n', '\n'),
  'a header that ends in LF alone': got('x-a: b\nx-c: d'),
  'a header that ends in CR alone': got('x-a: b\rx-c: d'),
  'a blank before the first header': `GET /health HTTP/1.1\r\n x: a\r\n${host}\r\n`,
  'a blank in the name of a header': got('x y: a'),
  'a NUL in a header': got('x: a\0b'),
  'a NUL in the path': got('').replace('/health', '/health\0'),
  'a blank in the path': got('').replace('/health', '/hea lth'),
  'two hosts': got('host: evil.example'),
  'no host': 'GET /health HTTP/1.1\r\n\r\n',
  'HTTP/0.9': 'GET /health HTTP/0.9\r\n\r\n',
  'HTTP/1.2': got('').replace('/1.1', '/1.2'),
  'HTTP/2.0 in plain lines': got('').replace('/1.1', '/2.0'),
  'HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  TLS: '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003',
  'a target without a path': got('connection: close').replace('/health', '*'),
  'a chunk of more than 2^64 bytes': chunked(`ffffffffffffffffff\r\nabcd\r\n0\r\n\r\n${smuggled}`),
  'a chunk of negative length': chunked(`-1\r\nabcd\r\n0\r\n\r\n${smuggled}`),
  'a chunk with a prefix': chunked(`0x4\r\nabcd\r\n0\r\n\r\n${smuggled}`),
  'a chunk with a blank': chunked(`4 \r\nabcd\r\n0\r\n\r\n${smuggled}`),
  'a chunk without an end': chunked(`4\r\nabcdX0\r\n\r\n${smuggled}`),
  'a chunk whose extension ends in LF alone': chunked(`4;a\nabcd\r\n0\r\n\r\n${smuggled}`),
  'a length among the trailers': chunked(`0\r\ncontent-length: 9\r\n\r\n${smuggled}`),
  'two hosts of a WebSocket': got(
    'host: evil.example\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==',
  ),
}

const tooLarge: Readonly<Record<string, string>> = {
  'an address': got('').replace('/health', `/${'a'.repeat(20_000)}`),
  'a header': got(`x: ${'a'.repeat(20_000)}`),
  'many headers': got(Array.from({ length: 3000 }, (_, at) => `x-${at}: a`).join('\r\n')),
  'a trailer': chunked(`0\r\nx: ${'a'.repeat(20_000)}\r\n\r\n`),
  'the extension of a chunk': chunked(`4;${'a'.repeat(20_000)}\r\nabcd\r\n0\r\n\r\n`),
}

describe('an ambiguous HTTP request', () => {
  test.each(Object.entries(refused))('is refused, and its connection is closed: %s', async (_, bytes) => {
    expect(statuses(await answerTo(bytes))).toEqual([400])
  })

  test.each(Object.entries(tooLarge))('is refused if it is too large: %s', async (_, bytes) => {
    const [status, ...more] = statuses(await answerTo(bytes))
    expect([413, 431]).toContain(status)
    expect(more).toEqual([])
  })

  it('is refused if it has too many headers', async () => {
    const headers = Array.from({ length: 201 }, (_, at) => `x-${at}:`).join('\r\n')
    expect(statuses(await answerTo(got(headers)))[0]).toBeGreaterThanOrEqual(400)
  })
})

describe('an unusual but valid client', () => {
  it.each([
    ['that sends the whole address', got('connection: close').replace('/health', 'http://127.0.0.1/health'), [200]],
    ['that names another host in the address', got('connection: close').replace('/', 'http://evil.example/'), [403]],
    ['that begins with empty lines', `\r\n\r\n${got('connection: close')}`, [200]],
    [
      'that offers HTTP/2',
      got('connection: upgrade, http2-settings, close\r\nupgrade: h2c\r\nhttp2-settings: A'),
      [200],
    ],
    ['that asks for an unknown upgrade', got('connection: upgrade, close\r\nupgrade: TLS/1.0'), [200]],
    ['that sends a body with a GET', `${got('content-length: 5')}GET /${got('connection: close')}`, [200, 200]],
    ['that extends its chunks', chunked(`2;a=b\r\n{}\r\n0\r\n\r\n${smuggled}`), [400, 200]],
    [
      'that expects 100-continue',
      posted('connection: close\r\ncontent-length: 2\r\nexpect: 100-continue', '{}'),
      [100, 400],
    ],
    ['that expects something unknown', `${got('expect: 200-maybe')}${smuggled}`, [417, 200]],
    ['that sends three requests without waiting', got('').repeat(2) + smuggled, [200, 200, 200]],
    ['that sends TRACE', got('connection: close').replace('GET', 'TRACE'), [405]],
  ])('is answered: %s', async (_, bytes, expected) => expect(statuses(await answerTo(bytes))).toEqual(expected))

  it('is answered after it half-closes, and refused if it half-closes within a body', async () => {
    expect(statuses(await answerTo(got(''), 'half-closed'))).toEqual([200])
    expect(statuses(await answerTo(posted('content-length: 9', '{'), 'half-closed'))).toEqual([400])
  })

  it('gets no tunnel by CONNECT', async () => {
    expect(await answerTo('CONNECT example.com:443 HTTP/1.1\r\nhost: example.com\r\n\r\n')).toBe('')
  })
})

const open = (count: number) => Promise.all(Array.from({ length: count }, dial))
const held = () => readdirSync(`/proc/${server.program.child.pid}/fd`).length

describe('very many connections', () => {
  it('that stay idle do not block other clients, and are freed', async () => {
    await isUp()
    const before = held()
    const sockets: Socket[] = []
    for (let round = 0; round < 20; round++) {
      sockets.push(...(await open(500)))
      expect(await isUp()).toBe(true)
    }
    await expect.poll(held).toBeLessThan(4100)
    for (const socket of sockets) socket.destroy()
    await expect.poll(held).toBeLessThan(before + 50)
  })

  it('that never end their headers are closed', async () => {
    const sockets = await open(200)
    const ends = sockets.map((socket) => once(socket.resume(), 'close'))
    for (const socket of sockets) socket.write('GET /health HTTP/1.1\r\n')
    const drips = setInterval(() => sockets.forEach((socket) => socket.writable && socket.write('x: y\r\n')), 1000)
    await Promise.all(ends)
    clearInterval(drips)
    expect(await isUp()).toBe(true)
  })
})
