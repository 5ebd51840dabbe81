const words = 2
const wordBytes = Int32Array.BYTES_PER_ELEMENT
const urlBytes = 8192
const [beatAt, lengthAt] = [0, 1]

/**
 * An address as it is marked: of a very long one only the beginning, whole characters. Whoever compares an address with a mark
 * cuts it alike; pages with the same beginning are then taken for one.
 */
export function marked(url: string): string {
  const bytes = Buffer.from(url)
  if (bytes.length <= urlBytes) return url
  const cut = Buffer.alloc(urlBytes)
  return cut.toString('utf8', 0, cut.write(url))
}

/**
 * Memory that a lane shares with the main thread, so that what it was doing is known when it does not answer any more, and
 * costs no message a page.
 */
export const newMarks = (): SharedArrayBuffer => new SharedArrayBuffer(words * wordBytes + urlBytes)

export type Marks = {
  /** The lane gets on: it has come round to its event loop, or read a page. */
  beat(): void
  beats(): number
  /** Undefined once the page has been read. */
  reading(url: string | undefined): void
  /** The page that is being read, as `marked`. */
  page(): string | undefined
}

export function marksIn(memory: SharedArrayBuffer): Marks {
  const numbers = new Int32Array(memory, 0, words)
  const text = Buffer.from(memory, words * wordBytes)
  return {
    beat: () => void Atomics.add(numbers, beatAt, 1),
    beats: () => Atomics.load(numbers, beatAt),
    reading(url) {
      const length = url === undefined ? 0 : text.write(url)
      Atomics.store(numbers, lengthAt, length)
    },
    page() {
      const length = Atomics.load(numbers, lengthAt)
      return length === 0 ? undefined : text.toString('utf8', 0, length)
    },
  }
}
