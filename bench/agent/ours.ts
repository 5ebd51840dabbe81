import type { SessionAction } from '../../src/contracts/render-port.ts'
import { type Hand, partOf } from './hand.ts'

/**
 * Our tools in one session, opened by the first call that needs it. Targets are names or refs from earlier answers;
 * addresses are those of the site.
 */
export type Ours = {
  act(...acts: SessionAction[]): Promise<string>
  crawl(path: string, options: object): Promise<string>
}
export type Session = { id: string | undefined; origin: string }

export function createOurs(hand: Hand, session: Session): Ours {
  const { origin } = session
  return {
    async act(...acts) {
      for (const each of acts) for (const aim of aimsOf(each)) hand.requireTold(/"(.+)"/.exec(aim)?.[1] ?? aim)
      const placed = acts.map((each) => (each.type === 'navigate' ? { ...each, url: origin + each.url } : each))
      return inSession(hand, session, 'browser_act', { acts: placed })
    },
    crawl: (path, options) => hand.call('crawl', { url: origin + path, ...options }),
  }
}

async function inSession(hand: Hand, session: Session, tool: string, args: object): Promise<string> {
  const { id: sessionId } = session
  const output = await hand.call(tool, { ...(sessionId !== undefined && { sessionId }), ...args })
  session.id ??= partOf(output, /Opened session ([0-9a-f-]{36})/)
  return output
}

const aimsOf = (each: SessionAction): string[] => [
  ...('target' in each && each.target !== undefined ? [each.target] : []),
  ...(each.type === 'wait' && each.text !== undefined ? [each.text] : []),
  ...(each.type === 'select' ? each.options : []),
]

/** Result of code, with the text around it. */
export const execute = (hand: Hand, code: string, session: Session): Promise<string> =>
  inSession(hand, session, 'browser_execute', { code: `await (async () => { ${code} })()` })
