import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32, deflateSync } from 'node:zlib'

/** Any font will do; this one is in the package of another benchmark's peer. */
export const font = () => readFileSync(join(import.meta.dirname, '..', 'node_modules', 'temml', 'dist', 'Temml.woff2'))

export const styleSheet = `@font-face{font-family:Site;src:url(/site.woff2) format('woff2')}
body{font:16px/1.5 Site,Georgia,serif;max-width:60rem;margin:auto;display:grid;grid-template-columns:12rem 1fr}
nav li{padding:.2em;border-radius:4px;background:linear-gradient(#fff,#eee)}main p{text-wrap:pretty}img{box-shadow:0 1px 3px #0003}
${Array.from({ length: 200 }, (_, at) => `.rule-${at} > p:nth-child(${at + 2}n){color:hsl(${at} 50% 40%);margin:${at % 9}px}`).join('\n')}`

/** A picture of 64 by 64 points as PNG (W3C PNG 3), about 4 kB, another for each seed. */
export function picture(seed: number): Buffer {
  const side = 64
  const rows = Array.from({ length: side }, (_, y) =>
    Buffer.from([
      0,
      ...Array.from({ length: side * 3 }, (__, x) => ((x * 7) ^ (y * 13) ^ (x * y * (seed + 1))) & 0xff),
    ]),
  )
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND'),
  ])
}

function chunk(type: string, data = Buffer.alloc(0)): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const ends = Buffer.alloc(8)
  ends.writeUInt32BE(data.length, 0)
  ends.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)])
}
