import { classOf, closest, type Element, elementsIn, visit } from '../dom/dom-tree.ts'
import {
  hidesBySize,
  clipsBox,
  type Colour,
  colourOf,
  indentsAway,
  isClear,
  lookAlike,
  masksBox,
  showsGround,
} from '../../../util/hidden-style.ts'

/** Declarations of a style attribute by lower-case property. */
type Style = ReadonlyMap<string, string>

/** The last declaration of a property wins; comments and `!important` are dropped. */
export function styleOf(text: string): Style {
  const plain = text.toLowerCase().replace(/\/\*[^]*?(?:\*\/|$)/g, '')
  const declarations = new Map<string, string>()
  for (const part of plain.split(';')) {
    const at = part.indexOf(':')
    if (at > 0)
      declarations.set(
        part.slice(0, at).trim(),
        part
          .slice(at + 1)
          .replace(/!\s*important\s*$/, '')
          .trim(),
      )
  }
  return declarations
}

/**
 * True if a box with this style hides everything in it. Font size and colour are checked separately, because inner
 * boxes may override them.
 */
export function hidesBox(style: Style): boolean {
  return (
    style.get('display') === 'none' ||
    /^(?:hidden|collapse)$/.test(style.get('visibility') ?? '') ||
    (masksBox(style) && !movesIn(style)) ||
    clipsBox(style) ||
    indentsAway(style) ||
    isOffScreen(style) ||
    isCut(style)
  )
}

/** True for the start of an animation: a transparent box at an offset, with the transition that shows it. */
const movesIn = (style: Style) =>
  isOffset(style) && ['transition', 'animation', 'will-change'].some((name) => style.has(name))

/** True for a transparent box at an offset. */
const isOffset = (style: Style) =>
  style.has('opacity') && /\b(?:translate|matrix)/.test(style.get('transform') ?? style.get('-webkit-transform') ?? '')

/** True if the text has the colour of its background; `behind` is the background set by an outer element. */
function hidesByColour(style: Style, behind?: Colour): boolean {
  if (showsGround(style)) return false
  const colour = colourOf(style.get('-webkit-text-fill-color') ?? style.get('color') ?? '')
  if (colour === undefined) return false
  const ground = backgroundOf(style) ?? behind
  return isClear(colour) || (ground !== undefined && !isClear(ground) && lookAlike(colour, ground))
}

function backgroundOf(style: Style): Colour | undefined {
  return colourOf(style.get('background-color') ?? style.get('background') ?? '')
}

