import { classOf, closest, type DomNode, type Element, elementsIn } from '../dom/dom-tree.ts'
import { exceedsSize, isElement, isText, moveChildren, nodeAfter, unwrap } from '../dom/dom-tree.ts'
import { createElement } from '../dom/tree-node.ts'
import type { ContentIndex } from '../dom/element-index.ts'
import { percentDecoded } from '../../../util/words.ts'

const notesBox = /(?:^|\s)(?:footnotes|footnote-list|references|reflist|endnotes)(?:\s|$)/
const backBox = /(?:^|\s)mw-cite-backlink(?:\s|$)/
const noteBlock = /^(?:li|p|div|aside|section|dd)$/
const notInNote = /^(?:h[1-6]|table|td|th|article|main)$/
const tablePart = /^(?:colgroup|col|tbody|tr|td)$/
/** A number, a letter or a sign, perhaps in brackets. */
const markText = /^[\s[(]*(?:\p{N}{1,4}|\p{L}|[^\p{L}\p{N}\s[\]()]{1,3})[\s\])]*$/u
const wordless = /^[^\p{L}\p{N}]*$/u

/**
 * Marks references with `<sup data-footnote>` and notes with `<p data-footnote>`, which the writer turns into `[^1]`. A
 * note is an item of a list of notes, or a block to which an earlier link refers by a mark (see `isReference`).
 */
export function normaliseFootnotes(content: ContentIndex): void {
  bracketInlineNotes(content)
  const targets = targetsOf(content)
  const notes = new Map<Element, Element[]>(listedNotes(content).map((note) => [note, []]))
  for (const link of content.named('a')) {
    const note = noteFor(link, targets, notes)
    if (!note || note.contains(link)) continue
    const references = notes.get(note)
    if (references) references.push(link)
    else notes.set(note, [link])
  }
  if (notes.size === 0) return
  for (const rule of content.named('hr'))
    if (isInNotes(rule) || /(?:^|\s)footnotes-sep(?:\s|$)/.test(classOf(rule))) rule.remove()
  markAll(notes)
}

function markAll(notes: ReadonlyMap<Element, readonly Element[]>): void {
  const all = [...notes].map(([note, references]) => {
    const mark = references[0]?.textContent.replace(/[\s[\]()]/g, '') ?? ''
    return { note, references, mark, written: mark.replace(/[^\p{L}\p{N}_]/gu, '') }
  })
  // Notes that lost their references have no mark; they take the unused numbers.
  const free = new Set(all.map((_, index) => String(index + 1)))
  for (const { written } of all) free.delete(written)
  const labels = new Set<string>()
  for (const { note, references, mark, written } of all) {
    const label = written && !labels.has(written) ? written : firstOf(free)
    labels.add(label)
    free.delete(label)
    const origins = new Set(references.flatMap(namesAround))
    for (const reference of references) markReference(reference, label)
    markNote(note, label, { origins, mark })
  }
}

const firstOf = (labels: ReadonlySet<string>) => labels.values().next().value ?? ''

const listedNotes = (content: ContentIndex) =>
  content.named('li').filter((item) => item.hasAttribute('id') && isInNotes(item))

function isInNotes(item: Element): boolean {
  return (
    closest(item, (up) => notesBox.test(classOf(up)) || up.getAttribute('role') === 'doc-endnotes', 4) !== undefined
  )
}

type Place = { element: Element; at: number }
type Targets = { placeOf: (name: string) => Place | undefined; orderOf: (element: Element) => number }

/** Elements by id or name, with their order; collected only if the content has links within a page. */
function targetsOf(content: ContentIndex): Targets {
  const order = new Map<Element, number>()
  const places = new Map<string, Place>()
  if (!content.named('a').some((link) => fragmentOf(link) !== '')) return { placeOf: () => undefined, orderOf: () => 0 }
  content.all.forEach((element, at) => order.set(element, at))
  // The first of several elements with one name counts.
  content.all.toReversed().forEach((element) => {
    for (const name of namesOf(element)) places.set(name, { element, at: order.get(element) ?? 0 })
  })
  return { placeOf: (name) => places.get(name), orderOf: (element) => order.get(element) ?? 0 }
}

