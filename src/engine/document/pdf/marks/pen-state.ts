import type { Font } from '../text/fonts.ts'
import type { Box, Matrix } from './geometry.ts'
import type { Glyph, Rule } from './marks.ts'

/** What `q` keeps and `Q` brings back. */
export type PenState = {
  map: Matrix
  font: Font
  size: number
  charSpacing: number
  wordSpacing: number
  stretch: number
  leading: number
  rise: number
  renderMode: number
}

/** A walk over the operators of a page, as a viewer walks over them, that notes where text and rules come to be. */
export type Pen = PenState & {
  readonly fonts: ReadonlyMap<string, Font>
  readonly isShown: (group: unknown) => boolean
  readonly base: Matrix
  readonly kept: PenState[]
  readonly content: Content[]
  readonly glyphs: Glyph[]
  readonly rules: Rule[]
  readonly dots: Box[]
  shapes: number
  text: Matrix
  line: Matrix
  hidden: number
}
export type Content = { tag: Glyph['tag']; isHidden: boolean }
export type PenFacts = Pick<Pen, 'fonts' | 'isShown' | 'base'>
