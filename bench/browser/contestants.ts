import type { Contestant } from './contestant.ts'
import { crawleeIncognito, crawleeShared } from './crawlee.ts'
import { ours, oursDirect } from './ours.ts'
import { oursWarm } from './ours-warm.ts'
import { playwright } from './playwright.ts'
import { rawCdp, rawWarm } from './raw-cdp.ts'

const all: readonly Contestant[] = [
  ours,
  oursDirect,
  rawCdp,
  playwright,
  crawleeIncognito,
  oursWarm,
  rawWarm,
  crawleeShared,
]

/** Contestants with the ids of a list such as `ours,raw`; fails with a message for the user if one is unknown. */
export function contestants(only: string | undefined): readonly Contestant[] {
  if (only === undefined) return all
  return only.split(',').map((id) => contestantOf(id.trim()))
}

export function contestantOf(id: string): Contestant {
  const found = all.find((contestant) => contestant.id === id)
  if (!found) throw new Error(`--only takes ids of ${all.map((each) => each.id).join(', ')}`)
  return found
}
