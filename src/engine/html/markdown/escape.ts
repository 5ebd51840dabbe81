/** Stands before a character whose meaning only the whole block decides; it is no character (Unicode 17 §23.7), so no page needs it. */
const sentinel = '\uFFFE'
/** Addresses stay as they are: an escape inside one would be part of it. */
const candidates =
  /https?:\/\/[^\s<>[\]*`\\]*|[\\*`[\]~_]|<(?=\/?[a-z][^<>]*>|!--|[?/]|![a-z])|&(?=#\w{1,8};|[a-z]\w{1,30};)|!$/gi
const mayBeCandidate = /[\\*`[\]_~<&\uFFFE]|!$/

/** Marks what could be markup in the text of a page, for `resolveEscapes` to decide when the block is whole. */
export function markCandidates(text: string, kind: 'text' | 'linked'): string {
  if (!mayBeCandidate.test(text)) return text
  const plain = text.replaceAll(sentinel, '')
  return plain.replace(candidates, (found) => {
    if (found.length > 1) return found
    // In the text of a link every bracket counts.
    return (kind === 'linked' && /[[\]]/.test(found)) || found === '<' || found === '&'
      ? `\\${found}`
      : sentinel + found
  })
}

const runOfCandidates = /\uFFFE([\s\S])(?:\uFFFE\1)*/g

/**
 * Escapes the candidates that would be markup (CommonMark 0.31 §2.4, §6), and leaves the others: `snake_case`, `3*4`,
 * `[x]` and `C:\dir` mean themselves. `markedWith` answers the first characters of the markup that the block holds already.
 */
export function resolveEscapes(block: string, markedWith: () => ReadonlySet<string>): string {
  if (!block.includes(sentinel)) return block
  const marked = markedWith()
  const pairs = new Set([...'*_~`'].filter((sign) => marked.has(sign) || mayPair(block, sign)))
  return block.replace(runOfCandidates, (run, sign: string, at: number) => {
    const { opens, closes } = pairs.has(sign) ? flanks(block, at, run, sign) : { opens: false, closes: false }
    const escaped = opens || closes || isMarkup(sign, run, block.charAt(at + run.length))
    return run.replaceAll(sentinel, escaped ? '\\' : '')
  })
}

function isMarkup(sign: string, run: string, next: string): boolean {
  if (sign === '\\') return run.length > 2 || next === '' || /[\n!-/:-@[-`{-~\uFFFE]/.test(next)
  if (sign === '!') return next === '['
  if (sign === '[') return next === '^'
  return sign === ']' && next === '('
}

/** True where one run of the sign can open and a later one can close. */
function mayPair(block: string, sign: string): boolean {
  let isOpen = false
  for (const { 0: run, index } of block.matchAll(new RegExp(`(?:${sentinel}\\${sign})+`, 'g'))) {
    const { opens, closes } = flanks(block, index, run, sign)
    if (isOpen && closes) return true
    isOpen ||= opens
  }
  return false
}

/** Whether a run can open and close a mark (CommonMark §6.1, §6.2). */
function flanks(block: string, at: number, run: string, sign: string): { opens: boolean; closes: boolean } {
  if (sign === '`') return { opens: true, closes: true }
  const end = at + run.length
  const before = block.charAt(at - 1) || ' '
  const after = block.charAt(block[end] === sentinel ? end + 1 : end) || ' '
  const left = touches(after, before)
  const right = touches(before, after)
  if (sign !== '_') return { opens: left, closes: right }
  return { opens: left && (!right || isPunctuation(before)), closes: right && (!left || isPunctuation(after)) }
}

/** A run belongs to a neighbour that is no white space, and to punctuation only where nothing else is beside it. */
function touches(neighbour: string, other: string): boolean {
  if (/\s/.test(neighbour)) return false
  return !isPunctuation(neighbour) || /\s/.test(other) || isPunctuation(other)
}

const isPunctuation = (character: string) => /[\p{P}\p{S}]/u.test(character)

/** Escapes what would be markup wherever it stands, for text whose block is not known. */
export function escapeInline(text: string): string {
  return resolveEscapes(markCandidates(text, 'linked'), () => new Set('*_~`'))
}

const lineStart =
  /^(?:(#{1,6}(?=\s|$)|[-+*](?=\s|$)|[>|]|=+ *$|~~~|`{3,}(?=[^`\n]*$)|(?:[-_*] *){2,}$|:(?=\s)|<(?=[/!?a-z])|\[(?!\^)(?=[^\]\n]*\]:)|[|: ]*-[-|: ]*$)|(\d{1,9})([.)])(?=\s|$))/gim
const mayStartBlock = /^[#+>=~`\d\-*_|:<[]/

/** Escapes what would begin a heading, list, quote, rule, table or HTML block at the start of a line of a paragraph. */
export function escapeLineStarts(paragraph: string): string {
  // Nearly all paragraphs are one line, of which only the start is looked at.
  if (!mayStartBlock.test(paragraph) && !paragraph.includes('\n')) return paragraph
  return paragraph.replace(lineStart, (whole, mark?: string, number?: string, point?: string) =>
    mark === undefined ? `${number}\\${point}` : `\\${whole}`,
  )
}

/** A destination in which no character can end it early. */
export function linkDestination(address: string): string {
  if (!/[\s<>()]/.test(address)) return address
  return address.replace(/[\s<>]/g, encodeURIComponent).replace(/[()]/g, '\\$&')
}

export function linkTitle(title: string | null): string {
  const line = title?.replace(/\s+/g, ' ').trim()
  return line ? ` "${line.replace(/["\\]/g, '\\$&')}"` : ''
}

/** Code in backticks that are longer than any run of them inside. */
export function codeSpan(line: string): string {
  if (line.trim() === '') return ''
  const fence = '`'.repeat(longestRun(line, /`+/g) + 1)
  const space = /^`|`$/.test(line) ? ' ' : ''
  return `${fence}${space}${line}${space}${fence}`
}

export function fencedCode(code: string, language: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(code, /^ *`{3,}/gm) + 1))
  return `${fence}${language}\n${code.replace(/\n+$/, '')}\n${fence}`
}

function longestRun(text: string, runs: RegExp): number {
  return (text.match(runs) ?? []).reduce((longest, run) => Math.max(longest, run.trimStart().length), 0)
}
