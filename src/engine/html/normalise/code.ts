import { type Element, classOf, closest, elementsIn, isElement, unwrap } from '../dom.ts'
import { languageOf } from './code-language.ts'
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
