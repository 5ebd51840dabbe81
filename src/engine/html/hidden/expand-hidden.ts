import { classOf, closest, type Element, elementsIn, isElement, oneLine } from '../dom/dom-tree.ts'
import { createElement } from '../dom/tree-node.ts'

const labelList = /(?:^|\s)(?:tabbed-labels|tabs)(?:\s|$)/
const labelledContent = /(?:^|\s)(?:sd-tab-content|tabbed-content|tab-content)(?:\s|$)/

/**
 * Exposes content that a page hides until the visitor requests it: tab panels, formulas behind their images, URLs of
 * audio and video. Must run before hidden and unreadable parts are dropped.
 */
export function expandHiddenContent(body: Element): void {
  const all = elementsIn(body)
  const lists: Element[] = []
  const labels: Element[] = []
  for (const element of all) {
    const name = element.localName
    if (name === 'label') labels.push(element)
    else if (element.hasAttribute('data-cfemail')) showAddress(element)
    else if (name === 'math') showFormula(element)
    else if (name === 'video' || name === 'audio' || name === 'lite-youtube') linkMedia(element)
    else if ((name === 'ul' || name === 'div') && element.getAttribute('role') === 'tablist') lists.push(element)
  }
  openTabs(all, lists, labels)
}

/**
 * Cloudflare encodes mail addresses as hexadecimal numbers, of which the first is the key to the others; a script
 * decodes them.
 */
function showAddress(element: Element): void {
  const [key = 0, ...rest] = Buffer.from(element.getAttribute('data-cfemail') ?? '', 'hex')
  const address = Buffer.from(rest.map((byte) => byte ^ key)).toString()
  if (!/^[^\s@]+@[^\s@]+$/.test(address)) return
  element.textContent = address
  if (element.localName === 'a') element.setAttribute('href', `mailto:${address}`)
}

/** MediaWiki hides MathML with a style and shows an image that is hidden from assistive technology. */
function showFormula(math: Element): void {
  const box = math.parentNode
  if (/(?:^|\s)mwe-math-mathml/.test(box ? classOf(box) : '')) box?.removeAttribute('style')
}

/** Media without controls is decorative or needs a script to play. */
function linkMedia(media: Element): void {
  const address = addressOf(media)
  if (!address || (media.localName !== 'lite-youtube' && !media.hasAttribute('controls'))) return
  const link = createElement('a')
  link.setAttribute('href', address)
  link.textContent = oneLine(labelOf(media)) || address
  const line = createElement('p')
  line.append(link)
  media.replaceWith(line)
}

function addressOf(media: Element): string | null | undefined {
  if (media.localName === 'lite-youtube') {
    const id = media.getAttribute('videoid')
    return id && `https://www.youtube.com/watch?v=${encodeURIComponent(id)}`
  }
  const source = media.children.find((child) => child.localName === 'source' && child.hasAttribute('src'))
  const address = media.getAttribute('src') ?? source?.getAttribute('src')
  return address?.startsWith('blob:') ? undefined : address
}

function labelOf(media: Element): string {
  const names = ['title', 'aria-label', 'playlabel']
  return names.map((name) => media.getAttribute(name)).find((label) => label !== null) ?? ''
}

/**
 * Puts the label of each tab before its content and shows the contents of all tabs. Supported forms: ARIA tabs with
 * code, a list of labels before an equally long list of contents (MkDocs Material, VitePress), a label before each
 * content (Sphinx).
 */
function openTabs(all: readonly Element[], lists: readonly Element[], labels: readonly Element[]): void {
  if (lists.length > 0) {
    const byId = new Map(all.flatMap((element) => idOf(element)))
    const panelsOf = rememberedPanels()
    for (const list of lists) openTabList(list, byId, panelsOf)
  }
  for (const label of labels) openLabelled(label)
  for (const list of new Set(labels.flatMap((label) => label.parentNode ?? []))) openLabelList(list)
}

function idOf(element: Element): [string, Element][] {
  const id = element.getAttribute('id')
  return id ? [[id, element]] : []
}

type PanelsOf = (box: Element) => readonly Element[]

/** Opens only tabs with code, whose panels are alternatives. Tabs of shops and advertisements mostly hide noise. */
function openTabList(list: Element, byId: ReadonlyMap<string, Element>, panelsOf: PanelsOf): void {
  const tabs = elementsIn(list).filter((element) => element.getAttribute('role') === 'tab')
  const inOrder = panelsNear(list, panelsOf)
  const panels = tabs.map((tab, index) => {
    const named = byId.get((tab.getAttribute('aria-controls') ?? '').trim())
    return named ?? (inOrder.length === tabs.length ? inOrder[index] : undefined)
  })
  if (!panels.some((panel) => panel && holdsCode(panel))) return
  for (const [index, tab] of tabs.entries()) {
    const panel = panels[index]
    if (panel && !panel.contains(tab)) open(tab, panel)
  }
  if (oneLine(list.textContent) === '') list.remove()
}

function holdsCode(panel: Element): boolean {
  return elementsIn(panel).some(({ localName }) => localName === 'pre' || localName === 'code')
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

function open(tab: Element, panel: Element): void {
  const label = oneLine(tab.textContent) || (tab.getAttribute('aria-label') ?? '')
  for (const name of ['hidden', 'aria-hidden']) panel.removeAttribute(name)
  const style = panel.getAttribute('style')
  if (style) panel.setAttribute('style', style.replace(/display\s*:\s*none/i, ''))
  tab.remove()
  if (label === '' || !panel.firstChild || oneLine(panel.firstElementChild?.textContent ?? '') === label) return
  const title = createElement('p')
  const strong = createElement('strong')
  strong.textContent = label
  title.append(strong)
  panel.prepend(title)
}
