import type { Color } from './color.ts'
import type { ColorOf } from './samples.ts'

export type Variables = readonly (readonly [name: string, value: string])[]

/** Words in the name of a variable or a class. */
export const roleWords = {
  primary: ['primary', 'brand', 'main'],
  secondary: ['secondary'],
  accent: ['accent'],
  success: ['success', 'positive'],
  warning: ['warning', 'warn', 'caution'],
  error: ['error', 'danger', 'negative', 'destructive'],
} as const
export type Role = keyof typeof roleWords

/** Parts of names that make a variable something else than the colour itself. */
const derivedName =
  /(?:^|-)(?:bg|background|foreground|fg|text|on|contrast|content|light|lighter|dark|darker|subtle|muted|soft|hover|active|focus|border|ring|shadow|rgb|channel|emphasis|inverse|weight|font|size|gradient|50|[12]00|[89]00|950)(?:-|$)/i
/** Palettes that an editor or a framework puts on every page, used or not. */
const foreignPrefix = /^--(?:wp--|e-global|mdc-|swiper-|fa-|tw-)/

/** The colour that style variables give a role, as the page computes it; the shortest name is the plainest. */
export function variableColor(variables: Variables, role: Role, colorOf: ColorOf): Color | undefined {
  const word = new RegExp(`(?:^|-)(?:${roleWords[role].join('|')})(?:-|$)`, 'i')
  const named = variables
    .filter(([name]) => word.test(name) && !derivedName.test(name.slice(2)) && !foreignPrefix.test(name))
    .sort(([one], [other]) => one.length - other.length)
  for (const [, value] of named) {
    const color = colorOf(asColor(value))
    if (color && color[3] >= 0.99) return color
  }
  return undefined
}

/** Some libraries keep only the parts of an hsl colour, such as `142 76% 36%`. */
export function asColor(value: string): string {
  return /^[\d.]+(?:deg)?[ ,]+[\d.]+%[ ,]+[\d.]+%$/.test(value) ? `hsl(${value})` : value
}
