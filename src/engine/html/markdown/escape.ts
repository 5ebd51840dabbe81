/**
 * Mark before a character that may or may not be markup, depending on the whole block. It is a noncharacter (Unicode 17
 * §23.7), so it never occurs in a page.
 */
const sentinel = '\uFFFE'
/** URLs match as a whole and stay unchanged: an escape inside one would become part of it. */
const candidates =
  /https?:\/\/[^\s<>[\]*`\\]*|[\\*`[\]~_]|<(?=\/?[a-z][^<>]*>|!--|[?/]|![a-z])|&(?=#\w{1,8};|[a-z]\w{1,30};)|!$/gi
const mayBeCandidate = /[\\*`[\]_~<&\uFFFE]|!$/

/** Marks characters that could be markup; `resolveEscapes` decides when the block is complete. */
export function markCandidates(text: string, kind: 'text' | 'linked'): string {
  if (!mayBeCandidate.test(text)) return text
  const plain = text.replaceAll(sentinel, '')
  return plain.replace(candidates, (sign) => {
    if (sign.length > 1) return sign
    // In link text every bracket matters.
    return (kind === 'linked' && /[[\]]/.test(sign)) || sign === '<' || sign === '&' ? `\\${sign}` : sentinel + sign
  })
}

const runOfCandidates = /\uFFFE([\s\S])(?:\uFFFE\1)*/g

/**
 * Escapes the candidates that would be markup (CommonMark 0.31 §2.4, §6) and leaves literal text such as `snake_case`,
 * `3*4`, `[x]` and `C:\dir` unchanged. `markedWith` returns the first characters of the markup already in the block.
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

/** True if one run of the sign can open emphasis and a later one can close it. */
function mayPair(block: string, sign: string): boolean {
  let isOpen = false
  for (const { 0: run, index } of block.matchAll(new RegExp(`(?:${sentinel}\\${sign})+`, 'g'))) {
    const { opens, closes } = flanks(block, index, run, sign)
    if (isOpen && closes) return true
    isOpen ||= opens
  }
  return false
}

/** Determines whether a run can open and close a mark (CommonMark §6.1, §6.2). */
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

/** True if a run flanks a neighbour: not white space, and punctuation only if the other side is not a letter. */
function touches(neighbour: string, other: string): boolean {
  if (/\s/.test(neighbour)) return false
  return !isPunctuation(neighbour) || /\s/.test(other) || isPunctuation(other)
}

const isPunctuation = (character: string) => /[\p{P}\p{S}]/u.test(character)

/** Escapes everything that could be markup, for text outside a block. */
export function escapeInline(text: string): string {
  return resolveEscapes(markCandidates(text, 'linked'), () => new Set('*_~`'))
}

const lineStart =
  /^(?:(#{1,6}(?=\s|$)|[-+*](?=\s|$)|[>|]|=+ *$|~~~|`{3,}(?=[^`\n]*$)|(?:[-_*] *){2,}$|:(?=\s)|<(?=[/!?a-z])|\[(?!\^)(?=[^\]\n]{0,999}\]:)|[|: ]*-[-|: ]*$)|(\d{1,9})([.)])(?=\s|$))/gim
const mayStartBlock = /^[#+>=~`\d\-*_|:<[]/

/** Escapes what would start a heading, list, quote, rule, table or HTML block at the start of a paragraph's line. */
export function escapeLineStarts(paragraph: string): string {
  // Fast path: nearly all paragraphs are one line.
  if (!mayStartBlock.test(paragraph) && !paragraph.includes('\n')) return paragraph
  return paragraph.replace(lineStart, (whole, mark?: string, number?: string, point?: string) =>
    mark === undefined ? `${number}\\${point}` : `\\${whole}`,
  )
}

/** Returns a link destination with the characters escaped that would end it early. */
export function linkDestination(address: string): string {
  if (!/[\s<>()]/.test(address)) return address
  return address.replace(/[\s<>]/g, encodeURIComponent).replace(/[()]/g, '\\$&')
}

export function linkTitle(title: string | null): string {
  const line = title?.replace(/\s+/g, ' ').trim()
  return line ? ` "${line.replace(/["\\]/g, '\\$&')}"` : ''
}

/** Wraps code in more backticks than any run of them inside. */
export function codeSpan(line: string): string {
  if (line.trim() === '') return ''
  const fence = '`'.repeat(longestRun(line, /`+/g) + 1)
  const space = /^`|`$/.test(line) ? ' ' : ''
  return `${fence}${space}${line}${space}${fence}`
}

export function fencedCode(code: string, language: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(code, /^ *`{3,}/gm) + 1))
  return `${fence}${language}\n${code.replace(/(?<!\n)\n+$/, '')}\n${fence}`
}

function longestRun(text: string, runs: RegExp): number {
  return (text.match(runs) ?? []).reduce((longest, run) => Math.max(longest, run.trimStart().length), 0)
}
