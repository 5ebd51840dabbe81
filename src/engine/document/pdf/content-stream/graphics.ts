import type { Font } from '../text/fonts.ts'
import type { Box } from './geometry.ts'

/** Reading direction of text: to the right, down, to the left, up; or at another angle. */
export type Direction = 'right' | 'down' | 'left' | 'up' | 'oblique'

/** One drawn character (or ligature). Lengths are points of the page as it is shown. */
export type Glyph = {
  text: string
  /** Start of the baseline. */
  x: number
  y: number
  /** Along the reading direction. */
  width: number
  size: number
  font: Font
  direction: Direction
  /** Marked content the glyph is in: its number in the page's tags, or page furniture. */
  tag: number | 'artifact' | undefined
  ink: 'visible' | 'invisible'
}

/** A straight thin line, level or upright. */
export type RulingLine = Box
export type Link = { box: Box; href: string }

export type PageGraphics = {
  width: number
  height: number
  glyphs: readonly Glyph[]
  rules: readonly RulingLine[]
  links: readonly Link[]
  /** Small shapes that may be the marks of list items. */
  dots: readonly Box[]
  /** Painted shapes that are no rules: many of them and no text mean that letters were drawn as shapes. */
  shapes: number
}

/** More of these on one page is no text that somebody reads. */
export const maxGlyphs = 100_000
export const maxRulingLines = 3000
export const maxLinks = 1000
export const maxDots = 500
