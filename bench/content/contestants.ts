import type { Contestant } from './contestant.ts'
import { defuddle } from './defuddle.ts'
import { mdreamMinimal, mdreamPlain } from './mdream.ts'
import { ours } from './ours.ts'
import { readabilityJsdom } from './readability-jsdom.ts'
import { readabilityLinkedom } from './readability-linkedom.ts'
import { selectorList } from './selectors.ts'
import { wholePage } from './whole-page.ts'

const all: readonly Contestant[] = [
  ours,
  readabilityJsdom,
  readabilityLinkedom,
  defuddle,
  mdreamMinimal,
  mdreamPlain,
  selectorList,
  wholePage,
]

/** Contestants with the ids of a list such as `ours,jsdom`; fails with a message for the user if one is unknown. */
export function contestants(only: string | undefined): readonly Contestant[] {
  if (only === undefined) return all
  return only.split(',').map((id) => {
    const found = all.find((contestant) => contestant.id === id.trim())
    if (!found) throw new Error(`--only takes ids of ${all.map((each) => each.id).join(', ')}`)
    return found
  })
}