const namesOf = (element: Element): string[] =>
  [element.getAttribute('id') ?? '', element.localName === 'a' ? (element.getAttribute('name') ?? '') : ''].filter(
    Boolean,
  )

function fragmentOf(link: Element): string {
  const href = link.getAttribute('href') ?? ''
  const fragment = href.includes('#') ? href.slice(href.indexOf('#') + 1) : ''
  return percentDecoded(fragment)
}

/** Returns the note to which a link refers. */
function noteFor(link: Element, { placeOf, orderOf }: Targets, notes: ReadonlyMap<Element, unknown>) {
  const place = placeOf(fragmentOf(link))
  if (!place || notes.has(place.element)) return place?.element
  if (place.at < orderOf(link) || exceedsSize(link, maxMarkNodes) || !markText.test(link.textContent)) return undefined
  const note = noteAround(place.element)
  if (!note || notes.has(note)) return note
  if (exceedsSize(note, maxNoteNodes)) return undefined
  if (note.localName !== 'table' && elementsIn(note).some(({ localName }) => notInNote.test(localName)))
    return undefined
  return isReference(link, note) ? note : undefined
}

/** True for a raised link, or one to a note that leads back or repeats its mark. */
const isReference = (link: Element, note: Element) =>
  returnsTo(note, link) || isRaised(link) || repeatsMark(note, link.textContent.trim())

function returnsTo(note: Element, link: Element): boolean {
  const names = namesAround(link)
  return elementsIn(note).some((each) => each.localName === 'a' && names.includes(fragmentOf(each)))
}

/** Maximum number of nodes in a mark, and in a note. */
const maxMarkNodes = 8
const maxNoteNodes = 400

const isRaised = (link: Element) =>
  link.firstElementChild?.localName === 'sup' || closest(link, ({ localName }) => localName === 'sup', 3) !== undefined

/** True for a note that begins with the mark of its reference in brackets. */
const repeatsMark = (note: Element, mark: string) =>
  /^\[.+\]$/.test(mark) && note.textContent.trimStart().startsWith(mark)

/** Returns the block that begins at the target of a reference, or the box that has an id and begins with this block. */
function noteAround(target: Element): Element | undefined {
  if (target.localName === 'table') return isNoteTable(target) ? target : undefined
  const block = closest(target, ({ localName }) => noteBlock.test(localName) || notInNote.test(localName), 5)
  if (!block || notInNote.test(block.localName) || !startsAt(block, target)) return undefined
  const box = block.parentNode
  const isBox = box?.localName === 'div' && box.hasAttribute('id') && box.firstElementChild === block
  return isBox ? box : block
}

/** True for the layout of a note by docutils before version 2: a table of its mark and its text. */
function isNoteTable(table: Element): boolean {
  const cells = elementsIn(table).filter(({ localName }) => localName === 'td')
  return cells.length === 2 && markText.test(cells[0]!.textContent)
}

/** True if no words precede an element in a block. */
function startsAt(block: Element, element: Element): boolean {
  for (
    let at: DomNode | null = block === element ? null : block.firstChild;
    at && at !== element;
    at = at.firstChild ?? nodeAfter(at, block)
  )
    if (isText(at) && !wordless.test(at.textContent)) return false
  return true
}

/**
 * Returns the names to which a note may link back: of the reference, of boxes around it, and of an anchor before it.
 */
function namesAround(link: Element): string[] {
  const around: Element[] = elementsIn(link)
  for (let up: Element | null = link; up && around.length < maxMarkNodes; up = up.parentNode) around.push(up)
  const before = link.previousSibling
  if (isElement(before) && before.textContent === '') around.push(before)
  return around.flatMap(namesOf)
}

