/** A meaningful part of a page, as a screen reader would announce it. Absent fields do not apply. */
export type PageNode = {
  /** An ARIA role, or `text`, `h1` to `h6`, `code`, `row`, `clickable`. */
  role: string
  name?: string
  ref?: number
  states?: string[]
  value?: string
  /** URL without the origin if it is that of the page. */
  url?: string
  note?: string
  place?: string
  where?: 'above' | 'below' | 'beside'
  parts?: (string | PageNode)[]
  cells?: PageNode[][]
  children?: PageNode[]
  /** Total number of rows or items, regardless of how many were collected. */
  total?: number
  isModal?: boolean
  /** A frame of another origin, whose content is in another document's outline. */
  isForeign?: boolean
}

const controlRoles =
  /\b(?:button|link|textbox|searchbox|combobox|listbox|checkbox|radio|switch|slider|spinbutton|option|tab|menuitem\w*|treeitem|file|date|color|clickable|editor|disclosure)$/

/** True for the role of a control, including one after that of a heading: `h2 link`. */
export const isControl = (role: string): boolean => controlRoles.test(role)

export type Outline = {
  documentId: string
  url: string
  title: string
  /** Media type of a document that is not HTML, such as a picture. */
  file?: string
  nodes: PageNode[]
  /** True if an open dialog blocks the page behind it. */
  modal: boolean
  screens: { above: number; below: number }
  headings: { above: string[]; below: string[] }
  moved: string[]
  controls: number
  /** True if elements were omitted, because there were too many. */
  isCut: boolean
  /** Number of matches of a search, and the kind of match. */
  found?: number
  foundAs?: FoundAs
}

/** Kinds of text matches, strictest first: literal, in longer words, all words apart, or most of them. */
export const matchKinds = ['whole', 'within words', 'words apart', 'some words'] as const
export type FoundAs = (typeof matchKinds)[number]
