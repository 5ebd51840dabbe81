/** Finds lines of the main content from which words were removed: the whole page has the same line with more words. */
export function holesIn(main: string, whole: string): string[] {
  const [mine, all] = [linesOf(main), linesOf(whole)]
  const [own, known] = [new Set(mine), new Set(all)]
  const left = all.filter((line) => !own.has(line))
  return mine.filter((line) => !known.has(line) && left.some((other) => isCutFrom(line, other)))
}

/** Shorter lines (in letters) may match by chance. */
const minLine = 40

/** The words of a line, without marks, pictures and addresses. */
const plain = (line: string) =>
  line
    .replace(/!\[[^\]]*\]\([^)]*\)/g, ' ')
    .replace(/\[((?:[^[\]]|\\.)*)\]\((?:[^()]|\([^)]*\))*\)/g, '$1')
    .replace(/[*_`#>|\\]/g, '')
    .replace(/^\s*(?:[-+]|\d+\.)\s+/, '')
    .replace(/\s+/g, ' ')
    .trim()

function linesOf(markdown: string): string[] {
  return markdown
    .split('\n')
    .map(plain)
    .filter(({ length }) => length >= minLine)
}

/** True if the line has the words of the other one in order, except for a few. */
function isCutFrom(line: string, other: string): boolean {
  if (other.length <= line.length || other.length > 2 * line.length + 20) return false
  if (line.slice(0, 12) !== other.slice(0, 12) && line.slice(-12) !== other.slice(-12)) return false
  const words = line.split(' ')
  const more = other.split(' ')
  let at = 0
  for (const word of more) if (word === words[at]) at++
  return at === words.length && more.length > words.length && more.length - words.length < 12
}
