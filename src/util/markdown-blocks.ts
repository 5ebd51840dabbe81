import { isMarkOnly, plainLine, sentencesOf } from './plain-markdown.ts'

/** A line of a page: a heading, a line of text or code, a list item or a table row. */
export type Block = {
  /** Plain text without markup. */
  text: string
  /** Original markdown. */
  source: string
  /** Level of a heading, 1 to 6, or 7 for a line in bold; 0 for everything else. */
  level: number
}

/** Maximum length of a page in characters. The rest is ignored, to limit the time. */
export const maxCharacters = 400_000
export const maxLine = 4000

/**
 * Returns a function that is called with each line in order, and returns true for lines of code and for fences. A fence
 * may be in a list or quotation, and ends at a fence that is at least as long.
 */
export function codeReader(): (line: string) => boolean {
  let open = ''
  return (line) => {
    const wasOpen = open !== ''
    if (!wasOpen) open = /^\s*(?:(?:[-*+>]|\d{1,9}[.)])\s*)*(~{3,}|`{3,}(?=[^`]*$))/.exec(line)?.[1] ?? ''
    else if (/^[\s>]*(~{3,}|`{3,})\s*$/.exec(line)?.[1]?.startsWith(open)) open = ''
    return wasOpen || open !== ''
  }
}

/** Returns the blocks of a page in reading order. */
export function blocksOf(markdown: string): Block[] {
  const blocks: Block[] = []
  const reader = codeReader()
  for (const line of markdown.slice(0, maxCharacters).split('\n')) {
    const isCode = reader(line)
    if (isMarkOnly(line)) continue
    const source = line.slice(0, maxLine)
    const text = isCode ? source.trim() : plainLine(source)
    const level = isCode ? 0 : headingLevel(source)
    if (text !== '') blocks.push({ text, source: source.trim(), level })
  }
  return blocks
}

/** Returns the level of a heading, which may be in a list item; `boldLevel` for a line in bold, otherwise 0. */
function headingLevel(line: string): number {
  const [, bare = ''] = /^\s*(?:(?:[-*+]|\d{1,9}[.)]|>)\s+)*(.*)$/s.exec(line) ?? []
  const marks = /^(#{1,6})\s/.exec(bare)?.[1]?.length
  return marks ?? (/^\*\*[^*]+\*\*:?$/.test(bare.trim()) ? boldLevel : 0)
}
const boldLevel = 7

const longBlock = 300

/** Splits long blocks into sentences; short ones stay whole. */
export const unitsOf = (blocks: readonly Block[]): Block[] =>
  blocks.flatMap((block) => (block.text.length <= longBlock ? [block] : sentencesIn(block)))

const sentencesIn = ({ text, level }: Block): Block[] =>
  sentencesOf(text).map((sentence) => ({ text: sentence.trim(), source: sentence.trim(), level }))
