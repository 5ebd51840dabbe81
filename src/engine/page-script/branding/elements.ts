export type WalkLimits = {
  elements: number
  samples: number
  /** Time limit of the walk in ms; at least `always` elements are visited. */
  ms: number
  always: number
}
export type RawElement = {
  tag: string
  kind: string
  /** Index of the nearest sampled ancestor; -1 for the root. */
  parent: number
  /** Index into `styles`. */
  style: number
  box: readonly [number, number, number, number]
  /** Number of characters of its own text, without that of its children. */
  glyphs: number
  label: string
  hint: string
}
export type RawElements = {
  /** Values of the requested properties, one per line. */
  styles: string[]
  elements: RawElement[]
}

/** Samples visible elements in document order. Stops at the first limit, so a long page is sampled at its top. */
export function sampleElements(properties: readonly string[], limits: WalkLimits): RawElements {
  const styles = new Map<string, number>()
  const elements: RawElement[] = []
  const root = read(Document.prototype, 'documentElement', document) as Element
  const steps: { element: Element; parent: number }[] = [{ element: root, parent: -1 }]
  // Pending layout does not count towards the time of the walk.
  root.getBoundingClientRect()
  const until = performance.now() + limits.ms
  for (let seen = 0; seen < limits.elements && elements.length < limits.samples; seen++) {
    const step = steps.pop()
    if (!step || (seen > limits.always && performance.now() > until)) break
    if (step.parent >= 0) follow(read(Element.prototype, 'nextElementSibling', step.element), step.parent)
    try {
      visit(step.element, step.parent)
    } catch {} // Fields of a form can shadow its properties, such as `getAttribute`; that form is skipped.
  }
  return { styles: Array.from(styles.keys()), elements }

  function follow(element: Element | null, parent: number): void {
    if (element) steps.push({ element, parent })
  }

  function visit(element: Element, parent: number): void {
    const style = getComputedStyle(element)
    if (style.display === 'none' || style.opacity === '0') return
    const { left, top, width, height } = element.getBoundingClientRect()
    const isSeen = width > 1 && height > 1 && left + width > 0 && top + scrollY + height > 0
    const isSampled = parent < 0 || (isSeen && style.visibility === 'visible')
    const box = [left + scrollX, top + scrollY, width, height] as const
    if (isSampled) elements.push({ ...about(element), parent, box, style: styleOf(style) })
    const within = isSampled ? elements.length - 1 : parent
    if (element.localName === 'svg') return
    const shadow = read(Element.prototype, 'shadowRoot', element)
    follow(shadow ? shadow.firstElementChild : read(Element.prototype, 'firstElementChild', element), within)
  }

  function styleOf(style: CSSStyleDeclaration): number {
    const values = properties.map((property) => style.getPropertyValue(property).slice(0, 400)).join('\n')
    const at = styles.get(values) ?? styles.size
    styles.set(values, at)
    return at
  }
}

const glyphsIn = (node: Node) => (node instanceof Text ? node.data.slice(0, 2000).trim().length : 0)

function about(element: Element): Pick<RawElement, 'tag' | 'kind' | 'glyphs' | 'label' | 'hint'> {
  const attribute = (name: string) => (element.getAttribute(name) ?? '').slice(0, 80).trim()
  const nodes = Array.from(element.childNodes).slice(0, 20)
  const glyphs = nodes.reduce((sum, node) => sum + glyphsIn(node), 0)
  const isPressed = element.matches('a,button,summary,[role=button]')
  const words = isPressed ? (element.textContent ?? '').slice(0, 400) : attribute('value')
  const label = words.replace(/\s+/g, ' ').trim().slice(0, 60)
  const kind = attribute('role') || attribute('type')
  return { tag: element.localName, kind, glyphs, label, hint: `${attribute('class')} ${attribute('id')}`.trim() }
}

/** Reads a property from the prototype, because named fields and images shadow properties. */
function read(of: object, name: string, from: Node): Element | null {
  return Reflect.get(of, name, from) as Element | null
}
