import type { Readable, Writable } from 'node:stream'
import { parseJson } from '../../../util/json.ts'
import { createOpening, type OpeningAnswers } from './answers.ts'

/** A line that is longer is no greeting. */
const maxLineBytes = 64 * 1024

/**
 * Answers a client over stdio for as long as the answers are known beforehand. Resolves with the messages that the protocol has to hear all
 * the same; what else was read is back in `input`, which is paused. Resolves with undefined when the client has gone first.
 */
export function serveOpening(
  answers: OpeningAnswers,
  input: Readable,
  output: Writable,
): Promise<readonly object[] | undefined> {
  const opening = createOpening(answers)
  const { promise, resolve } = Promise.withResolvers<readonly object[] | undefined>()
  let held = Buffer.alloc(0)

  const leave = (heard: readonly object[] | undefined) => {
    input.off('data', receive).off('end', gone).off('close', gone)
    input.pause()
    resolve(heard)
  }
  const handOver = () => {
    leave(opening.heard())
    // Not before nobody listens: a stream that flows would say it again at once.
    input.unshift(held)
  }
  const gone = () => leave(undefined)
  const receive = (chunk: Buffer) => {
    held = Buffer.concat([held, chunk])
    for (let end = held.indexOf('\n'); end >= 0; end = held.indexOf('\n')) {
      const answer = opening.answer(parseJson(held.toString('utf8', 0, end)))
      if (answer === undefined) return handOver()
      held = held.subarray(end + 1)
      if (answer !== '') output.write(`${answer}\n`)
    }
    if (held.length > maxLineBytes) handOver()
  }
  input.on('data', receive).once('end', gone).once('close', gone)
  return promise
}
