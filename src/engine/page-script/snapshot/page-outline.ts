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
  /** Position out of view: above, below, or beside it. */
  where?: 'above' | 'below' | 'beside'
  /** Words and controls of a text. */
  parts?: (string | PageNode)[]
  /** Content of a row's cells. */
  cells?: PageNode[][]
  children?: PageNode[]
  /** Total number of rows or items, regardless of how many were collected. */
  total?: number
  isModal?: boolean
  /** A frame of another origin, whose content is in another document's outline. */
  isForeign?: boolean
}

export type Outline = {
  documentId: string
  url: string
  title: string
  nodes: PageNode[]
  /** True if an open dialog blocks the page behind it. */
  modal: boolean
  /** Number of screens above and below the view. */
  screens: { above: number; below: number }
  /** First headings out of view. */
  headings: { above: string[]; below: string[] }
  /** Number of controls on the whole page. */
  controls: number
  /** True if elements were omitted, because there were too many. */
  isCut: boolean
  /** Number of matches of a search, and the kind of match. */
  found?: number
  foundAs?: FoundAs
}

/**
 * Kinds of text matches, strictest first: literal, as part of longer words, all words in any order, or most of them.
 */
export const sensesOfFound = ['whole', 'within words', 'words apart', 'some words'] as const
export type FoundAs = (typeof sensesOfFound)[number]
