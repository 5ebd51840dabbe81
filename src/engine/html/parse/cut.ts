import { bracketsIn } from './brackets.ts'
import { endOfSpecials } from './specials.ts'
import type { PageLimits } from '../limits.ts'

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
