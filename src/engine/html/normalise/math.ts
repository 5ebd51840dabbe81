import { type Element, classOf, closest, elementsIn, isElement } from '../dom.ts'
import { texOfMathMl } from './mathml.ts'
import type { ContentView } from './view.ts'

const rendered = /(?:^|\s)(?:katex|MathJax)(?:\s|$)/
const preview = /(?:^|\s)MathJax_Preview(?:\s|$)/
const sourceBox = /(?:^|\s)(?:math|arithmatex|MathJye)(?:\s|$)/
const delimited = /^\s*\\([([])([\s\S]+)\\[)\]]\s*$/
/** Formulas drawn as images, whose alt text is their TeX. */
const formulaImage = /(?:^|\s)(?:latex|tex|mwe-math-fallback-image-(?:inline|display))(?:\s|$)/

/** Turns rendered formulas (KaTeX, MathJax, MathML, images with TeX) into `<code data-math>` with their TeX source. */
export function normaliseMath(view: ContentView): void {
  for (const box of view.classed()) {
    const name = classOf(box)
    if (!/math|katex|tex/i.test(name)) continue
    if (preview.test(name)) box.remove()
    else if (rendered.test(name)) toFormula(box)
    else if (sourceBox.test(name)) fromDelimited(box)
    else if (box.localName === 'img' && formulaImage.test(name))
      replace(box, box.getAttribute('alt'), /display/.test(name))
  }
  for (const box of view.named('mjx-container', 'math')) if (view.root.contains(box)) toFormula(box)
}

function toFormula(box: Element): void {
  const around = closest(box, (up) => /(?:^|\s)MathJax_Display(?:\s|$)/.test(classOf(up)), 3) ?? box
  const next = around.nextElementSibling
  // MathJax 2 keeps the source in a script right behind what it draws.
  if (next?.localName === 'code' && next.hasAttribute('data-math')) around.remove()
  else replace(box, texOf(box), isDisplayed(box))
}

function fromDelimited(box: Element): void {
  const [, bracket, tex] = (box.firstElementChild ? null : delimited.exec(box.textContent)) ?? []
  if (tex) replace(box, tex, bracket === '[')
}

function replace(box: Element, tex: string | null | undefined, isBlock: boolean): void {
  const source = tex?.trim().replace(/^\{\\displaystyle\s+([\s\S]*)\}$/, '$1')
  if (!source) return
  const code = box.ownerDocument.createElement('code')
  code.setAttribute('data-math', isBlock ? 'block' : 'inline')
  code.textContent = source
  box.replaceWith(code)
}

function texOf(box: Element): string | null | undefined {
  const inner = elementsIn(box)
  const annotation = inner.find(
    (part) => part.localName === 'annotation' && /tex/i.test(part.getAttribute('encoding') ?? ''),
  )
  const math = box.localName === 'math' ? box : inner.find((part) => part.localName === 'math')
  return annotation?.textContent ?? math?.getAttribute('alttext') ?? (math && texOfMathMl(math))
}

function isDisplayed(box: Element): boolean {
  const math = [box, ...box.children].find((part) => isElement(part) && part.hasAttribute('display'))
  if (math && /^(?:block|true)$/.test(math.getAttribute('display') ?? '')) return true
  return closest(box, (up) => /(?:^|\s)katex-display(?:\s|$)/.test(classOf(up)), 4) !== undefined
}
