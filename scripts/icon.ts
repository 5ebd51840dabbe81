/** `npm run icon`: draws icon.png, an orb web with a dewdrop, in a local browser. */
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { crc32, deflateSync } from 'node:zlib'
import { chromium } from 'playwright-core'
import { findBrowser } from '../src/engine/browser/find/find-browser.ts'
import { machineProbes } from '../src/engine/browser/find/machine-probes.ts'

const size = 512
const centre = { x: 256, y: 256 }
const radii = 8
const rings = [62, 112, 164, 216]

const angleOf = (radius: number) => ((2 * radius + 0.5) * Math.PI) / radii
const point = (angle: number, distance: number) =>
  `${(centre.x + distance * Math.sin(angle)).toFixed(1)} ${(centre.y - distance * Math.cos(angle)).toFixed(1)}`

/** Threads between the radii sag towards the centre. */
function ring(distance: number): string {
  const arcs = Array.from({ length: radii }, (_, at) => {
    const [from, to] = [angleOf(at), angleOf(at + 1)]
    return `Q ${point((from + to) / 2, distance * 0.82)} ${point(to, distance)}`
  })
  return `M ${point(angleOf(0), distance)} ${arcs.join(' ')} Z`
}

const spokes = Array.from({ length: radii }, (_, at) => `M ${centre.x} ${centre.y} L ${point(angleOf(at), 244)}`)

const picture = `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 ${size} ${size}">
  <rect width="${size}" height="${size}" rx="112" fill="#12314a"/>
  <g fill="none" stroke="#dcf3ff" stroke-linecap="round" stroke-linejoin="round">
    <path d="${spokes.join(' ')}" stroke-width="8" stroke="#9fb8c7"/>
    <path d="${rings.map(ring).join(' ')}" stroke-width="11"/>
  </g>
  <g transform="translate(${point(angleOf(1), rings[2] ?? 0)})">
    <circle r="36" fill="#5cc8f2"/>
    <circle cx="-11" cy="-12" r="10" fill="#ffffff"/>
  </g>
</svg>`

/** Runs in the page, where drawing and antialiasing are available. */
const pixelsOf = async ([svg, width]: [string, number]) => {
  const image = new Image()
  image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`
  await image.decode()
  const context = new OffscreenCanvas(width, width).getContext('2d')!
  context.drawImage(image, 0, 0)
  return [...context.getImageData(0, 0, width, width).data]
}

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const whole = Buffer.alloc(body.length + 8)
  whole.writeUInt32BE(data.length)
  whole.set(body, 4)
  whole.writeUInt32BE(crc32(body), body.length + 4)
  return whole
}

/** Antialiased edges have thousands of shades; sixteen steps per channel look the same and fit into a palette. */
const step = 17

/** Indexed and unfiltered: flat areas compress better this way than in PNGs written by a browser. */
function png(pixels: Uint8Array): Buffer {
  const shades = new Map<string, { index: number; rgba: readonly number[] }>()
  const indexOf = (at: number): number => {
    const rgba = [...pixels.subarray(at, at + 4)].map((value) => Math.round(value / step) * step)
    const known = shades.get(rgba.join()) ?? { index: shades.size, rgba }
    shades.set(rgba.join(), known)
    return known.index
  }
  const rows = Array.from({ length: size }, (_, row) => [
    0,
    ...Array.from({ length: size }, (__, column) => indexOf((row * size + column) * 4)),
  ])
  const palette = [...shades.values()].map(({ rgba }) => rgba)
  if (palette.length > 256) throw new Error(`${palette.length} shades do not fit into a palette.`)
  const head = Buffer.alloc(13)
  head.writeUInt32BE(size)
  head.writeUInt32BE(size, 4)
  head.set([8, 3], 8)
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', head),
    chunk('PLTE', Buffer.from(palette.flatMap((rgba) => rgba.slice(0, 3)))),
    chunk('tRNS', Buffer.from(palette.map((rgba) => rgba[3] ?? 255))),
    chunk('IDAT', deflateSync(Buffer.from(rows.flat()), { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

const found = await findBrowser('shell', {}, machineProbes(''))
if (found.from === 'remote') throw new Error('The icon is drawn by a browser of this machine.')
const browser = await chromium.launch({ executablePath: found.path, args: ['--no-sandbox'] })
try {
  const page = await browser.newPage()
  const pixels = await page.evaluate(pixelsOf, [picture, size] as [string, number])
  writeFileSync(join(dirname(import.meta.dirname), 'icon.png'), png(Uint8Array.from(pixels)))
} finally {
  await browser.close()
}