function markReference(link: Element, label: string): void {
  const mark = createElement('sup', ['data-footnote', label])
  mark.textContent = label
  const sup = closest(link, (up) => up.localName === 'sup', 3)
  const isAll = sup && sup.textContent.replace(/[[\]\s]/g, '') === link.textContent.replace(/[[\]\s]/g, '')
  if (isAll) sup.replaceWith(mark)
  else link.replaceWith(mark)
  const [before, after] = [mark.previousSibling, mark.nextSibling]
  if (!before || !after || !isText(before) || !isText(after)) return
  if (!before.textContent.endsWith('[') || !after.textContent.startsWith(']')) return
  before.textContent = before.textContent.slice(0, -1)
  after.textContent = after.textContent.slice(1)
}

function markNote(note: Element, label: string, reference: { origins: ReadonlySet<string>; mark: string }): void {
  dropBackLinks(note, reference.origins)
  if (note.localName === 'table') for (const part of elementsIn(note)) if (tablePart.test(part.localName)) unwrap(part)
  if (note.localName !== 'li') dropOwnMark(note, reference.mark)
  const paragraph = createElement('div', ['data-footnote', label])
  moveChildren(note, paragraph)
  const [first] = paragraph.children
  // The first paragraph goes on the line of the mark.
  if (first && /^(?:p|div)$/.test(first.localName)) unwrap(first)
  const list = note.parentNode
  if (note.localName === 'li' && isElement(list) && list.parentNode) list.before(paragraph)
  else note.before(paragraph)
  note.remove()
}

/** Removes links back, and inline boxes around them that have no words of their own. */
function dropBackLinks(note: Element, origins: ReadonlySet<string>): void {
  for (const inner of elementsIn(note)) {
    const fragment = inner.localName === 'a' ? fragmentOf(inner) : ''
    const leadsBack = fragment !== '' && (origins.has(fragment) || wordless.test(inner.textContent))
    if (!leadsBack && !backBox.test(classOf(inner))) continue
    let box: Element = inner
    for (let up = inner.parentNode; up && up !== note && !noteBlock.test(up.localName); up = up.parentNode) {
      inner.textContent = ''
      if (!wordless.test(up.textContent)) break
      box = up
    }
    box.remove()
  }
}

/** Removes the mark of a note, and the signs and space around it, from its start. */
function dropOwnMark(note: Element, own: string): void {
  for (let at: DomNode | null = note.firstChild; at; at = at.firstChild ?? nodeAfter(at, note)) {
    if (!isText(at)) continue
    const text = at.textContent.replace(/^[\s[({]+(?=[\])}.:^\s]|$)|^[\])}.:^\s]+/, '').trimStart()
    const bare = text.replace(/^[[({]+/, '')
    const rest = bare.slice(own.length)
    const isOwn = own !== '' && bare.startsWith(own) && !/^[\p{L}\p{N}]/u.test(rest)
    at.textContent = isOwn ? rest.replace(/^[\])}.:\s]+/, '') : text
    if (at.textContent !== '') return
  }
}

const inlineNote =
  /(?:^|\s)(?:[\w-]+[_-])?(?:side-?note|margin-?note|footnote)(?:[_-]+(?:content|body|text|note))?(?:\s|$)|(?:^|\s)ltx_note(?:\s|$)/
const inlineName = /^(?:span|small|d-footnote)$/

const isMark = (element: Element) =>
  element.localName === 'sup' || /(?:^|[_\s-])(?:mark|tag|number)(?:$|[_\s-])/.test(classOf(element))

/** Puts notes that are inside their sentence in parentheses, because markdown cannot show them beside it. */
function bracketInlineNotes(content: ContentIndex): void {
  for (const note of [...content.classed(), ...content.named('d-footnote')]) {
    const { localName } = note
    if (!inlineName.test(localName) || (localName !== 'd-footnote' && !inlineNote.test(classOf(note)))) continue
    for (const mark of elementsIn(note))
      if (isMark(mark) && startsAt(note, mark) && markText.test(mark.textContent)) mark.remove()
    if (!/\S\s+\S/.test(note.textContent) || closest(note, (up) => up.localName === 'a' || up.localName === 'sup'))
      continue
    dropOwnMark(note, '')
    note.prepend(' (')
    note.append(/^[\p{L}\p{N}]/u.test(note.nextSibling?.textContent ?? '') ? ') ' : ')')
  }
}
