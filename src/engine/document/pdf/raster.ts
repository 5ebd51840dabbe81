import type { Matrix } from './geometry.ts'

/** A decoded picture as pdf.js gives it. */
export type Raster = { width: number; height: number; data: Uint8Array | Uint8ClampedArray }
export type Gray = { width: number; height: number; data: Uint8Array }

/** Brightness of each pixel, 0 to 255; undefined for a layout of the data that is not known. */
export function grayOf({ width, height, data }: Raster): Gray | undefined {
  const rowBytes = (width + 7) >> 3
  const gray = new Uint8Array(width * height)
  if (data.length === rowBytes * height && data.length < gray.length) {
    for (let at = 0; at < gray.length; at += 1) {
      const x = at % width
      const byte = data[((at - x) / width) * rowBytes + (x >> 3)] ?? 0
      gray[at] = (byte >> (7 - (x & 7))) & 1 ? 255 : 0
    }
    return { width, height, data: gray }
  }
  const channels = data.length / gray.length
  if (channels !== 1 && channels !== 3 && channels !== 4) return undefined
  for (let at = 0; at < gray.length; at += 1) {
    const from = at * channels
    const [red = 0, green = 0, blue = 0] =
      channels === 1 ? [data[from], data[from], data[from]] : [data[from], data[from + 1], data[from + 2]]
    gray[at] = (red * 77 + green * 151 + blue * 28) >> 8
  }
  return { width, height, data: gray }
}

/** The picture turned as the page shows it. `map` leads from the unit square, whose top is y = 1, to the page. */
export function upright({ width, height, data }: Gray, [a, b, c, d]: Matrix): Gray {
  const isSideways = Math.abs(a) < Math.abs(b)
  const size = isSideways ? { width: height, height: width } : { width, height }
  const turned = new Uint8Array(data.length)
  // On the page y grows downwards, and so does it in the picture.
  const flipsX = (isSideways ? -c : a) < 0
  const flipsY = (isSideways ? b : -d) < 0
  for (let y = 0; y < size.height; y += 1) {
    for (let x = 0; x < size.width; x += 1) {
      const across = flipsX ? size.width - 1 - x : x
      const down = flipsY ? size.height - 1 - y : y
      const from = isSideways ? across * width + down : down * width + across
      turned[y * size.width + x] = data[from] ?? 255
    }
  }
  return { ...size, data: turned }
}

/** Portable graymap (PGM), which needs no encoder. */
export function pgmOf({ width, height, data }: Gray): Uint8Array {
  return Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`), data])
}
