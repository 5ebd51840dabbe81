import { type Element, classOf, closest, elementsIn } from '../dom.ts'
import type { ContentView } from './view.ts'

/** Turns rendered formulas (KaTeX, MathJax, MathML) into `<code data-math>` with their TeX source, where the page holds it. */
export function normaliseMath(view: ContentView): void {
  for (const box of view.classed) if (/(?:^|\s)(?:katex|MathJax)(?:\s|$)/.test(classOf(box))) toFormula(box)
  for (const box of view.named('mjx-container', 'math')) if (view.root.contains(box)) toFormula(box)
}

function toFormula(box: Element): void {
  const tex = texOf(box)
  if (!tex) return
  const code = box.ownerDocument.createElement('code')
  code.setAttribute('data-math', isDisplayed(box) ? 'block' : 'inline')
  code.textContent = tex
  box.replaceWith(code)
}

function texOf(box: Element): string | null | undefined {
  const annotation = elementsIn(box).find(
    (inner) => inner.localName === 'annotation' && inner.getAttribute('encoding') === 'application/x-tex',
  )
  return annotation?.textContent ?? box.getAttribute('alttext')
}

function isDisplayed(box: Element): boolean {
  if (box.getAttribute('display') === 'block' || box.getAttribute('display') === 'true') return true
  return closest(box, (up) => /(?:^|\s)katex-display(?:\s|$)/.test(classOf(up)), 4) !== undefined
}
