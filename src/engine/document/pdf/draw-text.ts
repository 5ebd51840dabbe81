import { moved, product, type Matrix } from './geometry.ts'
import { maxGlyphs, type Direction, type Glyph } from './marks.ts'
import type { Pen } from './pen-state.ts'
import { symbolMark, type Symbols } from './symbols.ts'

/** A glyph as pdf.js gives it: widths in units of the font. */
type Drawn = { unicode?: string; width?: number; isSpace?: boolean; vmetric?: readonly number[] | null }

/** Text rendering modes that paint nothing (ISO 32000-1, 9.3.6). */
const invisibleModes: ReadonlySet<number> = new Set([3, 7])

/** Notes glyphs and moves the text position past them (ISO 32000-1, 9.4.4); a number among them is a gap. */
export function drawText(pen: Pen, drawn: readonly unknown[]): void {
  const { font, size, stretch } = pen
  const map = product(product(pen.map, pen.text), [stretch, 0, 0, 1, 0, pen.rise])
  const look = lookOf(pen, map)
  let along = 0
  for (const item of drawn) {
    if (typeof item === 'number') along -= (item * size) / 1000
    else if (typeof item === 'object' && item !== null) {
      const glyph = item as Drawn
      const own = widthOf(glyph, font.isVertical) * font.unit * size
      note(pen, glyph, look, font.isVertical ? moved(map, 0, -along) : moved(map, along, 0), own)
      along += own + pen.charSpacing + (glyph.isSpace ? pen.wordSpacing : 0)
    }
  }
  pen.text = product(pen.text, font.isVertical ? [1, 0, 0, 1, 0, -along] : [1, 0, 0, 1, along * stretch, 0])
}

function widthOf({ width = 0, vmetric }: Drawn, isVertical: boolean): number {
  return isVertical ? Math.abs(vmetric?.[0] ?? 1000) : width
}

type Look = Pick<Glyph, 'size' | 'font' | 'direction' | 'tag' | 'ink'> & { scale: number }

function lookOf({ font, size, renderMode, content }: Pen, map: Matrix): Look {
  const [a, b, c, d] = map
  // Text of a vertical font goes down its own axis.
  const [dx, dy] = font.isVertical ? [-c, -d] : [a, b]
  const sign = Math.sign(size) || 1
  return {
    size: Math.abs(size) * Math.hypot(c, d) * (font.unit / 0.001 > 5 ? font.unit * 100 : 1),
    scale: Math.hypot(dx, dy),
    font,
    direction: directionOf(dx * sign, dy * sign),
    tag: content.at(-1)?.tag,
    ink: invisibleModes.has(renderMode) ? 'invisible' : 'visible',
  }
}

/** Up to 6° off the axis is text of a page that was scanned askew. */
function directionOf(dx: number, dy: number): Direction {
  if (Math.abs(dy) <= Math.abs(dx) * 0.1) return dx < 0 ? 'left' : 'right'
  if (Math.abs(dx) <= Math.abs(dy) * 0.1) return dy < 0 ? 'up' : 'down'
  return 'oblique'
}

function note(pen: Pen, { unicode = '', isSpace }: Drawn, look: Look, at: { x: number; y: number }, own: number): void {
  if (pen.glyphs.length >= maxGlyphs || !Number.isFinite(at.x + at.y)) return
  const { scale, ...facts } = look
  // Code 32 need not be a blank in a font with its own codes.
  const text = unicode === '' && isSpace ? ' ' : readable(unicode, look.font.symbols)
  if (text !== '') pen.glyphs.push({ ...facts, text, ...at, width: Math.abs(own) * scale })
}

const plain = /^[!-~]+$/

/** Ligatures, drawn forms of Arabic letters and roots of Chinese characters as what they stand for; no controls. */
function readable(unicode: string, symbols: Symbols): string {
  if (symbols === 'none' && plain.test(unicode)) return unicode
  const mark = symbolMark(unicode, symbols)
  if (mark !== undefined) return mark
  return unicode
    .replace(/[\u2F00-\u2FDF\uF900-\uFAFF\uFB00-\uFDFF\uFE70-\uFEFC]+/g, (forms) => forms.normalize('NFKC'))
    .replace(/[\p{Zs}\t\n\r]/gu, ' ')
    .replace(/[\p{Cc}\p{Co}\u200B\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF\uFFF0-\uFFFD]/gu, '')
}
