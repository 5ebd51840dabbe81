import type { FrameHeader } from './messages.ts'

/** A picture as it is sent: made once for all who watch. */
export type Frame = { n: number; message: Uint8Array; jpeg: Uint8Array }

/** Length of the header (16 bit, big-endian), header as JSON, JPEG. */
export function packed(header: FrameHeader, jpeg: Uint8Array): Frame {
  const head = Buffer.from(JSON.stringify(header))
  const length = Buffer.alloc(2)
  length.writeUInt16BE(head.length)
  return { n: header.n, message: Buffer.concat([length, head, jpeg]), jpeg }
}
