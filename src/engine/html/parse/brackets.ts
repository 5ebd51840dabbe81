/** What an opening bracket begins. A bracket that begins no tag has no name. */
export type Bracket = {
  at: number
  end: number
  name: string
  kind: 'opens' | 'closes' | 'isEmpty'
  attributes: number
  /** Where the last attribute ends that is within the limit; the tag is kept up to here. */
  keptTo: number
}

const tagStart = /<(\/?)([a-z][^\s/>]*)/iy
/** One attribute with the space before. Each part takes what it can and never has to give back more than space. */
const attribute = /[\s/]*[^\s/>][^\s/>=]*(?:\s*=\s*(?:"[^"]*"?|'[^']*'?|[^\s>"'][^\s>]*)?)?/y
const tagEnd = /[\s/]*>?/y
const rawText = /^(?:script|style)$/i

/** The brackets of a page from first to last, without those in comments, scripts and styles, in time linear in its length. */
export function* bracketsIn(html: string, maxAttributes: number): Generator<Bracket> {
  let from = 0
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', from)) {
    if (html.startsWith('<!--', at)) {
      from = placeAfter(html, '-->', at + 4)
      continue
    }
    const bracket = bracketAt(html, at, maxAttributes)
    from = bracket.kind === 'opens' && rawText.test(bracket.name) ? endOfText(html, bracket) : bracket.end
    yield bracket
  }
}

function bracketAt(html: string, at: number, maxAttributes: number): Bracket {
  const start = matchAt(tagStart, html, at)
  if (!start) return { at, end: at + 1, name: '', kind: 'isEmpty', attributes: 0, keptTo: at + 1 }
  const [whole, slash, name = ''] = start
  let attributes = 0
  let from = at + whole.length
  let keptTo = from
  for (; matchAt(attribute, html, from); from = attribute.lastIndex)
    if (++attributes <= maxAttributes) keptTo = attribute.lastIndex
  if (attributes <= maxAttributes) keptTo = from
  const last = matchAt(tagEnd, html, from)?.[0] ?? ''
  const kind = slash ? 'closes' : last.endsWith('/>') ? 'isEmpty' : 'opens'
  return { at, end: from + last.length, name, kind, attributes: Math.min(attributes, maxAttributes), keptTo }
}

function endOfText(html: string, { name, end }: Bracket): number {
  const closing = new RegExp(`</${name}`, 'gi')
  closing.lastIndex = end
  return closing.exec(html)?.index ?? html.length
}

function placeAfter(html: string, mark: string, from: number): number {
  const at = html.indexOf(mark, from)
  return at < 0 ? html.length : at + mark.length
}

function matchAt(pattern: RegExp, html: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(html)
}
