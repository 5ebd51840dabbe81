const special = /[\\*`[\]]|(?<![\p{L}\p{N}_])_|_(?![\p{L}\p{N}_])/gu
const mayBeSpecial = /[\\*`[\]_]/

/** Escapes what would be markup inside a line. An underscore between letters is none (CommonMark §6.2). */
export function escapeInline(text: string): string {
  return mayBeSpecial.test(text) ? text.replace(special, '\\$&') : text
}

const lineStart = /^(?:(#{1,6}(?=\s|$)|[-+](?=\s|$)|>|=+$|~~~|-{3,}$)|(\d{1,9})([.)])(?=\s|$))/gm
const mayStartBlock = /^[#+>=~\d-]/m

/** Escapes what would begin a heading, list, quote or rule at the start of a line of a paragraph. */
export function escapeLineStarts(paragraph: string): string {
  if (!mayStartBlock.test(paragraph)) return paragraph
  return paragraph.replace(lineStart, (whole, mark?: string, number?: string, point?: string) =>
    mark === undefined ? `${number}\\${point}` : `\\${whole}`,
  )
}

/** A destination in which no character can end it early. */
export function linkDestination(address: string): string {
  return address.replace(/[\s<>]/g, encodeURIComponent).replace(/[()]/g, '\\$&')
}

export function linkTitle(title: string | null): string {
  const line = title?.replace(/\s+/g, ' ').trim()
  return line ? ` "${line.replace(/["\\]/g, '\\$&')}"` : ''
}

/** Code in backticks that are longer than any run of them inside. */
export function codeSpan(text: string): string {
  const line = text.replace(/\s*[\r\n]\s*/g, ' ')
  if (line === '') return ''
  const fence = '`'.repeat(longestRun(line, /`+/g) + 1)
  const space = /^`|`$|^ .*[^ ].* $/.test(line) ? ' ' : ''
  return `${fence}${space}${line}${space}${fence}`
}

export function fencedCode(code: string, language: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(code, /^ *`{3,}/gm) + 1))
  return `${fence}${language}\n${code.replace(/\n$/, '')}\n${fence}`
}

function longestRun(text: string, runs: RegExp): number {
  return (text.match(runs) ?? []).reduce((longest, run) => Math.max(longest, run.trimStart().length), 0)
}
