import { compileFunction } from 'node:vm'

/** Maximum number of attempts, regardless of the number of lines. */
const maxAttempts = 60

/**
 * Makes code return its last statement if that is an expression, as a console does. It may start
 * wherever another statement ends outside brackets and quotes: each such place is tried and the parser decides, so a
 * wrong guess loses the value but never changes what the code does. Line numbers stay unchanged.
 */
export function returningLast(code: string): string {
  const { starts, end } = boundaries(code)
  let best: number | undefined
  for (const start of starts.reverse().slice(0, maxAttempts)) {
    const fits = isExpression(code.slice(start, end)) && compiles(code.slice(0, start))
    // `a` followed by `+ b` on the next line is one expression, so the longest match is used.
    if (fits) best = start
    else if (best !== undefined) break
  }
  if (best === undefined) return code
  return `${code.slice(0, best)};return (${code.slice(best, end)}\n)${code.slice(end).replace(/^\s*;/, '')}`
}

function compiles(body: string): boolean {
  try {
    compileFunction(`async () => {${body}\n}`)
    return true
  } catch {
    return false
  }
}

/** Tries two kinds of brackets, so `1); f(` does not count as an expression. */
function isExpression(text: string): boolean {
  if (text.trim() === '' || /^\s*(?:\{|function\b|class\b|async\s+function\b)/.test(text)) return false
  return compiles(`return (${text}\n)`) && compiles(`return [${text}\n]`)
}

/** Text that can precede a regular expression. */
const beforeRegular =
  /(?:^|[=(,:;!&|?{}[\n+\-*%<>~^]|\b(?:return|typeof|case|in|of|await|yield|void|delete|throw|new))\s*$/
const token =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:\\[\s\S]|[^"\\\n])*"|'(?:\\[\s\S]|[^'\\\n])*'|`(?:\\[\s\S]|[^`\\])*`|\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/[a-z]*|[()[\]{};\n]|[^\s()[\]{};"'`/]+|\/|\s/g

/** Returns where statements may start outside all brackets, and where the last one ends, before its semicolon. */
function boundaries(code: string): { starts: number[]; end: number } {
  const starts = [0]
  let depth = 0
  let end = 0
  token.lastIndex = 0
  for (let match = token.exec(code); match; match = token.exec(code)) {
    const [text] = match
    const { index } = match
    if (/^\/[^/*]/.test(text) && text.length > 1 && !beforeRegular.test(code.slice(Math.max(0, index - 20), index))) {
      token.lastIndex = index + 1
      end = index + 1
      continue
    }
    if ('([{'.includes(text)) depth++
    else if (')]}'.includes(text)) depth--
    if (depth === 0 && /^[;\n}]$/.test(text)) starts.push(index + 1)
    if (!/^(?:\s|;|\/\/|\/\*)/.test(text)) end = index + text.length
  }
  return { starts: starts.filter((start) => start < end), end }
}
