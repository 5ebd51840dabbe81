import { classOf, closest, type Element, elementsIn, isElement, rename, unwrap } from '../dom/dom-tree.ts'

/** Replaces components and elements with ARIA roles by standard elements, because other steps know only those. */
export function useStandardElements(standIns: readonly Element[], body: Element): void {
  for (const element of standIns.filter((each) => body.contains(each))) {
    const { localName } = element
    if (localName === 'template') openShadowRoot(element)
    else if (localName.startsWith('amp-') || localName.startsWith('lite-')) replaceComponent(element)
    else if (localName !== 'table' && isTable(element)) useTable(element)
    else if (roleOf(element) === 'heading') useHeading(element)
  }
}

const isShadowRoot = (element: Element) =>
  element.localName === 'template' && (element.hasAttribute('shadowrootmode') || element.hasAttribute('shadowroot'))

/** Puts the content of a declarative shadow root into its host, and the former children of the host into its slots. */
function openShadowRoot(template: Element): void {
  const host = template.parentNode
  if (!host || !isShadowRoot(template)) return
  const slotted = Map.groupBy(
    host.childNodes.filter((node) => node !== template),
    (node) => (isElement(node) && node.getAttribute('slot')) || '',
  )
  for (const nodes of slotted.values()) for (const node of nodes) node.remove()
  const shadow = elementsIn(template).filter((inner) => closest(inner, isShadowRoot) === template)
  for (const style of shadow) if (style.localName === 'style') style.remove()
  unwrap(template)
  for (const slot of shadow) {
    if (slot.localName !== 'slot') continue
    const name = slot.getAttribute('name') ?? ''
    const nodes = slotted.get(name) ?? []
    slotted.delete(name)
    // A slot without nodes shows its own content.
    if (nodes.some((node) => isElement(node) || node.textContent.trim() !== '')) slot.replaceWith(...nodes)
    else unwrap(slot)
  }
}

const standardNames: Readonly<Record<string, string>> = {
  'amp-img': 'img',
  'amp-anim': 'img',
  'amp-video': 'video',
  'amp-audio': 'audio',
  'amp-iframe': 'iframe',
}
const films: Readonly<Record<string, string>> = {
  youtube: 'https://www.youtube.com/watch?v=',
  vimeo: 'https://vimeo.com/',
  dailymotion: 'https://www.dailymotion.com/video/',
}

/** Replaces a component of AMP, or a player that loads on click. */
function replaceComponent(element: Element): void {
  const name = standardNames[element.localName]
  const film = films[element.localName.replace(/^(?:amp|lite)-/, '')]
  const id = element.getAttribute('data-videoid') ?? element.getAttribute('videoid')
  if (film && id) {
    const title = element.getAttribute('title') ?? element.getAttribute('playlabel') ?? ''
    rename(element, 'iframe', ['src', film + encodeURIComponent(id), 'title', title])
  } else if (name) {
    // The children of a picture are a fallback for browsers without AMP.
    if (name === 'img') element.textContent = ''
    if (!element.hasAttribute('autoplay')) element.setAttribute('controls', '')
    rename(element, name, element.pairs)
  }
}

const isTable = (element: Element) => /^(?:table|grid|treegrid)$/.test(roleOf(element))
const roleOf = (element: Element) => element.getAttribute('role') ?? ''

const heading = /^h[1-6]$/

/** Replaces a box with the role `heading` by a heading; the default level is 2 (WAI-ARIA 1.2). */
function useHeading(box: Element): void {
  if ([box, ...elementsIn(box)].some(({ localName }) => heading.test(localName))) return
  const level = Math.min(Math.max(Number.parseInt(box.getAttribute('aria-level') ?? '', 10) || 2, 1), 6)
  rename(box, `h${level}`, box.pairs)
}

const rowNames = { row: 'tr' }
const cellNames = { cell: 'td', gridcell: 'td', columnheader: 'th', rowheader: 'th' }

/** Replaces boxes with the roles of a table (WAI-ARIA 1.2) by a table, without other boxes around its rows and cells. */
function useTable(box: Element): void {
  const table = rename(box, 'table', ['class', classOf(box)])
  for (const row of adopt(table, rowNames)) adopt(row, cellNames)
}

function adopt(box: Element, names: Readonly<Record<string, string>>): Element[] {
  const parts = new Set(elementsIn(box).filter((part) => Object.hasOwn(names, roleOf(part))))
  return [...parts].flatMap((part) => {
    const owner = closest(part.parentNode ?? part, (up) => up === box || parts.has(up) || isTable(up))
    if (owner !== box) return []
    while (part.parentNode && part.parentNode !== box) unwrap(part.parentNode)
    return rename(part, names[roleOf(part)] ?? '', part.pairs)
  })
}
