/// <reference lib="dom" />

/** Why an element cannot be acted on now. `by` says what covers it. */
export type Hindrance = { why: 'gone' | 'hidden' | 'disabled' | 'moving' | 'covered' | 'read-only'; by?: string }
export type Spot = { x: number; y: number }

/** A meaningful part of a page, as a screen reader would tell it. What is left out is not so. */
export type PageNode = {
  /** An ARIA role, or `text`, `h1` to `h6`, `code`, `cell row`, `clickable`. */
  role: string
  name?: string
  ref?: number
  states?: string[]
  value?: string
  /** Without the origin where that is the page's. */
  url?: string
  note?: string
  /** Not in view: above, below, or beside it. */
  where?: 'above' | 'below' | 'beside'
  /** Of a text: what stands in it. */
  parts?: (string | PageNode)[]
  /** Of a row: what stands in its cells. */
  cells?: PageNode[][]
  children?: PageNode[]
  /** How many rows or items there are, whatever was collected of them. */
  total?: number
  isModal?: boolean
}
/** What a walk comes across: texts, nodes, and null where a block begins or ends. */
export type Item = string | PageNode | null
export type Wish = { role: string; name: string; nth: number; fields: 'only' | 'any' }
export type Row = Record<string, string>
export type Clip = { top: number; bottom: number; left: number; right: number; forced?: PageNode['where'] }

/** How much a walk may still collect. */
export type Quota = { inView: number; above: number; below: number; beside: number; left: number; depth?: number }

/**
 * What the functions that read a page hand to each other, because there they see nothing but their arguments. They are
 * made once a document, in our own world, and live as long as it does.
 */
export type PageTools = {
  /** Differs from document to document. */
  documentId: string
  next: number
  numbers: WeakMap<Element, number>
  elements: Map<number, WeakRef<Element>>
  /** What is looked for, in small letters. */
  sought: string
  pressed?: { element: Element; landed: boolean }

  refOf(element: Element): number
  /** Undefined when it is no longer in the document. */
  elementOf(ref: number): Element | undefined
  /** Children as they are shown: in shadow roots, and in the slots they are put into. */
  childrenOf(node: Node): Iterable<Node>
  parentOf(node: Node): Node | null
  /** All elements, in shadow roots and frames of the same site too. */
  everyElement(root: ParentNode, selector: string, most: number): Element[]
  clean(text: string | null | undefined): string

  roleOf(element: Element): string
  isControl(role: string): boolean
  nameOf(element: Element, role: string): string
  textOf(element: Element, most: number): string
  describe(element: Element): string
  isShown(element: Element): boolean
  isDisabled(element: Element): boolean
  /** What is written in or chosen by a control, if that may be told. */
  valueOf(element: Element, role: string): string | undefined
  statesOf(element: Element, role: string): string[]
  complaintOf(element: Element): string | undefined
  noteOf(element: Element): string | undefined

  /** The walk: what is shown, in the order of the tree, into `out`. */
  walk(element: Element, out: Item[], clip: Clip, quota: Quota): void
  enter(element: Element, style: CSSStyleDeclaration, out: Item[], clip: Clip, quota: Quota): void
  walkChildren(element: Element, out: Item[], clip: Clip, quota: Quota, text: 'shown' | 'hidden'): void
  /** Texts and what stands in them become lines. */
  grouped(items: readonly Item[]): PageNode[]
  controlNode(element: Element, role: string): PageNode
  leafNode(element: Element, role: string): Item[]
  containerNode(element: Element, role: string, clip: Clip, quota: Quota): Item[]
  tableNode(table: Element, clip: Clip, quota: Quota): PageNode
  isDataTable(table: Element): boolean
  rowsOf(table: Element): Element[]
  cellsOf(row: Element): Element[]
  shortUrl(href: string): string
  /** Around what is looked for, or from the beginning. */
  cutText(text: string): string
  frameNode(element: HTMLIFrameElement, clip: Clip, quota: Quota): Item[]
  roleIn(element: Element, style: CSSStyleDeclaration): string
  isHeadCell(cell: Element): boolean
  recordsOf(table: Element, most: number): Row[]
  /** Relative where the origin is that of the page. */
  placeOf(link: HTMLAnchorElement): string
  /** Blocks that say all words, and what of them to look at. */
  placesOf(sought: string): { blocks: Element[]; mark: string }
  attributesOf(element: Element): string
  blockOf(element: Element): Element
  saysOf(element: Element): string
  /** The next two elements under a heading; of anything else none. */
  under(element: Element): Element[]
  /** What an element that a description may mean stands for, and how well it fits. */
  rank(element: Element, wish: Wish): { element: Element; score: number }[]
  /** Innermost first. */
  framesAround(inner: Element): Element[]
  /** From the coordinates in a frame to those around it, or back. */
  shifted(at: Spot, frame: Element, way: 1 | -1): Spot
  deepestAt(root: DocumentOrShadowRoot, at: Spot, host: Element | null): Element | null
}
