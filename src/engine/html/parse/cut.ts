import type { PageLimits } from '../dom/limits.ts'
import { bracketsIn } from './brackets.ts'

export type Cut = { html: string; isWhole: boolean }

/** Shortest way to write an element. A page too short for too many of them needs no counting. */
const shortestTag = '<p>'.length

/** The page up to the place where one of the limits on its tags and attributes is reached, found in one pass. */
export function cutToLimits(page: string, limits: PageLimits): Cut {
  const characters = page.slice(0, limits.characters)
  const html = characters.slice(0, endOfSpecials(characters, limits.specials))
  if (html.length < shortestTag * limits.tags) return { html, isWhole: html.length === page.length }
  const kept: string[] = []
  let { brackets, tags, attributes } = limits
  let from = 0
  for (const bracket of bracketsIn(html, limits.attributesOfTag)) {
    brackets--
    if (bracket.name && bracket.kind !== 'closes') tags--
    attributes -= bracket.attributes
    if (brackets < 0 || tags < 0 || attributes < 0)
      return { html: kept.join('') + html.slice(from, bracket.at), isWhole: false }
    if (bracket.attributes < limits.attributesOfTag) continue
    kept.push(html.slice(from, bracket.keptTo))
    from = bracket.end - 1
  }
  return { html: kept.join('') + html.slice(from), isWhole: from === 0 && html.length === page.length }
}

const marks = new Set([...'\n&>*_`[]\\|~\xA0\uFEFF'].map((mark) => mark.charCodeAt(0)))

/** The place of the special character that is one too many; the length of the text when there is none. */
function endOfSpecials(text: string, most: number): number {
  let left = most
  if (text.length <= most) return text.length
  for (let at = 0; at < text.length; at++) if (isSpecial(text.charCodeAt(at)) && left-- === 0) return at
  return text.length
}

/** Marks of markdown and HTML, and the blocks of joiners, selectors, separators and tags that show nothing. */
function isSpecial(code: number): boolean {
  if (code < 0x2000) return code < 0xa1 && marks.has(code)
  return code < 0x2070 || (code >= 0xfe00 && code < 0xfe10) || code === 0xfeff || code === 0xdb40
}
