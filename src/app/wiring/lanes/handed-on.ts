import type { Account } from '../../../contracts/account.ts'

type Slots = Pick<Account, 'enter' | 'load'>

/** Longer than it takes a crawl to claim its next pages. */
const keptMs = 50

/**
 * Slots of teams, where each costs a message there and back: that of a page which has ended is kept a moment for the next page
 * of the team, as long as nobody of the team was waiting for one when that was last asked.
 */
export function createHandedOn({ enter, load }: Slots): Slots {
  const spare = new Map<string, (() => void)[]>()
  const crowded = new Set<string>()
  let timer: NodeJS.Timeout | undefined

  function letGo(): void {
    timer = undefined
    const all = [...spare.values()].flat()
    spare.clear()
    for (const leave of all) leave()
  }
  function keep(teamId: string, leave: () => void): void {
    if (crowded.has(teamId)) return leave()
    spare.set(teamId, [...(spare.get(teamId) ?? []), leave])
    timer ??= setTimeout(letGo, keptMs).unref()
  }
  return {
    async enter(teamId, signal) {
      signal.throwIfAborted()
      const leave = spare.get(teamId)?.pop() ?? (await enter(teamId, signal))
      return () => keep(teamId, leave)
    },
    async load(teamId) {
      const found = await load(teamId)
      if (found.waiting > 0) crowded.add(teamId)
      else crowded.delete(teamId)
      return found
    },
  }
}