/** Offsets of this size move a box off screen rather than lay it out. */
const farOffset = /(?:^|[\s,(])(-?)(?:\d{4,}(?:\.\d+)?px|\d{3,}(?:\.\d+)?(?:r?em|vw|vh|%))/
const negative = (value: string) => farOffset.exec(value)?.[1] === '-'

function isOffScreen(style: Style): boolean {
  const isPlaced = /^(?:absolute|fixed|relative)$/.test(style.get('position') ?? '')
  const places = ['left', 'top', 'right', 'bottom', 'inset'].map((name) => style.get(name) ?? '')
  if (places.some(negative) || (isPlaced && places.some((place) => /^\d{4,}px$/.test(place)))) return true
  if (['margin', 'margin-left', 'margin-top'].some((name) => negative(style.get(name) ?? ''))) return true
  return /translate(?:x|y|3d)?\([^)]{0,100}-(?:[5-9]\d{3}|\d{5,})px/.test(style.get('transform') ?? '')
}

/** True if a box is clipped to nothing or to one pixel. */
function isCut(style: Style): boolean {
  const value = (name: string) => style.get(name) ?? ''
  const sizes = ['width', 'height', 'max-width', 'max-height', 'line-height'].map(value)
  return (
    /\b(?:hidden|clip)\b/.test(value('overflow') + value('overflow-x') + value('overflow-y')) &&
    sizes.some((size) => /^(?:0(?:\.0+)?(?:px|r?em|%)?|1px)$/.test(size))
  )
}

/** True if the style attribute of an element hides its text. */
export function isHiddenByStyle(text: string, element: Element): boolean {
  const style = styleOf(text)
  if (hidesBox(style)) return true
  if (hidesBySize(style))
    return !someInnerStyle(element, (inner) => (inner.has('font-size') || inner.has('font')) && !hidesBySize(inner))
  if (!style.has('color') && !style.has('-webkit-text-fill-color')) return false
  return hidesByColour(style, backgroundBehind(element)) && !someInnerStyle(element, (inner) => inner.has('color'))
}

/**
 * A font size of 0 is also used to close gaps between boxes, which then set their own size; the same applies to
 * colours.
 */
function someInnerStyle(element: Element, passes: (style: Style) => boolean): boolean {
  let holds = false
  visit(element, (inner) => {
    holds ||= passes(styleOf(inner.getAttribute('style') ?? ''))
    return holds ? 'skip' : undefined
  })
  return holds
}

function backgroundBehind(element: Element): Colour | undefined {
  const outer = element.parentNode && closest(element.parentNode, (up) => backgroundSetBy(up) !== undefined, 20)
  return outer ? backgroundSetBy(outer) : undefined
}

const backgroundSetBy = (element: Element) => backgroundOf(styleOf(element.getAttribute('style') ?? ''))

/** Minimum number of elements with the same style for a script to move them in. */
const minMoving = 2

/** Returns the styles that hide several boxes at an offset, because a script moves these in later. */
export function movingStyles(root: Element): ReadonlySet<string | null> {
  const counts = new Map<string, number>()
  for (const element of elementsIn(root)) {
    const style = element.getAttribute('style')
    if (style?.includes('opacity')) counts.set(style, (counts.get(style) ?? 0) + 1)
  }
  return new Set([...counts].flatMap(([style, count]) => (count >= minMoving && isOffset(styleOf(style)) ? style : [])))
}

/** Maximum characters of all style sheets, and maximum number of hiding selectors; more would take too long. */
const maxChars = 50_000
const maxSelectors = 100

/**
 * Returns the elements that the style sheets inside a page always hide. A rule counts if it selects elements by their
 * own names, is outside media queries, and no other rule may show these names. Linked sheets are not loaded.
 */
export function hiddenBySheets(sheets: readonly Element[], body: Element): ReadonlySet<Element> {
  const texts = sheets.filter(isForScreens).map((sheet) => sheet.textContent)
  const length = texts.reduce((sum, text) => sum + text.length, 0)
  if (length > maxChars || !texts.some((text) => mayHide.test(text))) return nothing
  const hiding = hidingSelectors(texts.join('\n').replace(/\/\*[^]*?(?:\*\/|$)/g, ''))
  return hiding.size === 0 ? nothing : new Set(body.descendants((element) => isHiddenBy(hiding, element)))
}

const nothing: ReadonlySet<Element> = new Set()
const mayHide = /display\s*:\s*none|opacity\s*:\s*0|font(?:-size)?\s*:|-\d{4}px/i

const isForScreens = (sheet: Element) =>
  ['', 'all', 'screen'].includes((sheet.getAttribute('media') ?? '').trim().toLowerCase())

type Selector = { tag: string; names: readonly string[] }
/** Selectors keyed by their first name: `#a` or `.a`. */
type Hiding = ReadonlyMap<string, readonly Selector[]>

function hidingSelectors(css: string): Hiding {
  const hiding: Selector[] = []
  const shown = new Set<string>()
  for (const { selectors, text, isNested } of rulesOf(css)) {
    const style = relevant.test(text) ? styleOf(text) : undefined
    if (!style) continue
    if (!isNested && hidesAlways(style)) hiding.push(...selectors.flatMap(selectorOf))
    else for (const name of selectors.flatMap((selector) => selector.match(anyName) ?? [])) shown.add(name)
  }
  return Map.groupBy(
    hiding.filter(({ names }) => !names.some((name) => shown.has(name))).slice(0, maxSelectors),
    ({ names }) => names[0] ?? '',
  )
}

/** Properties that may hide elements or show them. */
const relevant = /display|opacity|font|position|left|top|animation|transition|transform/i
const anyName = /[.#][\w-]+/g

/** Does not count `visibility`, clipping and heights of 0: scripts change these, or screen readers read the text. */
function hidesAlways(style: Style): boolean {
  const isPlaced = /^(?:absolute|fixed)$/.test(style.get('position') ?? '')
  const isAway = ['left', 'top'].some((name) => /^-\d{4,}px$/.test(style.get(name) ?? ''))
  return style.get('display') === 'none' || style.get('opacity') === '0' || (isPlaced && isAway) || hidesBySize(style)
}

type Rule = { selectors: readonly string[]; text: string; isNested: boolean }

/** Returns the innermost blocks, nested or not. */
function rulesOf(css: string): Rule[] {
  const rules: Rule[] = []
  const preludes: string[] = []
  const pieces = css.split(/([{}])/)
  for (let at = 0; at + 1 < pieces.length; at += 2) {
    const text = pieces[at] ?? ''
    if (pieces[at + 1] === '{') {
      preludes.push(text.trim())
      continue
    }
    const prelude = preludes.pop()
    if (prelude === undefined || prelude.startsWith('@') || text.trim() === '') continue
    rules.push({ selectors: prelude.split(',').map((each) => each.trim()), text, isNested: preludes.length > 0 })
  }
  return rules
}

function selectorOf(text: string): Selector[] {
  const [, tag = '', names] = /^([a-z][\w-]*)?((?:[.#][\w-]+)+)$/i.exec(text) ?? []
  return names === undefined ? [] : [{ tag: tag.toLowerCase(), names: names.match(anyName) ?? [] }]
}

function isHiddenBy(hiding: Hiding, element: Element): boolean {
  if (!element.pairs) return false
  const id = element.getAttribute('id')
  const classes = classOf(element).split(/\s+/)
  const own = [...classes.map((name) => `.${name}`), ...(id ? [`#${id}`] : [])]
  return own.some((name) =>
    (hiding.get(name) ?? []).some(
      ({ tag, names }) => (tag === '' || tag === element.localName) && names.every((each) => own.includes(each)),
    ),
  )
}
