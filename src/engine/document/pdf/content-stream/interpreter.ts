import {
  type Box,
  type Direction,
  type Glyph,
  type Matrix,
  moved,
  type Point,
  product,
  type RulingLine,
  sixOf,
} from './page-graphics.ts'
import { type Font, plainFont, symbolMark, type Symbols } from '../text/pdf-fonts.ts'

/** State that the operator `q` saves and `Q` restores. */
type GraphicsState = {
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

/** Interprets the operators of a page like a viewer, and records the positions of text and rules. */
type ContentInterpreter = GraphicsState & {
  readonly fonts: ReadonlyMap<string, Font>
  readonly isShown: (group: unknown) => boolean
  readonly base: Matrix
  readonly stack: GraphicsState[]
  readonly content: { tag: Glyph['tag']; isHidden: boolean }[]
  readonly glyphs: Glyph[]
  readonly rules: RulingLine[]
  readonly dots: Box[]
  shapes: number
  text: Matrix
  line: Matrix
  hidden: number
}

const identity: Matrix = [1, 0, 0, 1, 0, 0]

type PageFacts = Pick<ContentInterpreter, 'fonts' | 'isShown' | 'base'>
/** Name of an operator in pdf.js, and its arguments. */
type Step = readonly [name: string, args: readonly unknown[]]

/** Runs the operators of a page in order. */
export function interpreted(steps: Iterable<Step>, facts: PageFacts): Readonly<ContentInterpreter> {
  const pen = createInterpreter(facts)
  for (const [name, args] of steps) operators[name]?.(pen, args)
  return pen
}

function createInterpreter(facts: PageFacts): ContentInterpreter {
  const state = {
    font: plainFont,
    size: 0,
    charSpacing: 0,
    wordSpacing: 0,
    stretch: 1,
    leading: 0,
    rise: 0,
    renderMode: 0,
  }
  const output = { stack: [], content: [], glyphs: [], rules: [], dots: [], shapes: 0, hidden: 0 }
  return { ...facts, ...state, ...output, map: facts.base, text: identity, line: identity }
}

const num = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) ? value : 0)
const isNumbers = (value: unknown): value is ArrayLike<number> =>
  typeof value === 'object' && value !== null && 'length' in value

/** Handlers by the names that pdf.js gives to operators; all other operators are ignored. */
const operators: Readonly<Record<string, (pen: ContentInterpreter, args: readonly unknown[]) => void>> = {
  save,
  restore,
  transform: (pen, args) => concatMatrix(pen, args as readonly number[]),
  paintFormXObjectBegin: (pen, [matrix]) => {
    save(pen)
    if (isNumbers(matrix)) concatMatrix(pen, matrix)
  },
  paintFormXObjectEnd: restore,
  beginAnnotation: (pen, [, , place, matrix]) => {
    save(pen)
    pen.map = pen.base
    if (isNumbers(place)) concatMatrix(pen, place)
    if (isNumbers(matrix)) concatMatrix(pen, matrix)
  },
  endAnnotation: restore,
  beginText: (pen) => {
    pen.text = identity
    pen.line = identity
  },
  setFont: (pen, [name, size]) => void Object.assign(pen, fontNamed(pen, name, size)),
  setGState: (pen, [entries]) => {
    for (const [key, value] of entries as [string, unknown][]) {
      if (key === 'Font' && Array.isArray(value)) Object.assign(pen, fontNamed(pen, value[0], value[1]))
    }
  },
  setCharSpacing: (pen, [value]) => void (pen.charSpacing = num(value)),
  setWordSpacing: (pen, [value]) => void (pen.wordSpacing = num(value)),
  setHScale: (pen, [value]) => void (pen.stretch = num(value) / 100),
  setLeading: (pen, [value]) => void (pen.leading = -num(value)),
  setTextRise: (pen, [value]) => void (pen.rise = num(value)),
  setTextRenderingMode: (pen, [value]) => void (pen.renderMode = num(value)),
  moveText: (pen, [x, y]) => moveText(pen, num(x), num(y)),
  setLeadingMoveText: (pen, [x, y]) => {
    pen.leading = num(y)
    moveText(pen, num(x), num(y))
  },
  nextLine: (pen) => moveText(pen, 0, pen.leading),
  setTextMatrix: (pen, [matrix]) => {
    pen.line = isNumbers(matrix) ? sixOf(matrix) : identity
    pen.text = pen.line
  },
  showText: (pen, [glyphs]) => {
    if (pen.hidden === 0 && Array.isArray(glyphs)) drawText(pen, glyphs as unknown[])
  },
  // pdf.js passes the name as an object if there are no properties, otherwise as text.
  beginMarkedContent: (pen, [name]) => enter(pen, (name as { name?: unknown } | undefined)?.name, undefined),
  beginMarkedContentProps: (pen, [name, value]) => enter(pen, name, value),
  endMarkedContent: (pen) => {
    if (pen.content.pop()?.isHidden) pen.hidden -= 1
  },
  constructPath: (pen, [paint, path]) => paintPath(pen, num(paint), path),
}

