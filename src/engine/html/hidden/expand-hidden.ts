import {
  classOf,
  closest,
  type Element,
  elementsById,
  elementsIn,
  exceedsSize,
  isElement,
  maxLineNodes,
  oneLine,
  previousElement,
  rename,
} from '../dom/dom-tree.ts'
import { createAround, createElement } from '../dom/tree-node.ts'
import { controlledBy, isOverlay, isTabList, isUnseen } from './hidden.ts'
import { showElement, showFrames } from './show-elements.ts'

const labelList = /(?:^|\s)(?:tabbed-labels|tabs)(?:\s|$)/
const labelledContent = /(?:^|\s)(?:sd-tab-content|tabbed-content|tab-content)(?:\s|$)/

/**
 * Exposes content that a page hides until the visitor requests it or a script shows it: tab panels, formulas, media,
 * frames, mail addresses. Must run before hidden and unreadable parts are dropped.
 */
export function expandHiddenContent(body: Element): void {
  const all = elementsIn(body)
  const tabs: Element[] = []
  const labels: Element[] = []
  const frames: Element[] = []
  for (const element of all) {
    const name = element.localName
    if (name === 'label') labels.push(element)
    else if (isTab(element)) tabs.push(element)
    else if (name === 'iframe') frames.push(element)
    if (element.pairs || name === 'math' || name === 'svg') showElement(element)
  }
  showFrames(frames)
  openTabs(all, tabs, labels)
  openAnswers(all)
}

/**
 * Puts the label of each tab before its content and shows the contents of all tabs. Supported forms: ARIA and Bootstrap
 * tabs, a list of labels before an equally long list of contents (MkDocs Material, VitePress), a label before each
 * content (Sphinx).
 */
function openTabs(all: readonly Element[], tabs: readonly Element[], labels: readonly Element[]): void {
  if (tabs.length > 0) {
    const byId = elementsById(all)
    const panelsOf = rememberedPanels()
    const seen = new Set<Element>()
    for (const [list, own] of Map.groupBy(tabs, (tab) => closest(tab.parentNode ?? tab, isTabList, 4)))
      if (list) openTabList(list, own, { byId, panelsOf, seen })
  }
  for (const label of labels) openLabelled(label)
  for (const list of new Set(labels.flatMap((label) => label.parentNode ?? []))) openLabelList(list)
}

type PanelsOf = (box: Element) => readonly Element[]

type PanelFinder = {
  byId: ReadonlyMap<string, Element>
  panelsOf: PanelsOf
  /** Panels that have their label already. Only the first of several tabs labels a panel, so each is read once. */
  seen: Set<Element>
}

const isTab = (element: Element) =>
  element.getAttribute('role') === 'tab' ||
  /^(?:tab|pill)$/.test(element.getAttribute('data-toggle') ?? element.getAttribute('data-bs-toggle') ?? '')

function openTabList(list: Element, tabs: readonly Element[], { byId, panelsOf, seen }: PanelFinder): void {
  const inOrder = panelsNear(list, panelsOf)
  for (const [index, tab] of tabs.entries()) {
    const named = controlledBy(tab).flatMap((id) => byId.get(id) ?? [])[0]
    const panel = named ?? (inOrder.length === tabs.length ? inOrder[index] : undefined)
    if (!panel || seen.has(panel)) continue
    seen.add(panel)
    // Panels of an accordion are in the list, each after its label.
    if (!panel.contains(tab) && !list.contains(panel) && oneLine(panel.textContent) !== '') open(tab, panel)
  }
  if (oneLine(list.textContent) === '') list.remove()
}

/** Returns the panels of a tab list without `aria-controls`: those in the nearest common ancestor. */
function panelsNear(list: Element, panelsOf: PanelsOf): readonly Element[] {
  let box: Element | null = list.parentNode
  for (let i = 0; isElement(box) && i < 3; i++, box = box.parentNode) {
    const panels = panelsOf(box)
    if (panels.length > 0) return panels
  }
  return []
}

/** Caches panels per box, because several tab lists may share one. */
function rememberedPanels(): PanelsOf {
  const known = new Map<Element, readonly Element[]>()
  return (box) => {
    const panels = known.get(box) ?? topPanels(box)
    known.set(box, panels)
    return panels
  }
}

function topPanels(box: Element): Element[] {
  const panels = elementsIn(box).filter((element) => element.getAttribute('role') === 'tabpanel')
  const outer = new Set<Element>()
  for (const panel of panels) if (!closest(panel.parentNode ?? panel, (up) => outer.has(up), 30)) outer.add(panel)
  return [...outer]
}

function openLabelled(label: Element): void {
  const next = label.nextElementSibling
  if (next?.localName === 'div' && labelledContent.test(classOf(next))) open(label, next)
}

function openLabelList(list: Element): void {
  if (!labelList.test(classOf(list))) return
  const labels = list.children.filter(({ localName }) => localName === 'label')
  const contents = list.nextElementSibling?.children ?? []
  if (labels.length !== contents.length) return
  for (const [index, label] of labels.entries()) open(label, contents[index]!)
}

