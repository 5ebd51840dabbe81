import { type DomNode, type Element, elementsIn, isElement, isText, rename, unwrap } from '../dom.ts'

const blocks =
  /^(?:p|div|ul|ol|dl|dt|dd|li|h[1-6]|blockquote|pre|section|article|figure|figcaption|table|thead|tbody|tfoot|tr|td|th|hr|details|summary|address|header|footer|center|form|aside|main)$/

/** Makes a cell one line: blocks, list items and line breaks are set apart by `<br data-cell>`, which the writer prints as `<br>`. */
export function flattenCell(cell: Element): void {
  if (!cell.firstElementChild) return
  for (const inner of elementsIn(cell)) {
    const name = inner.localName
    if (name === 'pre') splitCode(inner)
    if (name === 'tr') joinPlaces(inner)
    if (name === 'td') unwrap(inner)
    else if (blocks.test(name)) openBlock(inner)
  }
}

/** A table in a cell keeps a line for each row, with its places apart. */
function joinPlaces(row: Element): void {
  if (row.textContent.trim() === '' && !elementsIn(row).some(({ localName }) => localName === 'img')) {
    for (const place of row.children) place.remove()
    return
  }
  for (const [index, place] of row.children.entries()) if (index > 0) place.prepend(' | ')
}

/** Each line of code is a code element of its own. */
function splitCode(pre: Element): void {
  const lines = pre.textContent.replace(/^\n+/, '').trimEnd().split('\n')
  if (lines.length < 2) return
  pre.textContent = ''
  for (const [index, line] of lines.entries()) {
    const code = pre.ownerDocument.createElement('code')
    code.setAttribute('data-line', '')
    code.textContent = line
    if (index > 0) pre.append(lineBreak(pre))
    pre.append(code)
  }
}

function openBlock(block: Element): void {
  dropSpace(block.previousSibling)
  dropSpace(block.nextSibling)
  if (isContent(block.previousSibling)) block.before(lineBreak(block))
  if (isContent(block.nextSibling)) block.after(lineBreak(block))
  if (block.localName === 'li') block.prepend(`${markOf(block)} `)
  if (/^h[1-6]$/.test(block.localName)) rename(block, 'strong')
  else if (block.localName === 'hr') block.remove()
  else unwrap(block)
}

function markOf(item: Element): string {
  const number = item.getAttribute('data-number')
  return number === null ? '•' : `${number}.`
}

function lineBreak(near: Element): Element {
  const created = near.ownerDocument.createElement('br')
  created.setAttribute('data-cell', '')
  return created
}

/** True for what needs a break between itself and a block: not white space, not a break. */
function isContent(node: DomNode | null): boolean {
  if (!node || (isElement(node) && node.localName === 'br')) return false
  return !isText(node) || node.textContent.trim() !== ''
}

function dropSpace(node: DomNode | null): void {
  if (node && isText(node) && node.textContent.trim() === '') node.remove()
}
