/**
 * Limits of how much of a page is read. The rest is cut off, so no page takes much more than two seconds and 300 MB.
 * Typical pages reach a hundredth of each limit.
 */
export const pageLimits = {
  /** Characters of HTML. */
  characters: 12_000_000,
  /**
   * Characters that are escaped or removed one by one on the way to markdown: a page full of them grows many times
   * over. Those of scripts and styles do not count, because they are never written.
   */
  specials: 2_000_000,
  /** Opening tags, which take about ten microseconds and a kilobyte each. */
  tags: 150_000,
  /** `<` characters of any kind: start and end tags, and stray ones. */
  brackets: 1_000_000,
  attributes: 750_000,
  /** Attributes of one tag; further ones are dropped. */
  attributesOfTag: 100_000,
  /** Depth of the tree; deeper elements are lifted. Later algorithms recurse, or take time quadratic in the depth. */
  depth: 200,
} as const

export type PageLimits = { readonly [Limit in keyof typeof pageLimits]: number }

/** Limits for a part of a page or document. Its size is limited already, so only its depth is limited here. */
export const partLimits: PageLimits = {
  characters: Infinity,
  specials: Infinity,
  tags: Infinity,
  brackets: Infinity,
  attributes: Infinity,
  attributesOfTag: Infinity,
  depth: pageLimits.depth,
}

const marks = new Set([...'\n&>*_`[]\\|~\xA0\uFEFF'].map((mark) => mark.charCodeAt(0)))

/**
 * Cuts the part of a text between `from` and `to` before it exceeds `most` special characters. Returns its end; `left`
 * is how many more are allowed, or -1 if the part was cut.
 */
export function endOfSpecials(text: string, from: number, to: number, most: number): { left: number; end: number } {
  let left = most
  for (let at = from; at < to; at++) if (isSpecial(text.charCodeAt(at)) && left-- === 0) return { left, end: at }
  return { left, end: to }
}

/** True for markup characters of markdown and HTML, and for invisible joiners, selectors, separators and tags. */
function isSpecial(code: number): boolean {
  if (code < 0x2000) return code < 0xa1 && marks.has(code)
  return code < 0x2070 || (code >= 0xfe00 && code < 0xfe10) || code === 0xfeff || code === 0xdb40
}
