import { classOf, closest, type Element, elementsIn, isElement, unwrap } from '../dom/dom.ts'
import { codeText, numberedTables, unwrapNumberedTable } from './code-lines.ts'
import type { ContentView } from './view.ts'

/** Where editors in the page (CodeMirror 5 and 6, Monaco, Ace) hold their lines, and the box around all of an editor. */
const editorLines = /(?:^|\s)(?:cm-content|CodeMirror-code|view-lines|ace_text-layer)(?:\s|$)/
const editor = /(?:^|\s)(?:cm-editor|CodeMirror|monaco-editor|ace_editor)(?:\s|$)/
const copyLabel = /^(?:copy(?: code| to clipboard| snippet)?|copied!?)$/i

/** Makes every pre one code element with its language and plain text lines. */
export function normaliseCode(view: ContentView): void {
  const pres = new Set(view.named('pre'))
  for (const box of view.classed())
    if (editorLines.test(classOf(box)) && view.root.contains(box)) pres.add(editorAsPre(box))
  for (const table of numberedTables(view.named('td'))) {
    const pre = unwrapNumberedTable(table)
    if (pre) pres.add(pre)
  }
  for (const code of view.named('code')) {
    const pre = code.firstElementChild ? blockOf(code) : undefined
    if (pre) pres.add(pre)
  }
  for (const button of view.named('button')) if (copyLabel.test(button.textContent.trim())) button.remove()
  for (const pre of pres) if (view.root.contains(pre)) normalisePre(pre)
}

function editorAsPre(lines: Element): Element {
  const pre = lines.ownerDocument.createElement('pre')
  const language = lines.getAttribute('data-language')
  if (language) pre.setAttribute('data-language', language)
  pre.textContent = codeText(lines).replace(/\u00A0/g, ' ')
  const box = closest(lines, (up) => editor.test(classOf(up)), 12) ?? lines
  box.replaceWith(pre)
  return pre
}

/** Code that holds lines of its own outside of a pre is a block all the same. Code that is a link throughout is a link on code. */
function blockOf(code: Element): Element | undefined {
  const [only] = code.children
  if (only?.localName === 'a' && only.textContent.trim() === code.textContent.trim()) swap(code, only)
  const inner = elementsIn(code)
  if (!inner.some(({ localName }) => /^(?:br|pre|div)$/.test(localName))) return undefined
  if (closest(code, ({ localName }) => /^(?:pre|td|th|h[1-6])$/.test(localName), 30)) return undefined
  if (inner.some(({ localName }) => localName === 'pre')) {
    unwrap(code)
    return undefined
  }
  const pre = code.ownerDocument.createElement('pre')
  code.replaceWith(pre)
  pre.append(code)
  return pre
}

function swap(code: Element, link: Element): void {
  code.replaceWith(link)
  const text = link.textContent
  link.textContent = ''
  code.textContent = text
  link.append(code)
}

function normalisePre(pre: Element): void {
  const label = pre.previousSibling
  if (isElement(label) && label.localName === 'span' && classOf(label) === 'lang') label.remove()
  const language = languageOf(pre).toLowerCase()
  const code = pre.ownerDocument.createElement('code')
  if (language) code.setAttribute('class', `language-${language}`)
  code.textContent = codeText(pre)
  pre.textContent = ''
  pre.append(code)
}

const languageClass = /^(?:language|lang|highlight-source|highlight|brush|sourcecode|hljs|syntax)[-:]([a-z0-9+#_-]+)$/i
/** Words after which the next class is the language. */
const languageFollows = /^(?:hljs|sourceCode|brush:|prettyprint|literal-block)$/i
const noLanguage =
  /^(?:text|plain|plaintext|none|nohighlight|wrapper|block|container|toolbar|box|area|example|copy|highlight|line|lines|numbers|default|table|snippet|content|hljs|picker|selector|switcher|tabs?|js-file-line.*)$/i
const languageAttributes = ['data-lang', 'data-language', 'data-code-language', 'lang-name']
/** On a box around code the attributes may as well name the language of its words. */
const holdsCode = /code|highlight|snippet|shiki|prism|language/i

/** The programming language of a block of code, as the class names and attributes of the usual highlighters say it; '' when none does. */
function languageOf(pre: Element): string {
  const code = elementsIn(pre).find((inner) => inner.localName === 'code')
  const own = languageNamedBy(pre) ?? (code && languageNamedBy(code))
  if (own) return own
  let at: Element | null = pre.parentNode
  for (let i = 0; isElement(at) && i < 4; i++, at = at.parentNode) {
    const language = holdsCode.test(classOf(at)) && languageNamedBy(at)
    if (language) return language
  }
  return ''
}

function languageNamedBy(element: Element): string | undefined {
  for (const name of languageAttributes) {
    const value = element.getAttribute(name)
    if (value && /^[\w+#.-]{1,30}$/.test(value) && !noLanguage.test(value)) return value
  }
  const words = classOf(element)
    .replace(/^code (\S+) literal-block$/, 'literal-block $1')
    .split(/[\s;]+/)
  const named = words.map((word) => languageClass.exec(word)?.[1])
  const following = words.map((word, i) => (languageFollows.test(word) ? words[i + 1] : undefined))
  return [...named, ...following].find((word) => word && /^[\w+#-]{1,30}$/.test(word) && !noLanguage.test(word))
}
