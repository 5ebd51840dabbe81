import type { SessionAction } from '../../src/contracts/page-action.ts'
import type { Hand } from './hand.ts'

/** Our tools in one session. Targets are names or refs that were told; addresses are those of the site. */
export type Ours = {
  act(...acts: SessionAction[]): Promise<string>
}
export type Session = { id: string; origin: string }

export function createOurs(hand: Hand, { id: sessionId, origin }: Session): Ours {
  return {
    act(...acts) {
      for (const each of acts) for (const aim of aimsOf(each)) hand.requireTold(/"(.+)"/.exec(aim)?.[1] ?? aim)
      const placed = acts.map((each) => (each.type === 'navigate' ? { ...each, url: origin + each.url } : each))
      return hand.call('browser_act', { sessionId, acts: placed })
    },
  }
}

const aimsOf = (each: SessionAction): string[] => [
  ...('target' in each && each.target !== undefined ? [each.target] : []),
  ...(each.type === 'wait' && each.text !== undefined ? [each.text] : []),
  ...(each.type === 'select' ? each.options : []),
]

/** What code came to, and what is said around it. */
export const execute = (hand: Hand, code: string, { id: sessionId }: Session): Promise<string> =>
  hand.call('browser_execute', { sessionId, code: `await (async () => { ${code} })()` })
