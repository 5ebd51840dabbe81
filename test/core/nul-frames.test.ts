import { expect, test } from 'vitest'
import { createFrameSplitter } from '../../src/util/nul-frames.ts'

function split(maxBytes: number, chunks: readonly string[]) {
  const frames: string[] = []
  const take = createFrameSplitter(maxBytes, (frame) => frames.push(frame.toString()))
  const answers = chunks.map((chunk) => take(Buffer.from(chunk)))
  return { frames, last: answers.at(-1) }
}

test.for<[name: string, chunks: string[]]>([
  ['in one chunk', ['ab\0\0cdef\0']],
  ['in chunks that cut frames', ['a', 'b\0', '\0cd', 'ef', '\0']],
  ['byte by byte', [...'ab\0\0cdef\0']],
])('frames are complete %s', ([, chunks]) => {
  expect(split(4, chunks)).toEqual({ frames: ['ab', '', 'cdef'], last: 'ok' })
})

test.for<[name: string, chunks: string[]]>([
  ['that ends inside the chunk', ['ab\0cdefg\0']],
  ['that ends inside a later chunk', ['ab\0cd', 'efg\0hi\0']],
  ['that has not ended yet', ['ab\0cd', 'efg']],
])('a frame above the limit %s is refused', ([, chunks]) => {
  expect(split(4, chunks)).toEqual({ frames: ['ab'], last: 'too long' })
})
