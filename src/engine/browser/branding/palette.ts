import type { Branding } from '../../../schema/branding.ts'
import { brandColors, type PaletteFacts } from './brand.ts'
import { chromaOf, type Color, contrastOf, toHex } from './color.ts'
import { statusColor } from './status.ts'
import { textColors } from './text.ts'

/** The role of each colour. What is not to be seen on the page is left out. */
export function paletteOf(facts: PaletteFacts): NonNullable<Branding['colors']> {
  const { samples, ground, variables, colorOf } = facts
  const text = textColors(samples, ground)
  const brand = brandColors(facts, text.textPrimary)
  const colors = {
    ...brand,
    background: ground,
    ...text,
    success: statusColor('success', samples, variables, colorOf),
    warning: statusColor('warning', samples, variables, colorOf),
    error: statusColor('error', samples, variables, colorOf),
  }
  return Object.fromEntries(Object.entries(colors).flatMap(([role, color]) => (color ? [[role, toHex(color)]] : [])))
}

/** How strongly the page speaks, from what it shows. */
export function contrastLevel(text: Color, ground: Color): 'low' | 'medium' | 'high' {
  const contrast = contrastOf(text, ground)
  return contrast < 7 ? 'low' : contrast < 13 ? 'medium' : 'high'
}

export function colorfulness(colors: readonly Color[]): 'monochrome' | 'restrained' | 'vivid' {
  const chroma = Math.max(0, ...colors.map(chromaOf))
  return chroma < 0.06 ? 'monochrome' : chroma < 0.13 ? 'restrained' : 'vivid'
}
