/** Takes the next chunk of a byte stream. */
type FrameSplitter = (chunk: Buffer) => 'ok' | 'too long'

/**
 * Splits a byte stream into frames that end with a NUL byte, and emits each frame without its NUL byte. A frame of more than `maxBytes` is never emitted: the splitter then answers
 * `too long` and must not be used again. Every byte is scanned once and copied at most once, however long the frame.
 */
export function createFrameSplitter(maxBytes: number, emit: (frame: Buffer) => void): FrameSplitter {
  let parts: Buffer[] = []
  let pendingBytes = 0
  return (chunk) => {
    let start = 0
    for (let end = chunk.indexOf(0); end >= 0; end = chunk.indexOf(0, start)) {
      const last = chunk.subarray(start, end)
      if (pendingBytes + last.length > maxBytes) return 'too long'
      const frame = pendingBytes > 0 ? Buffer.concat([...parts, last], pendingBytes + last.length) : last
      parts = []
      pendingBytes = 0
      start = end + 1
      emit(frame)
    }
    if (start < chunk.length) parts.push(chunk.subarray(start))
    pendingBytes += chunk.length - start
    return pendingBytes > maxBytes ? 'too long' : 'ok'
  }
}
