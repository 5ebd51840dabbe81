/** A meaningful part of a page, as a screen reader would announce it. What is absent does not apply. */
export type PageNode = {
  /** An ARIA role, or `text`, `h1` to `h6`, `code`, `row`, `clickable`. */
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
  /** Of a text: the words and controls in it. */
  parts?: (string | PageNode)[]
  /** Of a row: the content of its cells. */
  cells?: PageNode[][]
  children?: PageNode[]
  /** How many rows or items there are, whatever was collected of them. */
  total?: number
  isModal?: boolean
  /** A frame of another origin: what is in it, another document tells. */
  isForeign?: boolean
}

export type Outline = {
  documentId: string
  url: string
  title: string
  nodes: PageNode[]
  /** A dialog is open, and the page behind it waits. */
  modal: boolean
  /** Screens above and below the one in view. */
  screens: { above: number; below: number }
  /** The first headings out of view. */
  headings: { above: string[]; below: string[] }
  /** How many controls the whole page has. */
  controls: number
  /** Elements were left out, because there were too many. */
  isCut: boolean
  /** Of a search: how many matches there are, and in which sense. */
  found?: number
  foundAs?: FoundAs
}

/** How a text was found: as it is, as part of longer words, as its words in any order, or as most of them; the nearer sense first. */
export const sensesOfFound = ['whole', 'within words', 'words apart', 'some words'] as const
export type FoundAs = (typeof sensesOfFound)[number]
