import { crawleeMdream, crawleeTurndown } from './crawlee.ts'
import type { Contestant } from './contestant.ts'
import { raw } from './raw.ts'
import { spider } from './spider.ts'

/** Contestants that run in the process of their lane. */
export const peers: readonly Contestant[] = [raw, crawleeTurndown, crawleeMdream, spider]

export function peerOf(id: string): Contestant {
  const found = peers.find((each) => each.id === id)
  if (!found) throw new Error(`--only takes ids of ours, ours-main, ${peers.map((each) => each.id).join(', ')}`)
  return found
}
