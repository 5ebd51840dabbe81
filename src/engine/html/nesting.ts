/** The parser's list of open elements costs the square of its height; below this many it is not felt, and no page has a need for more. */
const maxOpenTags = 10_000

const tag = /<(\/?)([a-z][a-z0-9-]*)[^<>]*>?/gi
/** Elements that hold no others, or that the next of their kind closes: they do not add to the depth. */
const flat =
  /^(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr|p|li|dt|dd|tr|td|th|option|thead|tbody|tfoot)$/i

/** Leaves out tags nested beyond any page's need, in one pass, before the parser sees them. Text is never left out. */
export function limitNesting(html: string): string {
  if (!hasManyTags(html) || !nestsTooDeep(html)) return html
  let open = 0
  return html.replace(tag, (whole, slash: string, name: string) => {
    const tooDeep = open > maxOpenTags
    if (!flat.test(name)) open = Math.max(0, open + (slash ? -1 : 1))
    return tooDeep ? ' ' : whole
  })
}

function hasManyTags(html: string): boolean {
  let at = -1
  for (let found = 0; found <= maxOpenTags; found++) if ((at = html.indexOf('<', at + 1)) < 0) return false
  return true
}

function nestsTooDeep(html: string): boolean {
  let open = 0
  for (const [, slash, name] of html.matchAll(tag)) {
    if (flat.test(name as string)) continue
    open = Math.max(0, open + (slash ? -1 : 1))
    if (open > maxOpenTags) return true
  }
  return false
}
