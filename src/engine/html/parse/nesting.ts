import { type PageLimits, pageLimits } from '../dom/limits.ts'
import { type Bracket, bracketsIn } from './brackets.ts'

const holdsNothing = /^(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr)$/
/** Elements that the next of their kind closes, where it comes right inside them. */
const kinds: Readonly<Record<string, string>> = {
  p: 'p',
  li: 'li',
  dt: 'dd',
  dd: 'dd',
  option: 'option',
  tr: 'cell',
  td: 'cell',
  th: 'cell',
  thead: 'rows',
  tbody: 'rows',
  tfoot: 'rows',
}
/** How far up the element is looked for that a tag closes. */
const maxReach = 50

/** Leaves out tags nested beyond any page's need, in one pass, before the parser sees them. Text is never left out. */
export function limitNesting(html: string, { openTags }: Pick<PageLimits, 'openTags'> = pageLimits): string {
  if (!hasMoreBrackets(html, openTags)) return html
  const kept: string[] = []
  let from = 0
  const open: string[] = []
  for (const bracket of bracketsIn(html, Infinity)) {
    if (!bracket.name) continue
    const isTooDeep = open.length > openTags
    follow(open, bracket)
    if (!isTooDeep) continue
    kept.push(html.slice(from, bracket.at), ' ')
    from = bracket.end
  }
  return kept.length > 0 ? kept.join('') + html.slice(from) : html
}

/** Keeps the list of open elements as the parser would, nearly. */
function follow(open: string[], { name: written, kind }: Bracket): void {
  const name = written.toLowerCase()
  if (kind === 'closes') return close(open, name)
  // A slash at the end closes a tag in drawings only.
  if (holdsNothing.test(name) || (kind === 'isEmpty' && open.slice(-maxReach).includes('svg'))) return
  if (Object.hasOwn(kinds, name)) while (kinds[open.at(-1) ?? ''] === kinds[name]) open.pop()
  open.push(name)
}

function close(open: string[], name: string): void {
  const at = open.slice(-maxReach).lastIndexOf(name)
  if (at >= 0) open.length -= Math.min(open.length, maxReach) - at
}

function hasMoreBrackets(html: string, most: number): boolean {
  let at = -1
  for (let found = 0; found <= most; found++) if ((at = html.indexOf('<', at + 1)) < 0) return false
  return true
}
