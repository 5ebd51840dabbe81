import type { Readable } from 'node:stream'

/** Collects what a stream says, up to so many bytes; the rest is read and forgotten, so that the writer does not stop. */
export function collect(stream: Readable, maxBytes: number): () => string {
  const parts: Buffer[] = []
  let held = 0
  let left = 0
  stream.on('error', () => {})
  stream.on('data', (chunk: Buffer) => {
    const kept = chunk.subarray(0, maxBytes - held)
    if (kept.length > 0) parts.push(kept)
    held += kept.length
    left += chunk.length - kept.length
  })
  return () => {
    const text = new TextDecoder().decode(Buffer.concat(parts))
    return left > 0 ? `${text}\n[cut: ${left} more bytes]` : text
  }
}
