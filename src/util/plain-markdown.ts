/** Lines that hold no words: fences, rules, rows that part the head of a table from the rest. */
export const isMarkOnly = (line: string): boolean => !/[\p{L}\p{N}]/u.test(line) || /^\s*(?:```|~~~)/.test(line)

/** A line of markdown as people read it: no marks, no addresses, no frames of tables. */
export function plainLine(line: string): string {
  const isRow = /^\s*\|.*\|\s*$/.test(line)
  return line
    .replace(/^(?:\s*>)+\s?/, '')
    .replace(/^\s*(?:#{1,6}|[-*+]|\d{1,9}[.)])\s+(?:\[[ xX]\]\s+)?/, '')
    .replace(/!\[([^\]]*)\]\((?:<[^>]*>|[^()\s]*(?:\([^()\s]*\)[^()\s]*)*)[^)]*\)/g, '$1')
    .replace(/\[([^\]]*)\]\((?:<[^>]*>|[^()\s]*(?:\([^()\s]*\)[^()\s]*)*)[^)]*\)/g, '$1')
    .replace(/(?<!\\)(\*\*|__|~~|`+)(?=\S)(.*?\S)\1/g, '$2')
    .replace(/(?<![\w\\*])([*_])(?=\S)([^*_]*?\S)\1(?![\w*])/g, '$2')
    .replace(/<(?:br|hr)\s*\/?>/gi, ' ')
    .replace(/\\([\\`*_{}[\]()#+\-.!|<>~])/g, '$1')
    .replace(isRow ? /^\s*\||\|\s*$/g : /$^/, '')
    .replace(isRow ? /\s*\|\s*/g : /$^/, ' · ')
    .replace(/\s+/g, ' ')
    .trim()
}

/** A point in `3.5`, `e.g.` or `J. Smith` ends no sentence. */
const sentenceEnd =
  /(?<=[.!?…]["'”’)\]]*)(?<!\b(?:[A-Z]|e\.g|i\.e|etc|vs|Mr|Mrs|Dr|St|No|Fig|approx)\.)\s+|(?<=[。！？][」』”）]*)/u

export const sentencesOf = (text: string): string[] => text.split(sentenceEnd).filter((part) => part.trim() !== '')
