/** True for a line without words: a fence, a rule, or a delimiter row of a table. */
export const isMarkOnly = (line: string): boolean => !/[\p{L}\p{N}]/u.test(line) || /^\s*(?:```|~~~)/.test(line)

/**
 * Images and links. The second group is the address. The beginning of an incomplete one matches without that group, so
 * that no part of a line is searched twice.
 */
const image = /!\[([^\]]*)(?:\](\((?:<[^<>]*>|[^()\s]*(?:\([^()\s]*\)[^()\s]*)*)[^)]*\))?)?/g
const link = /\[([^\]]*)(?:\](\((?:<[^<>]*>|[^()\s]*(?:\([^()\s]*\)[^()\s]*)*)[^)]*\))?)?/g

/** Replaces images or links by their words. Nothing after the last bracket can be one, so it is not searched. */
function withWordsOf(pattern: RegExp, line: string): string {
  const end = line.lastIndexOf(')') + 1
  const words = line
    .slice(0, end)
    .replace(pattern, (all, text: string, address?: string) => (address === undefined ? all : text))
  return words + line.slice(end)
}

/** Returns a line of markdown as plain text, without marks, addresses and table borders. */
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

/** Matches the end of a sentence, but not the period in `3.5`, `e.g.` or `J. Smith`. */
const sentenceEnd =
  /(?<=[.!?…]["'”’)\]]{0,9})(?<!\b(?:[A-Z]|e\.g|i\.e|etc|vs|Mr|Mrs|Dr|St|No|Fig|approx)\.)\s+|(?<=[。！？][」』”）]{0,9})/u

export const sentencesOf = (text: string): string[] => text.split(sentenceEnd).filter((part) => part.trim() !== '')