function save(pen: ContentInterpreter): void {
  const { map, font, size, charSpacing, wordSpacing, stretch, leading, rise, renderMode } = pen
  pen.stack.push({ map, font, size, charSpacing, wordSpacing, stretch, leading, rise, renderMode })
}

function restore(pen: ContentInterpreter): void {
  const state = pen.stack.pop()
  if (state) Object.assign(pen, state)
}

function concatMatrix(pen: ContentInterpreter, matrix: ArrayLike<number>): void {
  pen.map = product(pen.map, matrix)
}

function moveText(pen: ContentInterpreter, x: number, y: number): void {
  pen.line = product(pen.line, [1, 0, 0, 1, x, y])
  pen.text = pen.line
}

const fontNamed = ({ fonts }: ContentInterpreter, name: unknown, size: unknown) => ({
  font: fonts.get(String(name)) ?? plainFont,
  size: num(size),
})

function enter(pen: ContentInterpreter, name: unknown, value: unknown): void {
  const outer = pen.content.at(-1)?.tag
  const own = name === 'Artifact' ? 'artifact' : typeof value === 'number' ? value : undefined
  const isHidden = name === 'OC' && !pen.isShown(value)
  if (isHidden) pen.hidden += 1
  pen.content.push({ tag: own ?? outer, isHidden })
}

const strokes: ReadonlySet<number> = new Set([20, 21])
const fills: ReadonlySet<number> = new Set([22, 23, 24, 25, 26, 27])

const maxRulingLines = 3000

const maxDots = 500

function paintPath(pen: ContentInterpreter, paint: number, path: unknown): void {
  const isStroke = strokes.has(paint)
  const segments = Array.isArray(path) ? path[0] : undefined
  if (!isNumbers(segments) || pen.hidden > 0 || !(isStroke || fills.has(paint))) return
  const outlines = outlinesOf(segments, pen.map)
  const found = pen.rules.length < maxRulingLines ? rulingLinesOf(outlines, isStroke ? 'stroke' : 'fill') : []
  pen.rules.push(...found.slice(0, maxRulingLines))
  const dot = outlines.length === 1 && pen.dots.length < maxDots ? bulletShapeOf(outlines) : undefined
  if (dot) pen.dots.push(dot)
  if (found.length === 0) pen.shapes += 1
}

/** Limits of a rule in points: thicker lines are shapes, shorter ones dots of a pattern. */
const maxThickness = 3
const minLength = 5

/** Codes of path segments, and how many numbers follow each. */
const moveTo = 0
const closePath = 4
const lengths: Readonly<Record<number, number>> = { 0: 2, 1: 2, 2: 6, 3: 4, 4: 0 }

/**
 * Returns the rules drawn by a painted path: each straight segment of a stroke, and fills so thin that they are lines.
 * Tables are drawn in both ways.
 */
function rulingLinesOf(outlines: readonly (readonly Point[])[], paint: 'stroke' | 'fill'): RulingLine[] {
  if (paint === 'fill') return outlines.map(boxAround).filter(isRulingLine)
  return outlines
    .flatMap((points) => points.slice(1).map((point, index) => boxAround([points[index]!, point])))
    .filter(isRulingLine)
}

/** Returns a small round or square shape, as browsers draw the bullets of list items. */
function bulletShapeOf(outlines: readonly (readonly Point[])[]): Box | undefined {
  const box = boxAround(outlines.flat())
  const [width, height] = [box.right - box.left, box.bottom - box.top]
  return width > 1.5 && width < 8 && Math.abs(width - height) < 0.8 ? box : undefined
}

/** Returns the corners of a path's outlines on the page; for a curve, its end point. */
function outlinesOf(path: ArrayLike<number>, map: Matrix): Point[][] {
  const outlines: Point[][] = []
  for (let at = 0; at < path.length;) {
    const code = path[at] ?? closePath
    const length = lengths[code]
    if (length === undefined) break
    const outline = outlines.at(-1)
    if (code === closePath) outline?.push(outline[0]!)
    else {
      const point = moved(map, path[at + length - 1] ?? 0, path[at + length] ?? 0)
      if (code === moveTo || !outline) outlines.push([point])
      else outline.push(point)
    }
    at += 1 + length
  }
  return outlines
}

