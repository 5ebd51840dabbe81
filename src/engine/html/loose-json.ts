/**
 * JSON as pages write it: wrapped in comments or CDATA, with entities for quotes, comments, trailing commas, line breaks in
 * strings, or several values one after the other, which become a list. Undefined where that does not help either.
 */
export function looseJson(text: string): unknown {
  const bare = unwrapped(text)
  return (
    parsed(bare) ??
    parsed(mended(bare)) ??
    (bare.includes('&') ? parsed(mended(withoutEntities(bare))) : undefined) ??
    parsed(`[${mended(bare.replace(/\}\s*(?=\{)/g, '},'))}]`)
  )
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

const opening = /^(?:\uFEFF|\s|<!--|\/\/\s*<!\[CDATA\[|\/\*\s*<!\[CDATA\[\s*\*\/|<!\[CDATA\[)+/
/** One pattern a step and none that repeats: a long run of blanks must not be tried from each of its places. */
const endings = [';', '-->', ']]>', '//', '/*', '*/']

function unwrapped(text: string): string {
  let bare = text.replace(opening, '').trimEnd()
  for (;;) {
    const ending = endings.find((each) => bare.endsWith(each))
    if (!ending) return bare
    bare = bare.slice(0, -ending.length).trimEnd()
  }
}

const entities: Readonly<Record<string, string>> = { quot: '"', '#34': '"', '#x22': '"', '#39': "'", amp: '&' }

const withoutEntities = (text: string) =>
  text.replace(/&(quot|#34|#x22|#39|amp);/gi, (_, name: string) => entities[name.toLowerCase()] ?? '')

const quoted = /"[^"\\]*(?:\\[\s\S][^"\\]*)*"?/y
const plain = /[^"/,]+/y

function mended(text: string): string {
  const pieces: string[] = []
  for (let at = 0; at < text.length;) {
    const { piece, length } = pieceAt(text, at)
    pieces.push(piece)
    at += length
  }
  return pieces.join('')
}

function pieceAt(text: string, at: number): { piece: string; length: number } {
  const string = matchAt(quoted, text, at)
  if (string) return { piece: mendedString(string), length: string.length }
  const run = matchAt(plain, text, at)
  if (run) return { piece: run, length: run.length }
  if (text.startsWith('//', at)) return { piece: '', length: lengthTo(text, '\n', at) }
  if (text.startsWith('/*', at)) return { piece: '', length: lengthTo(text, '*/', at) }
  const isTrailing = text[at] === ',' && /^\s*[\]}]/.test(text.slice(at + 1, at + 200))
  return { piece: isTrailing ? '' : (text[at] ?? ''), length: 1 }
}

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0]
}

function lengthTo(text: string, end: string, at: number): number {
  const found = text.indexOf(end, at + 2)
  return (found < 0 ? text.length : found + end.length) - at
}

const named: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** JSON allows no bare control characters in a string and few escapes (RFC 8259, 7). */
const mendedString = (string: string) =>
  string
    .replace(/\\(u(?![\da-f]{4})|[^"\\/bfnrtu])/gi, '$1')
    // oxlint-disable-next-line no-control-regex -- these are what is looked for
    .replace(/[\0-\x1F]/g, (control) => named[control] ?? ' ')
