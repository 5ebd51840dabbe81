import { type Element, unwrap, visit } from '../dom.ts'
import type { Measures } from './measure.ts'

const zero = String.raw`0(?:\.0+)?(?:px|em|rem|pt|%)?\s*(?:;|!|$)`
const farAway = String.raw`-(?:\d{4,}(?:\.\d+)?px|\d{3,}(?:\.\d+)?(?:em|rem|vw|vh|%))`
const notDisplayed = /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse))/i
const seeThrough = new RegExp(String.raw`(?:^|;)\s*opacity\s*:\s*${zero}`, 'i')
const noSize = new RegExp(String.raw`(?:^|;)\s*font(?:-size)?\s*:\s*${zero}`, 'i')
const someSize = /(?:^|;)\s*font-size\s*:\s*(?!0(?:\.0+)?(?:px|em|rem|pt|%)?\s*(?:;|!|$))/i
const outOfView = new RegExp(
  String.raw`(?:^|;)\s*(?:text-indent\s*:\s*-\d{3,}(?:\.\d+)?(?:px|em|rem|vw|%)|(?:margin-)?(?:left|top|right|bottom)\s*:\s*${farAway}|clip\s*:\s*rect\(\s*(?:0|1px)[^)]*\)|clip-path\s*:\s*(?:inset\(\s*(?:50|100)%|circle\(\s*0)|transform\s*:\s*scale\(\s*0\s*\))`,
  'i',
)
const noBox = new RegExp(
  String.raw`(?:^|;)\s*(?:max-)?(?:width|height)\s*:\s*(?:0|1px)(?:px|em|rem|%)?\s*(?:;|!|$)`,
  'i',
)
const clipped = /(?:^|;)\s*overflow(?:-[xy])?\s*:\s*(?:hidden|clip)/i

/** More than this share of all text is never taken for hidden: such pages show it with a script after loading. */
const maxHiddenShare = 0.4
const maxHiddenShareByStyle = 0.9

/** Removes text that a visitor would not see. Measures must be fresh; they are kept up to date. */
export function dropHidden(root: Element, measures: Measures): void {
  openNoscript(root, measures)
  const total = measures.of(root).text || 1
  visit(root, (element) => {
    const share = hiddenUpTo(element)
    if (share === 0 || measures.of(element).text > share * total) return undefined
    measures.remove(element)
    return 'skip'
  })
}

/** The share of the page's text that may be hidden in the way this element is hidden; 0 when it is not hidden. */
function hiddenUpTo(element: Element): number {
  if (element.hasAttribute('hidden') && element.getAttribute('hidden') !== 'until-found') return maxHiddenShareByStyle
  if (element.getAttribute('aria-hidden') === 'true') return maxHiddenShare
  const style = element.getAttribute('style')
  return style && isHiddenByStyle(style, element) ? maxHiddenShareByStyle : 0
}

function isHiddenByStyle(style: string, element: Element): boolean {
  return (
    notDisplayed.test(style) ||
    seeThrough.test(style) ||
    outOfView.test(style) ||
    (noBox.test(style) && clipped.test(style)) ||
    (noSize.test(style) && !hasSizedText(element))
  )
}

/** A font size of 0 also closes the gaps between boxes; the boxes then set their own size. */
function hasSizedText(element: Element): boolean {
  let sized = false
  visit(element, (inner) => {
    sized ||= someSize.test(inner.getAttribute('style') ?? '')
    return sized ? 'skip' : undefined
  })
  return sized
}

/** Some sites put the whole page into noscript for readers without scripts, which is what we are; otherwise it repeats or begs. */
function openNoscript(root: Element, measures: Measures): void {
  const total = measures.of(root).text
  visit(root, (element) => {
    if (element.localName !== 'noscript') return undefined
    const { text } = measures.of(element)
    if (text > 0.5 * total && text > 300) unwrap(element)
    else measures.remove(element)
    return 'skip'
  })
}
