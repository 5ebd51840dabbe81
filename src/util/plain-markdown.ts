/** Lines without words: fences, rules, and delimiter rows of tables. */
export const isMarkOnly = (line: string): boolean => !/[\p{L}\p{N}]/u.test(line) || /^\s*(?:```|~~~)/.test(line)

/**
 * Images and links, with the address as the second group. Text that only starts like one matches too, without the
 * group: it cannot contain one, so each part of a line is searched once.
 */
const image = /!\[([^\]]*)(?:\](\((?:<[^<>]*>|[^()\s]*(?:\([^()\s]*\)[^()\s]*)*)[^)]*\))?)?/g
const link = /\[([^\]]*)(?:\](\((?:<[^<>]*>|[^()\s]*(?:\([^()\s]*\)[^()\s]*)*)[^)]*\))?)?/g

/** Replaces images or links by their words. Stops at the last bracket, as searching beyond it is useless. */
function withWordsOf(pattern: RegExp, line: string): string {
  const end = line.lastIndexOf(')') + 1
  const words = line
    .slice(0, end)
    .replace(pattern, (all, text: string, address?: string) => (address === undefined ? all : text))
  return words + line.slice(end)
}

/** A line of markdown as plain text: no marks, addresses or table borders. Lines can be of any length. */
export function plainLine(line: string): string {
  const isRow = /^\s*\|.*\|\s*$/.test(line)
  const bare = line.replace(/^(?:\s*>)+\s?/, '').replace(/^\s*(?:#{1,6}|[-*+]|\d{1,9}[.)])\s+(?:\[[ xX]\]\s+)?/, '')
  return withWordsOf(link, withWordsOf(image, bare))
    .replace(/(?<!\\)(\*\*|__|~~|(?<!`)`+(?!`))(?=\S)(.{0,4000}?\S)\1/g, '$2')
    .replace(/(?<![\w\\*])([*_])(?=\S)([^*_]*?\S)\1(?![\w*])/g, '$2')
    .replace(/<(?:br|hr)\s*\/?>/gi, ' ')
    .replace(/\\([\\`*_{}[\]()#+\-.!|<>~])/g, '$1')
    .replace(isRow ? /^\s*\||\|\s*$/g : /$^/, '')
    .replace(isRow ? /(?:(?<!\s)\s+)?\|\s*/g : /$^/, ' · ')
    .replace(/\s+/g, ' ')
    .trim()
}

/** The period in `3.5`, `e.g.` or `J. Smith` does not end a sentence. */
const sentenceEnd =
  /(?<=[.!?…]["'”’)\]]{0,9})(?<!\b(?:[A-Z]|e\.g|i\.e|etc|vs|Mr|Mrs|Dr|St|No|Fig|approx)\.)\s+|(?<=[。！？][」』”）]{0,9})/u

export const sentencesOf = (text: string): string[] => text.split(sentenceEnd).filter((part) => part.trim() !== '')
