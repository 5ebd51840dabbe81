/** Parsing rules of a tag. */
export type Tag = {
  /** Lower-case name. */
  name: string
  /** True if the element has neither contents nor an end tag. */
  isVoid: boolean
  /** Elements that end when this one starts, if they are the innermost open ones. */
  ends: ReadonlySet<string> | undefined
  /** Syntax inside the element: XML ('foreign'), where a tag ending in a slash is empty, or HTML again. */
  turns: 'foreign' | 'html' | undefined
  /** True for a template and for components, which may stand in for standard elements. */
  mayStandIn: boolean
  /** Number of open elements with this name. */
  open: number
}

const words = (text: string) => text.split(/\s+/)

const voids = new Set(
  words('area base basefont br col command embed frame hr img input isindex keygen link meta param source track wbr'),
)
const foreign = new Set(['math', 'svg'])
const integration = new Set(words('mi mo mn ms mtext annotation-xml foreignobject desc title'))

/** Elements with optional end tags: which ones end when an element starts (HTML standard, 13.1.2.4). */
const ends = new Map(
  Object.entries({
    'address article aside blockquote details div dl fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr main nav ol p pre section table ul':
      'p',
    'button datalist input output select textarea': 'input option optgroup select button datalist textarea',
    'tbody tfoot': 'thead tbody',
    'dd dt': 'dd dt',
    'rp rt': 'rt rp',
    body: 'head link script',
    li: 'li',
    optgroup: 'optgroup option',
    option: 'option',
    td: 'thead th td',
    th: 'th',
    tr: 'tr th td',
  }).flatMap(([names, ended]) => words(names).map((name) => [name, new Set(words(ended))] as const)),
)

/** Looks up tags by their name as written; create one table per page. */
export function createTagTable(): (written: string) => Tag {
  const known = new Map<string, Tag>()
  return (written) => {
    let tag = known.get(written)
    if (tag === undefined) {
      const name = written.toLowerCase()
      tag = known.get(name) ?? tagNamed(name)
      known.set(name, tag).set(written, tag)
    }
    return tag
  }
}

function tagNamed(written: string): Tag {
  const name = commonName(written)
  const turns = foreign.has(name) ? 'foreign' : integration.has(name) ? 'html' : undefined
  const mayStandIn = /^(?:template$|amp-|lite-)/.test(name)
  return { name, isVoid: voids.has(name), ends: ends.get(name), turns, mayStandIn, open: 0 }
}

const maxNames = 1000
const names = new Map<string, string>()

/** Returns the lower-case name of a tag or an attribute. The cache is bounded, because pages can invent names. */
export function commonName(written: string): string {
  const known = names.get(written)
  if (known !== undefined) return known
  if (names.size >= maxNames) return written.toLowerCase()
  const name = internalised(written.toLowerCase())
  names.set(internalised(written), name)
  return name
}

/**
 * Returns the copy of a string that V8 has interned: it is compared with literals by address, and does not retain the
 * page it was cut from.
 */
const internalised = (text: string) => Object.keys({ [text]: true })[0] ?? text
