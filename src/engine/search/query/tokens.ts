export type Token = { isNegated: boolean; value: string } & (
  | { kind: 'word' | 'phrase' }
  | { kind: 'operator'; name: string }
)

const operators = 'site|filetype|ext|inurl|allinurl|intitle|allintitle|related|imagesize|larger'
// A space after the colon is forgiven, unless another operator or a minus follows. Two minuses are the flag of a command.
const space = `(?:\\s+(?!-|(?:${operators}):))?`
const pattern = new RegExp(
  `\\(*(-(?!-))?\\(*(?:(${operators}):${space}(?:"([^"]*)"|([^\\s"]+))|"([^"]*)"|([^\\s"]+))`,
  'giu',
)
const bareOperator = new RegExp(`^(?:${operators}):$`, 'iu')

/** Words, phrases and operators of a query, in order. A quote that is never closed ends with the text. */
export function tokensOf(text: string): Token[] {
  const plain = closed(text.replace(/[“”„‟«»＂]/g, '"'))
  return [...plain.matchAll(pattern)].flatMap(([, minus, name, quoted, bare, phrase, word]): Token[] => {
    const isNegated = minus === '-'
    if (name !== undefined) return operator(name.toLowerCase(), quoted ?? balanced(bare ?? ''), isNegated)
    if (phrase !== undefined) return phrase.trim() === '' ? [] : [{ kind: 'phrase', value: phrase.trim(), isNegated }]
    const value = balanced(word ?? '')
    return /^[-–—()]*$/.test(value) || bareOperator.test(value) ? [] : [{ kind: 'word', value, isNegated }]
  })
}

const operator = (name: string, value: string, isNegated: boolean): Token[] =>
  value.trim() === '' ? [] : [{ kind: 'operator', name, value: value.trim(), isNegated }]

const closed = (text: string) => ((text.match(/"/g) ?? []).length % 2 === 1 ? `${text}"` : text)

/** Without brackets at the end that close a group of words; those of `f(x)` belong to the word. */
function balanced(text: string): string {
  const excess = text.split(')').length - text.split('(').length
  const atEnd = /\)*$/.exec(text)?.[0].length ?? 0
  return text.slice(0, text.length - Math.max(0, Math.min(excess, atEnd)))
}
