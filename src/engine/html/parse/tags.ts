/** What a parser has to know of a tag. */
export type Tag = {
  /** In lower case. */
  name: string
  /** Has neither contents nor an end tag. */
  isVoid: boolean
  /** The elements that end where this one begins, if they are the innermost that are open. */
  ends: ReadonlySet<string> | undefined
  /** Where a tag that ends in a slash is empty, as in XML, and where it is as in HTML again. */
  turns: 'foreign' | 'html' | undefined
  /** How many elements of this name are open. */
  open: number
}

const words = (text: string) => text.split(/\s+/)

const voids = new Set(
  words('area base basefont br col command embed frame hr img input isindex keygen link meta param source track wbr'),
)
const foreign = new Set(['math', 'svg'])
const integration = new Set(words('mi mo mn ms mtext annotation-xml foreignobject desc title'))

/** Elements that need no end tag: which ones end where an element begins (HTML standard, 13.1.2.4). */
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

/** Finds tags by the name as a page writes it; a table is for one page. */
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
  const name = internalised(written)
  const turns = foreign.has(name) ? 'foreign' : integration.has(name) ? 'html' : undefined
  return { name, isVoid: voids.has(name), ends: ends.get(name), turns, open: 0 }
}

const maxNames = 1000
const names = new Map<string, string>()

/** The name of an attribute in lower case. Bounded, because pages can invent names. */
export function attributeName(written: string): string {
  const known = names.get(written)
  if (known !== undefined) return known
  if (names.size >= maxNames) return written.toLowerCase()
  const name = internalised(written.toLowerCase())
  names.set(internalised(written), name)
  return name
}

/**
 * The one copy of a string that V8 has as a name: it is compared with literals by its address, and does not keep the page
 * in memory that it was cut from.
 */
const internalised = (text: string) => Object.keys({ [text]: true })[0] ?? text
