import { isMarkOnly, plainLine, sentencesOf } from '../../util/plain-markdown.ts'

/** A stretch of a page that reads as one: a heading, a line of text, an item of a list, a row of a table, a line of code. */
export type Block = {
  /** As people read it, without marks. */
  text: string
  /** As it stands in the markdown. */
  source: string
  /** Level of a heading, from 1; 0 for everything else. */
  level: number
}

/** What lies behind this of a page is not looked at, so that no page takes long. */
export const maxCharacters = 400_000
export const maxLine = 4000

/** The blocks of a page, in reading order. */
export function blocksOf(markdown: string): Block[] {
  const blocks: Block[] = []
  let isCode = false
  for (const line of markdown.slice(0, maxCharacters).split('\n')) {
    if (/^\s*(?:```|~~~)/.test(line)) isCode = !isCode
    if (isMarkOnly(line)) continue
    const source = line.slice(0, maxLine)
    const text = isCode ? source.trim() : plainLine(source)
    const level = isCode ? 0 : headingLevel(source)
    if (text !== '') blocks.push({ text, source: source.trim(), level })
  }
  return blocks
}

/** A heading may stand in an item of a list, or be a line that is bold as a whole. */
function headingLevel(line: string): number {
  const [, bare = ''] = /^\s*(?:(?:[-*+]|\d{1,9}[.)]|>)\s+)*(.*)$/s.exec(line) ?? []
  const marks = /^(#{1,6})\s/.exec(bare)?.[1]?.length
  return marks ?? (/^\*\*[^*]+\*\*:?$/.test(bare.trim()) ? boldLevel : 0)
}
const boldLevel = 7

const longBlock = 300

/** Long blocks as their sentences; what is short stays whole. */
export const unitsOf = (blocks: readonly Block[]): Block[] =>
  blocks.flatMap((block) => (block.text.length <= longBlock ? [block] : sentencesIn(block)))

const sentencesIn = ({ text, level }: Block): Block[] =>
  sentencesOf(text).map((sentence) => ({ text: sentence.trim(), source: sentence.trim(), level }))
