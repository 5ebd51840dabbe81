import { PassThrough, Writable } from 'node:stream'
import { expect, test, vi } from 'vitest'
import { createPipe, type PipeOptions, type CdpMessage } from '../../src/engine/browser/cdp/cdp-wire.ts'

function pipe(options?: PipeOptions) {
  const toBrowser = new PassThrough()
  const fromBrowser = new PassThrough()
  const wire = createPipe(toBrowser, fromBrowser, options)
  const messages: CdpMessage[] = []
  const end = vi.fn<(why: string) => void>()
  wire.listen({ message: (message) => void messages.push(message), end })
  return { wire, toBrowser, fromBrowser, messages, end }
}

const settle = () => new Promise((resolve) => setImmediate(resolve))

const three: CdpMessage[] = [{ id: 1 }, { method: 'Page.loadEventFired', params: { text: 'żółć 🦊' } }, { id: 2 }]
const framed = Buffer.from(three.map((message) => `${JSON.stringify(message)}\0`).join(''))

test.each([1, 2, 3, 7, 64, framed.length])('messages are assembled from chunks of %i bytes', async (size) => {
  const { fromBrowser, messages } = pipe()
  for (let at = 0; at < framed.length; at += size) fromBrowser.write(framed.subarray(at, at + size))
  await settle()
  expect(messages).toEqual(three)
})

test('a message of 50 MB and the next message are complete', async () => {
  const { fromBrowser, messages } = pipe()
  const data = 'x'.repeat(50_000_000)
  const bytes = Buffer.from(`${JSON.stringify({ id: 1, result: { data } })}\0{"id":2}\0`)
  for (let at = 0; at < bytes.length; at += 65_536) fromBrowser.write(bytes.subarray(at, at + 65_536))
  await settle()
  expect(messages.map(({ id }) => id)).toEqual([1, 2])
  expect(messages[0]?.result?.['data'] === data).toBe(true)
})

test.each([
  ['in one chunk', ['{"id":1234567890}\0']],
  ['in many chunks', ['{"id":1', '23456', '7890', '}\0']],
  ['and is incomplete', ['{"id":12345', '67890']],
])('a message above the limit that arrives %s ends the connection', async (_, chunks) => {
  const { fromBrowser, messages, end } = pipe({ maxFrameBytes: 12 })
  for (const chunk of chunks) fromBrowser.write(chunk)
  await settle()
  expect(messages).toEqual([])
  expect(end.mock.calls).toEqual([['carried a message of more than 12 bytes']])
})

test.each(['{"id":1', 'null', '17', ''])('the invalid message %j ends the connection', async (text) => {
  const { fromBrowser, messages, end } = pipe()
  fromBrowser.write(`${text}\0{"id":2}\0`)
  await settle()
  expect(messages).toEqual([])
  expect(end.mock.calls).toEqual([['carried a message that is not JSON']])
})

test('messages are sent as JSON, each followed by a NUL byte', async () => {
  const { wire, toBrowser } = pipe()
  for (const message of three) wire.send(message)
  expect(toBrowser.read()).toEqual(framed)
})

test('the pipe is full until a slow browser has read everything', async () => {
  const taken: (() => void)[] = []
  const slow = new Writable({ highWaterMark: 10, write: (_chunk, _encoding, done) => void taken.push(done) })
  const wire = createPipe(slow, new PassThrough())
  expect(wire.isFull()).toBe(false)
  await wire.drained()
  wire.send({ id: 1, method: 'Browser.getVersion' })
  expect(wire.isFull()).toBe(true)
  const drained = wire.drained()
  taken.shift()?.()
  await drained
  expect(wire.isFull()).toBe(false)
})

test('the end of the connection ends the wait for a full pipe', async () => {
  const wire = createPipe(new Writable({ highWaterMark: 1, write: () => {} }), new PassThrough())
  wire.send({ id: 1 })
  const drained = wire.drained()
  wire.end()
  await expect(drained).resolves.toBeUndefined()
})

test.each([
  ['was closed by the browser', (from: PassThrough) => from.push(null)],
  ['was closed by the browser', (from: PassThrough) => from.destroy()],
  ['broke', (from: PassThrough) => from.destroy(new Error('EIO'))],
])('the end of the connection is reported once: it %s', async (why, stop) => {
  const { fromBrowser, wire, end } = pipe()
  stop(fromBrowser)
  await settle()
  wire.end()
  wire.send({ id: 1 })
  await settle()
  expect(end.mock.calls).toEqual([[why]])
})

test('a write error ends the connection', async () => {
  const { toBrowser, wire, end } = pipe()
  toBrowser.destroy(new Error('EPIPE'))
  wire.send({ id: 1 })
  await settle()
  expect(end.mock.calls).toEqual([['broke']])
})
