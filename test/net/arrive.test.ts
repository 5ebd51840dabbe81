import { type RequestListener } from 'node:http'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { Agent } from 'undici'
import { expect, test } from 'vitest'
import { forTest } from '../helpers/for-all.ts'
import { serve } from '../helpers/listen.ts'
import { arrive } from '../../src/engine/net/http/arrival.ts'

/** Starts a server, and returns a function that sends it a request. */
async function startAnswering(listener: RequestListener, isWanted = true) {
  const { origin } = forTest(await serve(listener))
  const agent = forTest(new Agent({ connections: 1 }), (opened) => opened.destroy())
  const leaving = new AbortController()
  const request = { origin, path: '/', method: 'GET', signal: leaving.signal } as const
  return { leaving, send: () => arrive(agent, request, () => isWanted) }
}

test.each([0, 1, 131_072])('a body of %i bytes is complete', async (length) => {
  const { send } = await startAnswering((_, response) => response.end(Buffer.alloc(length, 'ab')))
  const { statusCode, body } = await send()
  expect(statusCode).toBe(200)
  expect(Buffer.from(body as Uint8Array)).toEqual(Buffer.alloc(length, 'ab'))
})

test('an unwanted body is returned as a stream immediately, and destroying it frees the connection', async () => {
  const { send } = await startAnswering((_, response) => void response.write('for ever'), false)
  for (let times = 0; times < 3; times++) {
    const { body } = await send()
    ;(body as Readable).destroy()
  }
})

test('an unread stream does not fill the memory', async () => {
  let sent = 0
  const { send } = await startAnswering((_, response) => {
    const more = () => {
      while (sent < 200_000_000 && response.write(Buffer.alloc(100_000))) sent += 100_000
    }
    response.on('drain', more)
    more()
  })
  const { body } = await send()
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(sent).toBeLessThan(50_000_000)
  ;(body as Readable).destroy()
})

test('an answer that ends before its start is refused; one that ends early fails while it is read', async () => {
  const none = await startAnswering((request) => void request.socket.destroy())
  await expect(none.send()).rejects.toMatchObject({ code: 'UND_ERR_SOCKET' })
  const short = await startAnswering((_, response) => {
    response.writeHead(200, { 'content-length': 100 }).write('half')
    setTimeout(() => response.destroy(), 20)
  })
  const { body } = await short.send()
  await expect(buffer(body as Readable)).rejects.toThrow()
})

test.each([
  { when: 'before the answer', listener: () => {} },
  { when: 'in the middle of the body', listener: ((_, response) => void response.write('half')) as RequestListener },
])('an abort $when rejects the request', async ({ listener }) => {
  const { send, leaving } = await startAnswering(listener)
  const reading = send().then(({ body }) => buffer(body as Readable))
  setTimeout(() => leaving.abort(new Error('left')), 50)
  await expect(reading).rejects.toThrow('left')
})
