import { classOf, type Element, elementsIn } from '../dom/dom.ts'
import { hidesBySize } from '../../../util/unseen-style.ts'
import { type Style, styleOf } from './inline-style.ts'

/** Longer style sheets, and more rules that hide, take too long for what they may hide. */
const maxChars = 50_000
const maxSelectors = 100

/**
 * Elements that the style sheets within a page hide whatever scripts and screens do: by rules of one element and its names, outside
 * of media queries, whose names no other rule shows. Sheets that a page links to are not loaded.
 */
export function hiddenBySheets(sheets: readonly Element[], body: Element): ReadonlySet<Element> {
  const texts = sheets.filter(isForScreens).map((sheet) => sheet.textContent)
  const length = texts.reduce((sum, text) => sum + text.length, 0)
  if (length > maxChars || !texts.some((text) => mayHide.test(text))) return nothing
  const hiding = hidingSelectors(texts.join('\n').replace(/\/\*[^]*?(?:\*\/|$)/g, ''))
  return hiding.size === 0 ? nothing : new Set(elementsIn(body).filter((element) => isHiddenBy(hiding, element)))
}

const nothing: ReadonlySet<Element> = new Set()
const mayHide = /display\s*:\s*none|opacity\s*:\s*0|font(?:-size)?\s*:|-\d{4}px/i

const isForScreens = (sheet: Element) =>
  ['', 'all', 'screen'].includes((sheet.getAttribute('media') ?? '').trim().toLowerCase())

type Selector = { tag: string; names: readonly string[] }
/** By the first of their names: `#a` or `.a`. */
type Hiding = ReadonlyMap<string, readonly Selector[]>

function hidingSelectors(css: string): Hiding {
  const found: Selector[] = []
  const shown = new Set<string>()
  for (const { selectors, text, isNested } of rulesOf(css)) {
    const style = touching.test(text) ? styleOf(text) : undefined
    if (!style) continue
    if (!isNested && takesAway(style)) found.push(...selectors.flatMap(selectorOf))
    else for (const name of selectors.flatMap((selector) => selector.match(anyName) ?? [])) shown.add(name)
  }
  return Map.groupBy(
    found.filter(({ names }) => !names.some((name) => shown.has(name))).slice(0, maxSelectors),
    ({ names }) => names[0] ?? '',
  )
}

const touching = /display|opacity|font|position|left|top|animation|transition|transform/i
const anyName = /[.#][\w-]+/g

/** Not what is invisible, clipped or without height: scripts show it later, or it is for screen readers. */
function takesAway(style: Style): boolean {
  const isPlaced = /^(?:absolute|fixed)$/.test(style.get('position') ?? '')
  const isAway = ['left', 'top'].some((name) => /^-\d{4,}px$/.test(style.get(name) ?? ''))
  return style.get('display') === 'none' || style.get('opacity') === '0' || (isPlaced && isAway) || hidesBySize(style)
}

type Rule = { selectors: readonly string[]; text: string; isNested: boolean }

/** The innermost blocks, in or outside of others. */
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
  const id = element.getAttribute('id')
  const classes = classOf(element).split(/\s+/)
  const own = [...classes.map((name) => `.${name}`), ...(id ? [`#${id}`] : [])]
  return own.some((name) =>
    (hiding.get(name) ?? []).some(
      ({ tag, names }) => (tag === '' || tag === element.localName) && names.every((each) => own.includes(each)),
    ),
  )
}
