/**
 * The words that a reader of rendered markdown sees: links keep their text, pictures and marks are removed. Works for
 * the markdown dialect of every contestant.
 */
export function plainText(markdown: string): string {
  const text = withoutTargets(markdown.replace(/^---\n[\s\S]*?\n---\n/, ''))
  return withoutMarks(text).replace(/&(?:amp|lt|gt|quot|nbsp|#39);/g, (entity) => entities[entity] ?? entity)
}

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&nbsp;': ' ',
  '&#39;': "'",
}

function withoutMarks(text: string): string {
  return text
    .replace(/<\/?[a-z][a-z0-9-]*(?:\s[^<>\n]*)?\/?>/gi, ' ')
    .replace(/<(https?:[^>\s]+)>/g, '$1')
    .replace(/^[^\S\n]*(?:```|~~~)[^\n]*$/gm, '')
    .replace(/^[^\S\n]*\|?(?:[^\S\n]*:?-{2,}:?[^\S\n]*\|)+[ :|-]*$/gm, '')
    .replace(/^\s{0,3}#{1,6}\s+/gm, '')
    .replace(/^[^\S\n]*>+\s?/gm, '')
    .replace(/^([^\S\n]*)[-*+]\s+(?:\[[ x]\]\s+)?/gm, '$1')
    .replace(/^([^\S\n]*)\d+[.)]\s+/gm, '$1')
    .replace(/^[^\S\n]*(?:[-*_][^\S\n]*){3,}$/gm, '')
    .replace(/\*\*|__|~~|==|[|`]/g, (mark) => (mark === '|' ? ' ' : ''))
    .replace(/(^|[\s\p{P}])[*_](?=\S)/gu, '$1')
    .replace(/(?<=\S)[*_](?=[\s\p{P}]|$)/gu, '')
}

/** Removes pictures and link addresses and resolves escapes, in one pass from left to right. */
function withoutTargets(text: string): string {
  let plain = ''
  let at = 0
  while (at < text.length) {
    const isPicture = text.startsWith('![', at)
    const label = isPicture || text[at] === '[' ? bracketed(text, at + (isPicture ? 1 : 0)) : undefined
    const end = label && targetEnd(text, label.end)
    if (text[at] === '\\' && /[!-/:-@[-`{-~\n]/.test(text[at + 1] ?? '')) {
      plain += asEntity(text.charAt(at + 1))
      at += 2
    } else if (label && end !== undefined) {
      plain += isPicture ? ' ' : withoutTargets(label.inner)
      at = end
    } else if (label && label.inner.startsWith('^')) {
      plain += ' '
      at = label.end
    } else plain += text[at++]
  }
  return plain
}

/** Escaped characters are text, so the rules that remove elements must not see them. */
function asEntity(character: string): string {
  if (character === '<') return '&lt;'
  return character === '&' ? '&amp;' : character
}

/** Longer link labels and targets are treated as text. */
const maxLabel = 20_000
const maxTarget = 400_000

/** The text between the bracket at `start` and its closing bracket; `end` is the position after that. */
function bracketed(text: string, start: number): { inner: string; end: number } | undefined {
  let depth = 0
  for (let at = start; at < text.length && at < start + maxLabel; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '[') depth++
    else if (text[at] === ']' && --depth === 0) return { inner: text.slice(start + 1, at), end: at + 1 }
  }
  return undefined
}

/**
 * The position after the link target that starts at `start`, with nested parentheses, titles or `<…>`; undefined
 * without one.
 */
function targetEnd(text: string, start: number): number | undefined {
  if (text[start] !== '(') return undefined
  const pattern = /\\[\s\S]|"(?:[^"\\\n]|\\.|\n(?!\n)){0,2000}"|<[^<>\n]*>|[()]|\n\n/g
  pattern.lastIndex = start
  let depth = 0
  for (let found = pattern.exec(text); found; found = pattern.exec(text)) {
    const [token] = found
    if (token === '\n\n' || found.index > start + maxTarget) return undefined
    if (token === '(') depth++
    if (token === ')' && --depth === 0) return pattern.lastIndex
  }
  return undefined
}
