import { PassThrough } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { frameReader, packed, sendFrame, unpacked } from '../../src/engine/document/file-pipe.ts'

async function sent(...frames: Uint8Array[]): Promise<Buffer> {
  const pipe = new PassThrough({ highWaterMark: 10_000_000 })
  for (const frame of frames) await sendFrame(pipe, frame)
  return pipe.end().read() as Buffer
}

function reading(maxBytes = 1000) {
  const told = { frames: [] as string[], isTooLong: false }
  const read = frameReader({
    maxBytes,
    take: (frame) => void told.frames.push(frame.toString()),
    tooLong: () => void (told.isTooLong = true),
  })
  return { told, read }
}

describe('frames', () => {
  test('arrive unchanged, split at any byte', async () => {
    const stream = await sent(Buffer.from('größe'), Buffer.alloc(0), Buffer.from('b'))
    for (let at = 0; at <= stream.length; at += 1) {
      const { told, read } = reading()
      read(stream.subarray(0, at))
      read(stream.subarray(at))
      expect(told, String(at)).toEqual({ frames: ['größe', '', 'b'], isTooLong: false })
    }
  })

  test('arrive byte by byte', async () => {
    const { told, read } = reading()
    for (const byte of await sent(Buffer.alloc(0), Buffer.from('ab'))) read(Buffer.of(byte))
    expect(told.frames).toEqual(['', 'ab'])
  })

  test('are sent in pieces if they are long', async () => {
    const long = Buffer.alloc(3_000_001, 'abc')
    const { told, read } = reading(long.length)
    read(await sent(long, Buffer.from('z')))
    expect(told.frames.map(({ length }) => length)).toEqual([long.length, 1])
    expect(told.frames[0] === long.toString()).toBe(true)
  })

  test('that announce too many bytes end the connection', async () => {
    const { told, read } = reading(3)
    read(await sent(Buffer.from('abc'), Buffer.from('abcd'), Buffer.from('e')))
    expect(told).toEqual({ frames: ['abc'], isTooLong: true })
    read(Buffer.from('more'))
    expect(told.frames).toEqual(['abc'])
  })

  test('contain messages, which keep values that JSON would lose', () => {
    const message = { text: 'a\ud800b', left: undefined, most: Infinity }
    expect(unpacked(Uint8Array.from(packed(message)))).toEqual(message)
  })
})

test('nothing is sent to a closed pipe', async () => {
  const pipe = new PassThrough().on('error', () => {})
  pipe.destroy()
  await expect(sendFrame(pipe, Buffer.alloc(3_000_000))).rejects.toThrow()
})
