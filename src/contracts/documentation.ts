/** A page of the documentation in markdown; `path` is relative to the folder that holds it. */
export type DocsPage = { path: string; text: string }

/** What stands under one heading, or a part of it where that is long. Lines count from 1, the last one included. */
export type DocsSection = {
  path: string
  firstLine: number
  lastLine: number
  /** The headings it stands under, outermost first. */
  headings: readonly string[]
  text: string
}

/** `coverage` is the share of the question's telling words that the section's page holds, 0 to 1. */
export type DocsHit = { section: DocsSection; coverage: number }

/** The documentation that was shipped with this program: sections that fit a question, the best first. */
export type Documentation = { find(question: string): Promise<readonly DocsHit[]> }
