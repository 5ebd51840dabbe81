/**
 * How much of a page is read, in one place. What goes beyond is left out and the rest is read, so that no page takes
 * much more than two seconds and 300 MB. Common pages have a hundredth of this.
 */
export const pageLimits = {
  /** Characters of HTML. */
  characters: 12_000_000,
  /** Characters that are escaped, counted or removed one by one on the way to markdown: a page made of them grows many times over. */
  specials: 2_000_000,
  /** Tags that open an element: about ten microseconds and a kilobyte each. */
  tags: 150_000,
  /** Opening brackets of any kind: tags that open or close, and brackets that mean nothing. */
  brackets: 1_000_000,
  attributes: 750_000,
  attributesOfTag: 100_000,
  /** Elements open at one place of the source. The parser's list of them costs the square of its height. */
  openTags: 10_000,
  /** Depth of the tree; what is deeper is lifted. The algorithms behind us recurse, or slow down with the square of the depth. */
  depth: 200,
} as const

export type PageLimits = { readonly [Limit in keyof typeof pageLimits]: number }
