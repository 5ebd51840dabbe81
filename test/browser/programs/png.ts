import { inflateSync } from 'node:zlib'

export type Picture = { width: number; height: number; at(x: number, y: number): readonly number[] }

/** A PNG in a data URL, with the red, green and blue of its pixels (PNG specification, 8 bits a channel, not interlaced). */
export function readPicture(dataUrl = ''): Picture {
  const [kind, base64 = ''] = dataUrl.split(',')
  if (kind !== 'data:image/png;base64') throw new Error(`not a PNG: ${kind}`)
  const file = Buffer.from(base64, 'base64')
  const [width, height] = [file.readUInt32BE(16), file.readUInt32BE(20)]
  const bytes = file[25] === 6 ? 4 : 3
  const lines = unfiltered(inflateSync(Buffer.concat(dataOf(file))), width * bytes, bytes)
  return { width, height, at: (x, y) => Array.from(lines.subarray((y * width + x) * bytes).subarray(0, 3)) }
}

function dataOf(file: Buffer): Buffer[] {
  const parts: Buffer[] = []
  for (let at = 8; at < file.length; at += 12 + file.readUInt32BE(at))
    if (file.toString('latin1', at + 4, at + 8) === 'IDAT')
      parts.push(file.subarray(at + 8, at + 8 + file.readUInt32BE(at)))
  return parts
}

function unfiltered(raw: Buffer, stride: number, bytes: number): Buffer {
  const out = Buffer.alloc((raw.length / (stride + 1)) * stride)
  for (let line = 0; line * stride < out.length; line++) {
    const filter = raw[line * (stride + 1)] ?? 0
    for (let x = 0; x < stride; x++) {
      const here = line * stride + x
      const left = x < bytes ? 0 : (out[here - bytes] ?? 0)
      const up = line === 0 ? 0 : (out[here - stride] ?? 0)
      const corner = x < bytes || line === 0 ? 0 : (out[here - stride - bytes] ?? 0)
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter] ?? 0
      out[here] = (raw[line * (stride + 1) + 1 + x] ?? 0) + guess
    }
  }
  return out
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)]
  return a <= b && a <= c ? left : b <= c ? up : corner
}
