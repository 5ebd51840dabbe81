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
])('frames are read %s', ([, chunks]) => expect(split(4, chunks)).toEqual({ frames: ['ab', '', 'cdef'], last: 'ok' }))

test.for<[name: string, chunks: string[]]>([
  ['if it ends in its first chunk', ['ab\0cdefg\0']],
  ['if it ends in a later chunk', ['ab\0cd', 'efg\0hi\0']],
  ['before it ends', ['ab\0cd', 'efg']],
])('a frame that is too long is refused %s', ([, chunks]) => {
  expect(split(4, chunks)).toEqual({ frames: ['ab'], last: 'too long' })
})
