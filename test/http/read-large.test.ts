import { expect, test } from 'vitest'
import { readLarge } from '../../src/surfaces/http/body/read-input.ts'

function reading(freeBytes: number) {
  const late = new AbortController()
  const admitted = Promise.withResolvers<void>()
  const left = Promise.withResolvers<unknown>()
  const stream = new ReadableStream<Uint8Array>({
    start: (to) => to.enqueue(new Uint8Array(100)),
    cancel: left.resolve,
  })
  const rules = { maxBytes: 1000, freeBytes, announced: undefined, admit: () => admitted.promise, late: late.signal }
  return { late, admitted, left: left.promise, read: readLarge(stream, rules) }
}

test.each([
  { what: 'more bytes', freeBytes: 500 },
  { what: 'its slot', freeBytes: 50 },
])('a body that waits too long for $what is abandoned, and its memory released', async ({ freeBytes }) => {
  const { late, admitted, left, read } = reading(freeBytes)
  await new Promise(setImmediate)
  late.abort(new Error('too late'))
  admitted.resolve()
  await expect(read).rejects.toThrow('too late')
  expect(await left).toMatchObject({ message: 'too late' })
})
