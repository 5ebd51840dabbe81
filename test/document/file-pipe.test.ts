import { PassThrough } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { frameReader, packed, sendFrame, unpacked } from '../../src/engine/document/file-pipe.ts'

async function sent(...frames: Uint8Array[]): Promise<Buffer> {
  const pipe = new PassThrough({ highWaterMark: 10_000_000 })
  for (const frame of frames) await sendFrame(pipe, frame)
  return pipe.end().read() as Buffer
}

function reading(maxBytes = 1000) {
  const received = { frames: [] as string[], isTooLong: false }
  const read = frameReader({
    maxBytes,
    take: (frame) => void received.frames.push(frame.toString()),
    tooLong: () => void (received.isTooLong = true),
  })
  return { received, read }
}

describe('frames', () => {
  test('arrive unchanged, split at any byte', async () => {
    const stream = await sent(Buffer.from('größe'), Buffer.alloc(0), Buffer.from('b'))
    for (let at = 0; at <= stream.length; at += 1) {
      const { received, read } = reading()
      read(stream.subarray(0, at))
      read(stream.subarray(at))
      expect(received, String(at)).toEqual({ frames: ['größe', '', 'b'], isTooLong: false })
    }
  })

  test('arrive byte by byte', async () => {
    const { received, read } = reading()
    for (const byte of await sent(Buffer.alloc(0), Buffer.from('ab'))) read(Buffer.of(byte))
    expect(received.frames).toEqual(['', 'ab'])
  })

  test('are sent in chunks if they are long', async () => {
    const long = Buffer.alloc(3_000_001, 'abc')
    const { received, read } = reading(long.length)
    read(await sent(long, Buffer.from('z')))
    expect(received.frames.map(({ length }) => length)).toEqual([long.length, 1])
    expect(received.frames[0] === long.toString()).toBe(true)
  })

  test('that announce too many bytes end the connection', async () => {
    const { received, read } = reading(3)
    read(await sent(Buffer.from('abc'), Buffer.from('abcd'), Buffer.from('e')))
    expect(received).toEqual({ frames: ['abc'], isTooLong: true })
    read(Buffer.from('more'))
    expect(received.frames).toEqual(['abc'])
  })

  test('contain messages, which keep values that JSON would lose', () => {
    const message = { text: 'a\ud800b', left: undefined, most: Infinity }
    expect(unpacked(Uint8Array.from(packed(message)))).toEqual(message)
  })
})

test('sending to a closed pipe fails', async () => {
  const pipe = new PassThrough().on('error', () => {})
  pipe.destroy()
  await expect(sendFrame(pipe, Buffer.alloc(3_000_000))).rejects.toThrow()
})
