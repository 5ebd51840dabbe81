import { table } from '../lib/table.ts'
import type { Target } from '../lib/targets.ts'
import type { Style } from './contestants.ts'
import type { Spent } from './hand.ts'
import type { Outcome, Played } from './play.ts'

/** Results of both contestants for all tasks in one style: ours, then the peer. */
export type Match = { style: Style; ours: Played; peer: Played }

const titles: Readonly<Record<Style, string>> = { tools: 'snapshots and acts', code: 'code' }
const figures = ['calls', 'tokens'] as const
type Figure = (typeof figures)[number]
const maxOfPeer = 0.5

const totalOf = ({ outcomes }: Played, figure: Figure) => outcomes.reduce((sum, each) => sum + each[figure], 0)
const sumOf = (played: Played): Spent => ({ calls: totalOf(played, 'calls'), tokens: totalOf(played, 'tokens') })

const share = (ours: number, peer: number) => `${(ours / peer).toFixed(2)}×`
const both = ({ calls, tokens }: Spent) => [String(calls), String(tokens)]
const shares = (ours: Spent, peer: Spent) => figures.map((figure) => share(ours[figure], peer[figure]))
const isSolved = (outcome: Outcome | undefined): outcome is Outcome =>
  outcome !== undefined && outcome.fault === undefined

export function tableOf({ style, ours, peer }: Match): string {
  const rows = ours.outcomes.map((mine, at) => {
    const theirs = peer.outcomes[at]
    const cells = [mine, theirs].flatMap((each) => (isSolved(each) ? both(each) : ['FAILED', '']))
    return [mine.task, ...cells, ...(isSolved(mine) && isSolved(theirs) ? shares(mine, theirs) : ['', ''])]
  })
  const all = [sumOf(ours), sumOf(peer)] as const
  const head = [titles[style], `${ours.name} calls`, 'tokens', `${peer.name} calls`, 'tokens', 'calls', 'tokens']
  return table(head, [...rows, ['all', ...all.flatMap(both), ...shares(...all)]])
}

export const faultsIn = ({ style, ours, peer }: Match): string[] =>
  [ours, peer].flatMap(({ name, outcomes }) =>
    outcomes.filter((each) => !isSolved(each)).map(({ task, fault }) => `${name}, ${task}, ${titles[style]}: ${fault}`),
  )

/** Maximum for all tasks together. */
const most: Readonly<Record<Style, Spent>> = { tools: { calls: 19, tokens: 4300 }, code: { calls: 19, tokens: 2500 } }

export const targetsOf = ({ style, ours, peer }: Match): Target[] => [
  {
    what: `not solved by ${titles[style]}`,
    limit: 0,
    measured: ours.outcomes.filter((each) => !isSolved(each)).length,
    unit: 'tasks',
  },
  ...figures.map((figure) => ({
    what: `by ${titles[style]}`,
    limit: most[style][figure],
    measured: totalOf(ours, figure),
    unit: figure,
  })),
  {
    what: `tokens by ${titles[style]} to those of ${peer.name}`,
    limit: maxOfPeer,
    measured: totalOf(ours, 'tokens') / totalOf(peer, 'tokens'),
    unit: '×',
  },
]

/**
 * Compares code over our tools with snapshots and acts over those of the peer, the way in which the peer is meant to be
 * used.
 */
export function acrossTargets(all: readonly Match[]): Target[] {
  const of = (style: Style) => all.find((match) => match.style === style)
  const [ours, peer] = [of('code')?.ours, of('tools')?.peer]
  if (!ours || !peer) return []
  return figures.map((figure) => ({
    what: `${figure} by code to those of ${peer.name} by snapshots and acts`,
    limit: maxOfPeer,
    measured: totalOf(ours, figure) / totalOf(peer, figure),
    unit: '×',
  }))
}
