import type { Readable } from 'node:stream'

/** Calls `take` with each complete line of a UTF-8 stream as it arrives. */
export function onLines(stream: Readable, take: (line: string) => void): void {
  let open: string[] = []
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    const [first = '', ...rest] = chunk.split('\n')
    open.push(first)
    for (const next of rest) {
      take(open.join(''))
      open = [next]
    }
  })
}