const isControl = (element: Element) =>
  element.localName === 'button' ||
  element.getAttribute('role') === 'button' ||
  element.hasAttribute('aria-expanded') ||
  element.hasAttribute('onclick')

/**
 * Minimum characters of an answer after a control without `aria-expanded`; a shorter text is a message such as
 * "Copied", unless it is a paragraph or list, and the page has others of its kind after other controls.
 */
const minAnswer = 40
const paragraphs = /^(?:p|ul|ol|dl|table)$/

/** Maximum number of characters of a control or a question. */
const maxQuestion = 300

/**
 * Shows hidden text next to its control, such as an answer after its question. An element that only a script makes a
 * control, and a short answer, count if the page has several with the same names and other questions.
 */
function openAnswers(all: readonly Element[]): void {
  const alike = new Map<string, Fold[]>()
  for (const panel of all) {
    if (!panel.pairs || !isUnseen(panel) || isOverlay(panel)) continue
    if (isBeforeControl(panel)) show(panel)
    const fold = foldOf(panel)
    if (!fold) continue
    const folds = alike.get(fold.names)
    if (folds) folds.push(fold)
    else alike.set(fold.names, [fold])
  }
  for (const folds of alike.values()) {
    const isGroup = new Set(folds.map(({ question }) => question)).size > 1
    for (const { line, panel, hasControl } of folds.filter(({ isCertain }) => isCertain || isGroup)) {
      if (hasControl) openFold(line, panel)
      else show(panel)
    }
  }
}

/** Hidden panel after a line; `isCertain` if it needs no others like it. */
type Fold = { line: Element; panel: Element; question: string; hasControl: boolean; isCertain: boolean; names: string }

function foldOf(panel: Element): Fold | undefined {
  const line = previousElement(panel)
  if (!line || isUnseen(line)) return undefined
  const control = controlIn(line)
  if (!isAnswer(panel, control ?? line)) return undefined
  const isLong = oneLine(panel.textContent).length >= minAnswer
  const isCertain = control !== undefined && (isLong || control.hasAttribute('aria-expanded'))
  const isText = isLong || (control && elementsIn(panel).some(({ localName }) => paragraphs.test(localName)))
  if (!isCertain && !isText) return undefined
  const names = [line, panel].map((each) => `${each.localName}.${classOf(each)}`).join(' ')
  const hasControl = control !== undefined
  return { line, panel, question: oneLine(line.textContent), hasControl, isCertain, names: `${hasControl} ${names}` }
}

function isBeforeControl(panel: Element): boolean {
  const after = panel.nextElementSibling
  return after?.getAttribute('aria-expanded') === 'false' && isAnswer(panel, after)
}

/** Returns the control of a line: the line itself, a child of a heading, or an element with all words of the line. */
function controlIn(line: Element): Element | undefined {
  if (isControl(line)) return line
  if (/^h[1-6]$/.test(line.localName)) return line.children.find(isControl)
  if (exceedsSize(line, maxLineNodes, maxQuestion)) return undefined
  const words = oneLine(line.textContent)
  return elementsIn(line).find((inner) => isControl(inner) && oneLine(inner.textContent) === words)
}

/** Controls that become the summary of a fold; others, such as headings and rows, stay unchanged. */
const mayBeSummary = /^(?:a|button|div|p|span)$/

function openFold(control: Element, panel: Element): void {
  show(panel)
  if (panel.localName === 'span' || !mayBeSummary.test(control.localName)) return
  const fold = createElement('details')
  control.before(fold)
  fold.append(rename(control, 'summary'), panel)
}

/** True for text, rather than a menu or a form. */
function isAnswer(panel: Element, control: Element): boolean {
  if (exceedsSize(control, maxLineNodes, maxQuestion) || oneLine(control.textContent) === '') return false
  const { length } = oneLine(panel.textContent)
  const inner = elementsIn(panel)
  const links = inner.reduce((sum, each) => sum + (each.localName === 'a' ? oneLine(each.textContent).length : 0), 0)
  return links <= 0.5 * length && !inner.some(({ localName }) => /^(?:form|nav)$/.test(localName))
}

function show(panel: Element): void {
  for (const name of ['hidden', 'aria-hidden']) panel.removeAttribute(name)
  if (!isUnseen(panel)) return
  // The rest of the style may hide in many ways; line breaks are content.
  const [lines] = /white-space[^;]*/i.exec(panel.getAttribute('style') ?? '') ?? []
  if (lines) panel.setAttribute('style', lines)
  else panel.removeAttribute('style')
}

/** True if the panel starts with an element, at any depth, that has exactly these words. */
function startsWith(panel: Element, words: string): boolean {
  for (let at = panel.firstElementChild; at; at = at.firstElementChild)
    if (!exceedsSize(at, maxLineNodes, 2 * words.length + 80) && oneLine(at.textContent) === words) return true
  return false
}

function open(tab: Element, panel: Element): void {
  const label = oneLine(tab.textContent)
  show(panel)
  tab.remove()
  if (/\p{L}/u.test(label) && !startsWith(panel, label)) panel.prepend(createAround('p', createAround('strong', label)))
}
