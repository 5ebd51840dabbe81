import { isUnseen } from '../hidden/hidden.ts'
import { type Element, isElement, isText, oneLine } from '../dom/dom.ts'

const unread = /^(?:script|style|noscript|template|svg|nav|select|option|textarea|iframe|canvas|video|audio)$/
const inline =
  /^(?:a|abbr|b|bdi|cite|code|data|del|dfn|em|font|i|ins|kbd|label|mark|q|s|samp|small|span|strong|sub|sup|time|u|var)$/
const maxCharacters = 200_000
const maxDepth = 300

/** All text that a page holds outside of its menus, a line for each block, headings marked as in markdown. */
export function wholeText(body: Element): string {
  const lines: string[] = []
  let line = ''
  let length = 0
  const end = (mark = '') => {
    const text = oneLine(line)
    line = ''
    if (text === '' || length > maxCharacters) return
    lines.push(mark + text)
    length += text.length
  }
  const read = (parent: Element, depth: number): void => {
    for (const child of parent.childNodes) {
      if (isText(child)) line += child.textContent
      if (!isElement(child) || unread.test(child.localName) || isUnseen(child) || depth > maxDepth) continue
      const level = /^h([1-6])$/.exec(child.localName)?.[1]
      const isBlock = !inline.test(child.localName)
      if (isBlock) end()
      read(child, depth + 1)
      if (isBlock) end(level === undefined ? '' : `${'#'.repeat(Number(level))} `)
    }
  }
  read(body, 0)
  end()
  return lines.join('\n')
}
