import { parseRgb } from './color.ts'
import type { ColorOf } from './samples.ts'
import { convertColors } from '../in-page/branding-colors.ts'
import type { Tab } from '../tab.ts'

const maxConverted = 300

/** sRGB is read here; for every other space a canvas of the page converts. */
export async function colorReader(
  tab: Pick<Tab, 'call'>,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<ColorOf> {
  const others = Array.from(new Set(texts))
    .filter((text) => text !== '' && !parseRgb(text))
    .slice(0, maxConverted)
  const converted = others.length > 0 ? await tab.call(convertColors, [others], signal) : []
  const known = new Map(others.map((text, at) => [text, converted[at] ?? undefined] as const))
  return (text) => parseRgb(text) ?? known.get(text)
}