function boxAround(points: readonly Point[]): RulingLine {
  const box = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity }
  for (const { x, y } of points) {
    box.left = Math.min(box.left, x)
    box.right = Math.max(box.right, x)
    box.top = Math.min(box.top, y)
    box.bottom = Math.max(box.bottom, y)
  }
  return box
}

function isRulingLine({ left, top, right, bottom }: RulingLine): boolean {
  const width = right - left
  const height = bottom - top
  return Math.min(width, height) <= maxThickness && Math.max(width, height) >= minLength
}

/** A glyph as pdf.js returns it: widths in units of the font. */
type PdfjsGlyph = { unicode?: string; width?: number; isSpace?: boolean; vmetric?: readonly number[] | null }

/** Text rendering modes that paint nothing (ISO 32000-1, 9.3.6). */
const invisibleModes: ReadonlySet<number> = new Set([3, 7])

/** Records glyphs and advances the text position (ISO 32000-1, 9.4.4). Numbers between glyphs are gaps. */
function drawText(pen: ContentInterpreter, drawn: readonly unknown[]): void {
  const { font, size, stretch } = pen
  const map = product(product(pen.map, pen.text), [stretch, 0, 0, 1, 0, pen.rise])
  const look = glyphStyleOf(pen, map)
  let along = 0
  for (const item of drawn) {
    if (typeof item === 'number') along -= (item * size) / 1000
    else if (typeof item === 'object' && item !== null) {
      const glyph = item as PdfjsGlyph
      const own = widthOf(glyph, font.isVertical) * font.unit * size
      addGlyph(pen, glyph, look, font.isVertical ? moved(map, 0, -along) : moved(map, along, 0), own)
      along += own + pen.charSpacing + (glyph.isSpace ? pen.wordSpacing : 0)
    }
  }
  pen.text = product(pen.text, font.isVertical ? [1, 0, 0, 1, 0, -along] : [1, 0, 0, 1, along * stretch, 0])
}

function widthOf({ width = 0, vmetric }: PdfjsGlyph, isVertical: boolean): number {
  return isVertical ? Math.abs(vmetric?.[0] ?? 1000) : width
}

type GlyphStyle = Pick<Glyph, 'size' | 'font' | 'direction' | 'tag' | 'ink'> & { scale: number }

function glyphStyleOf({ font, size, renderMode, content }: ContentInterpreter, map: Matrix): GlyphStyle {
  const [a, b, c, d] = map
  // Text of a vertical font runs down its own axis.
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

/** Returns the reading direction. Up to 6° off the axis counts as text of a page scanned at an angle. */
function directionOf(dx: number, dy: number): Direction {
  if (Math.abs(dy) <= Math.abs(dx) * 0.1) return dx < 0 ? 'left' : 'right'
  if (Math.abs(dx) <= Math.abs(dy) * 0.1) return dy < 0 ? 'up' : 'down'
  return 'oblique'
}

/** Maximum number of glyphs of a page; no readable page has more. */
const maxGlyphs = 100_000

function addGlyph(
  pen: ContentInterpreter,
  { unicode = '', isSpace }: PdfjsGlyph,
  look: GlyphStyle,
  at: { x: number; y: number },
  own: number,
): void {
  if (pen.glyphs.length >= maxGlyphs || !Number.isFinite(at.x + at.y)) return
  const { scale, ...facts } = look
  // Code 32 need not be a blank in a font with its own encoding.
  const text = unicode === '' && isSpace ? ' ' : readable(unicode, look.font.symbols)
  if (text !== '') pen.glyphs.push({ ...facts, text, ...at, width: Math.abs(own) * scale })
}

const plain = /^[!-~]+$/

/**
 * Expands ligatures, Arabic presentation forms and Chinese radicals to ordinary characters; drops control characters.
 */
function readable(unicode: string, symbols: Symbols): string {
  if (symbols === 'none' && plain.test(unicode)) return unicode
  const mark = symbolMark(unicode, symbols)
  if (mark !== undefined) return mark
  return unicode
    .replace(/[\u2F00-\u2FDF\uF900-\uFAFF\uFB00-\uFDFF\uFE70-\uFEFC]+/g, (forms) => forms.normalize('NFKC'))
    .replace(/[\p{Zs}\t\n\r]/gu, ' ')
    .replace(/[\p{Cc}\p{Co}\u200B\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF\uFFF0-\uFFFD]/gu, '')
}
