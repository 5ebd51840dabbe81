import { randomBytes } from 'node:crypto'
import { constants, gzipSync, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { pack, unpack } from '../../src/engine/store/sqlite/db/sqlite-file.ts'

const sizes = [0, 1, 63, 64, 65, 255, 256, 257, 65_535, 65_791, 65_792, 65_793, 300_000, 17 * 2 ** 20]

test.each(sizes)('%i bytes are unpacked unchanged', (size) => {
  const repetitive = Buffer.alloc(size, 'abc ')
  const random = randomBytes(Math.min(size, 100_000))
  for (const level of [1, 3])
    for (const bytes of [repetitive, random]) {
      const packed = zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: level } })
      expect(unpack(packed).length).toBe(bytes.length)
      expect(Buffer.from(unpack(packed)).equals(bytes)).toBe(true)
    }
})

test.each(sizes)('%i bytes are unpacked from the gzip that they were received in', (size) => {
  for (const bytes of [Buffer.alloc(size, 'abc '), randomBytes(Math.min(size, 100_000))])
    expect(Buffer.from(unpack(gzipSync(bytes))).equals(bytes)).toBe(true)
})

test('a broken gzip, or one with a wrong length, is refused; one of two members is read whole', () => {
  const gzip = gzipSync(Buffer.alloc(1000, 'abc '))
  expect(() => unpack(gzip.subarray(0, gzip.length - 3))).toThrow()
  const lying = Buffer.from(gzip)
  lying.writeUInt32LE(0xffffffff, lying.length - 4)
  expect(() => unpack(lying)).toThrow()
  const parts = Buffer.concat([gzip, gzipSync(Buffer.from('more'))])
  expect(unpack(parts).length).toBe(1004)
})

test('a broken frame is refused', () => {
  const packed = zstdCompressSync(Buffer.alloc(1000, 'abc '))
  expect(() => unpack(packed.subarray(0, packed.length - 3))).toThrow()
  expect(() => unpack(Buffer.alloc(20))).toThrow()
})

test.each([0, 1, 2, 255, 256, 257, 2047, 2048, 2049, 5000])(
  '%i bytes are packed into a frame that zstd reads, short ones uncompressed',
  (size) => {
    for (const bytes of [Buffer.alloc(size, 'abc '), randomBytes(size)]) {
      const frame = pack(bytes)
      expect(zstdDecompressSync(frame).equals(bytes)).toBe(true)
      expect(Buffer.from(unpack(frame)).equals(bytes)).toBe(true)
      if (size < 2048) expect(frame.length).toBe(size + 12)
    }
  },
)
