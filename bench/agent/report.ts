import { table } from '../lib/table.ts'
import type { Target } from '../lib/targets.ts'
import type { Style } from './contestants.ts'
import type { Spent } from './hand.ts'
import type { Outcome, Played } from './play.ts'

/** What both contestants made of all tasks in one style: ours, then the peer. */
export type Match = { style: Style; ours: Played; peer: Played }

const titles: Readonly<Record<Style, string>> = { tools: 'snapshots and acts', code: 'code' }
const figures = ['calls', 'bytes'] as const
type Figure = (typeof figures)[number]
const mostOfPeer = 0.5

const totalOf = ({ outcomes, opening }: Played, figure: Figure) =>
  outcomes.reduce((sum, each) => sum + each[figure], opening[figure])
const sumOf = (played: Played): Spent => ({ calls: totalOf(played, 'calls'), bytes: totalOf(played, 'bytes') })

const share = (ours: number, peer: number) => `${(ours / peer).toFixed(2)}×`
const both = ({ calls, bytes }: Spent) => [String(calls), String(bytes)]
const shares = (ours: Spent, peer: Spent) => figures.map((figure) => share(ours[figure], peer[figure]))
const isSolved = (outcome: Outcome | undefined): outcome is Outcome =>
  outcome !== undefined && outcome.fault === undefined

export function tableOf({ style, ours, peer }: Match): string {
  const rows = ours.outcomes.map((mine, at) => {
    const theirs = peer.outcomes[at]
    const cells = [mine, theirs].flatMap((each) => (isSolved(each) ? both(each) : ['FAILED', '']))
    return [mine.task, ...cells, ...(isSolved(mine) && isSolved(theirs) ? shares(mine, theirs) : ['', ''])]
  })
  const opening = ['opening a session', ...both(ours.opening), ...both(peer.opening), '', '']
  const all = [sumOf(ours), sumOf(peer)] as const
  const head = [titles[style], `${ours.name} calls`, 'bytes', `${peer.name} calls`, 'bytes', 'calls', 'bytes']
  return table(head, [...rows, opening, ['all', ...all.flatMap(both), ...shares(...all)]])
}

export const faultsIn = ({ style, ours, peer }: Match): string[] =>
  [ours, peer].flatMap(({ name, outcomes }) =>
    outcomes.filter((each) => !isSolved(each)).map(({ task, fault }) => `${name}, ${task}, ${titles[style]}: ${fault}`),
  )

export const targetsOf = ({ style, ours, peer }: Match): Target[] => [
  {
    what: `not solved by ${titles[style]}`,
    limit: 0,
    measured: ours.outcomes.filter((each) => !isSolved(each)).length,
    unit: 'tasks',
  },
  ...figures.map((figure) => ({
    what: `${figure} by ${titles[style]} to those of ${peer.name}`,
    limit: mostOfPeer,
    measured: totalOf(ours, figure) / totalOf(peer, figure),
    unit: '×',
  })),
]

/** Our code beside the snapshots and acts of the peer, which is how it is meant to be used. */
export function acrossTargets(all: readonly Match[]): Target[] {
  const of = (style: Style) => all.find((match) => match.style === style)
  const [ours, peer] = [of('code')?.ours, of('tools')?.peer]
  if (!ours || !peer) return []
  return figures.map((figure) => ({
    what: `${figure} by code to those of ${peer.name} by snapshots and acts`,
    limit: mostOfPeer,
    measured: totalOf(ours, figure) / totalOf(peer, figure),
    unit: '×',
  }))
}
