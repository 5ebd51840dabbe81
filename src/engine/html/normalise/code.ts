import { type Element, classOf, elementsIn, isElement } from '../dom.ts'
import type { ContentView } from './view.ts'

const languageClass =
  /^(?:language|lang|highlight-source|highlight|brush|sourcecode|hljs|code|syntax)[-:]([a-z0-9+#_-]+)$/i
/** Words after which the next class is the language. */
const languageFollows = /^(?:hljs|sourceCode|brush:|prettyprint)$/i
const noLanguage =
  /^(?:text|plain|plaintext|none|nohighlight|wrapper|block|container|toolbar|box|area|example|copy|highlight|line|lines|numbers|default|table|snippet|content|hljs|js-file-line.*)$/i
const languageAttributes = ['data-lang', 'data-language', 'data-code-language', 'lang-name']
const gutterCell = /(?:^|\s)(?:linenos|gutter|rouge-gutter|lineno|hljs-ln-numbers|blob-num)(?:\s|$)/
const notCode =
  /(?:^|\s)(?:lineno|linenos|line-number|line-numbers-rows|lnt|copy|copy-button|copybtn|clipboard-copy|blob-num)(?:\s|$)/

/** Makes every pre one code element with its language and plain text lines. */
export function normaliseCode(view: ContentView): void {
  for (const cell of view.named('td')) if (gutterCell.test(classOf(cell))) unwrapNumberedTable(cell)
  for (const pre of view.named('pre')) if (view.root.contains(pre)) normalisePre(pre)
}

function unwrapNumberedTable(gutter: Element): void {
  let table = gutter.parentNode
  while (table && table.localName !== 'table') table = table.parentNode
  const cells = table ? elementsIn(table).filter((element) => element.localName === 'td') : []
  const pre = elementsInAll(cells.filter((cell) => !gutterCell.test(classOf(cell)))).find(
    (element) => element.localName === 'pre',
  )
  if (table?.parentNode && pre) table.replaceWith(pre)
}

function elementsInAll(roots: readonly Element[]): Element[] {
  return roots.flatMap(elementsIn)
}

function normalisePre(pre: Element): void {
  const language = languageOf(pre).toLowerCase()
  for (const inner of elementsIn(pre)) {
    if (inner.localName === 'button' || notCode.test(classOf(inner))) inner.remove()
    else if (inner.localName === 'br') inner.replaceWith('\n')
  }
  const code = pre.ownerDocument.createElement('code')
  if (language) code.setAttribute('class', `language-${language}`)
  code.textContent = pre.textContent
  pre.textContent = ''
  pre.append(code)
}

function languageOf(pre: Element): string {
  let at: Element | null = pre
  for (let i = 0; at && i < 4; i++, at = at.parentNode) {
    const language = isElement(at) && languageNamedBy(at)
    if (language) return language
  }
  const code = elementsIn(pre).find((inner) => inner.localName === 'code')
  return (code && languageNamedBy(code)) || ''
}

function languageNamedBy(element: Element): string | undefined {
  for (const name of languageAttributes) {
    const value = element.getAttribute(name)
    if (value && /^[\w+#.-]{1,30}$/.test(value)) return value
  }
  const words = classOf(element).split(/[\s;]+/)
  const named = words.map((word) => languageClass.exec(word)?.[1])
  const following = words.map((word, i) => (languageFollows.test(word) ? words[i + 1] : undefined))
  return [...named, ...following].find((word) => word && /^[\w+#-]{1,30}$/.test(word) && !noLanguage.test(word))
}
