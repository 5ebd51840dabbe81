/** Red, green, blue as 0–255 and alpha as 0–1, in sRGB. */
export type Color = readonly [red: number, green: number, blue: number, alpha: number]

export const white: Color = [255, 255, 255, 1]

/** Parses the format of sRGB colours in computed styles; returns undefined for any other format. */
export function parseRgb(text: string): Color | undefined {
  const found = /^rgba?\(([\d.]+), ([\d.]+), ([\d.]+)(?:, ([\d.]+))?\)$/.exec(text)
  return found ? [Number(found[1]), Number(found[2]), Number(found[3]), Number(found[4] ?? 1)] : undefined
}

/** Returns `#RRGGBB` without alpha, so blend the colour with its background first. */
export function toHex([red, green, blue]: Color): string {
  const parts = [red, green, blue].map((part) => Math.round(part).toString(16).padStart(2, '0'))
  return `#${parts.join('')}`.toUpperCase()
}

export function fromHex(hex: string): Color {
  const number = Number.parseInt(hex.slice(1), 16)
  return [(number >> 16) & 255, (number >> 8) & 255, number & 255, 1]
}

export function blend([red, green, blue, alpha]: Color, background: Color): Color {
  const mix = (top: number, below: number) => top * alpha + below * (1 - alpha)
  return [mix(red, background[0]), mix(green, background[1]), mix(blue, background[2]), 1]
}

export function averageOf(colors: readonly Color[]): Color {
  const mean = (part: 0 | 1 | 2 | 3) => colors.reduce((sum, color) => sum + color[part], 0) / Math.max(1, colors.length)
  return [mean(0), mean(1), mean(2), mean(3)]
}

/** Relative luminance, 0–1 (WCAG 2.2). */
export function luminanceOf([red, green, blue]: Color): number {
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

/** Contrast ratio, 1–21 (WCAG 2.2). */
export function contrastOf(one: Color, other: Color): number {
  const [low = 0, high = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

/** Colourfulness, 0 to about 0.32: the chroma of Oklab (Björn Ottosson, 2020). */
export function chromaOf(color: Color): number {
  const [, a, b] = oklabOf(color)
  return Math.hypot(a, b)
}

/** True if a colour is perceived as a colour rather than a tinted grey. */
export const isColorful = (color: Color): boolean => chromaOf(color) >= 0.06

/** Perceived difference: the distance in Oklab; below 0.02 two areas look the same. */
export function distanceOf(one: Color, other: Color): number {
  const [lightness, a, b] = oklabOf(one)
  const [otherLightness, otherA, otherB] = oklabOf(other)
  return Math.hypot(lightness - otherLightness, a - otherA, b - otherB)
}

function oklabOf(color: Color): readonly [lightness: number, a: number, b: number] {
  const red = linear(color[0])
  const green = linear(color[1])
  const blue = linear(color[2])
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ]
}

function linear(part: number): number {
  const share = part / 255
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
}
