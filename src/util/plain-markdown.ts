/** Lines that hold no words: fences, rules, rows that part the head of a table from the rest. */
export const isMarkOnly = (line: string): boolean => !/[\p{L}\p{N}]/u.test(line) || /^\s*(?:```|~~~)/.test(line)

/**
 * Images and links, with the address as the second group. What begins like one but is none matches as well, without the group:
 * nothing within it is one either, so each part of a line is searched once.
 */
const image = /!\[([^\]]*)(?:\](\((?:<[^<>]*>|[^()\s]*(?:\([^()\s]*\)[^()\s]*)*)[^)]*\))?)?/g
const link = /\[([^\]]*)(?:\](\((?:<[^<>]*>|[^()\s]*(?:\([^()\s]*\)[^()\s]*)*)[^)]*\))?)?/g

/** The words of images or links instead of them. Behind the last bracket there is none, and nothing is searched for an end in vain. */
function withWordsOf(pattern: RegExp, line: string): string {
  const end = line.lastIndexOf(')') + 1
  const words = line
    .slice(0, end)
    .replace(pattern, (all, text: string, address?: string) => (address === undefined ? all : text))
  return words + line.slice(end)
}

/** A line of markdown as people read it: no marks, no addresses, no frames of tables. Lines may be as long as pages make them. */
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

/** A point in `3.5`, `e.g.` or `J. Smith` ends no sentence. */
const sentenceEnd =
  /(?<=[.!?…]["'”’)\]]{0,9})(?<!\b(?:[A-Z]|e\.g|i\.e|etc|vs|Mr|Mrs|Dr|St|No|Fig|approx)\.)\s+|(?<=[。！？][」』”）]{0,9})/u

export const sentencesOf = (text: string): string[] => text.split(sentenceEnd).filter((part) => part.trim() !== '')
