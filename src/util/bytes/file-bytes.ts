export type Bytes = Uint8Array<ArrayBuffer>

/**
 * A file that was sent, held once: whoever takes its bytes has them alone, and nothing is left here for those that still hold
 * the input they came with. JSON shows it in base64, as it goes over the wire.
 */
export class FileBytes {
  readonly #size: number
  #bytes: Bytes | undefined

  /** Bytes in a buffer of their own, which is given up. */
  constructor(bytes: Bytes) {
    const { buffer, byteOffset, byteLength } = bytes
    this.#size = byteLength
    this.#bytes = new Uint8Array(buffer.transfer(), byteOffset, byteLength)
  }

  get byteLength(): number {
    return this.#size
  }

  /** Fails where they were taken before. */
  take(): Bytes {
    const bytes = this.#bytes
    if (!bytes) throw new Error('The bytes of this file have been taken.')
    this.#bytes = undefined
    return bytes
  }

  toJSON(): string {
    const { buffer, byteOffset, byteLength } = this.#bytes ?? new Uint8Array()
    return Buffer.from(buffer, byteOffset, byteLength).toString('base64')
  }
}

/** The bytes of a file, or of its base64, in a buffer of their own. */
export function bytesOf(content: FileBytes | string): Bytes {
  if (typeof content !== 'string') return content.take()
  const room = Buffer.alloc(Buffer.byteLength(content, 'base64'))
  return room.subarray(0, room.write(content, 'base64'))
}

/**
 * Frees the memory of bytes that nobody needs any more, although somebody may still hold a view of them. Never while they are
 * written somewhere: the system would read what is there instead.
 */
export function letGo({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && !buffer.detached) buffer.transfer(0)
}
