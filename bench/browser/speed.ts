import { mean, median } from '../lib/statistics.ts'
import { table } from '../lib/table.ts'
import type { Target } from '../lib/targets.ts'
import type { Contestant } from './contestant.ts'
import { type Cost, type Lane, openLane, type Outcome } from './lane.ts'
import { pathOf } from './pages.ts'

export type SpeedWish = {
  contestants: readonly Contestant[]
  browserPath: string
  origin: string
  pages: number
  rounds: number
  concurrencies: readonly number[]
}
/** A contestant at one concurrency, with a sample for each round. */
export type SpeedRow = { contestant: Contestant; concurrency: number; samples: readonly (Outcome & Cost)[] }

/** Contestants take turns, each round in a different order, after one uncounted round. */
export async function measureSpeed(wish: SpeedWish): Promise<SpeedRow[]> {
  const lanes: Lane[] = []
  try {
    for (const contestant of wish.contestants) lanes.push(await openLane(contestant, wish.browserPath))
    const rows = wish.concurrencies.flatMap((concurrency) =>
      lanes.map((lane) => ({
        lane,
        row: { contestant: lane.contestant, concurrency, samples: [] as (Outcome & Cost)[] },
      })),
    )
    const urls = Array.from({ length: wish.pages }, (_, at) => wish.origin + pathOf(at))
    for (let round = -1; round < wish.rounds; round++) await oneRound(turned(rows, round * 3), urls, round)
    process.stderr.write('\n')
    return rows.map(({ row }) => row)
  } finally {
    for (const lane of lanes) await lane.end()
  }
}

type Laned = { lane: Lane; row: { concurrency: number; samples: (Outcome & Cost)[] } }

async function oneRound(rows: readonly Laned[], urls: readonly string[], round: number): Promise<void> {
  const isCounted = round >= 0
  for (const { lane, row } of rows) {
    const sample = await lane.run({ urls: isCounted ? urls : urls.slice(0, 8), concurrency: row.concurrency })
    if (isCounted) row.samples.push(sample)
    process.stderr.write('.')
  }
}

/** Rotates a list. */
function turned<T>(list: readonly T[], by: number): T[] {
  const at = (by + list.length) % list.length
  return [...list.slice(at), ...list.slice(0, at)]
}

type Figures = { perSecond: number; p50Ms: number; browserS: number; nodeS: number; browserMb: number; nodeMb: number }

/** CPU in seconds for 1,000 pages. */
export function figuresOf({ samples }: SpeedRow): Figures {
  const each = (of: (sample: Outcome & Cost) => number) => median(samples.map(of))
  return {
    perSecond: each(({ tookMs, wallMs }) => (1000 * tookMs.length) / wallMs),
    p50Ms: median(samples.flatMap(({ tookMs }) => [...tookMs])),
    browserS: each(({ browserMs, tookMs }) => browserMs / tookMs.length),
    nodeS: each(({ nodeMs, tookMs }) => nodeMs / tookMs.length),
    browserMb: Math.max(...samples.map(({ browserMb }) => browserMb)),
    nodeMb: Math.max(...samples.map(({ nodeMb }) => nodeMb)),
  }
}

export const faultsOf = ({ samples }: SpeedRow): string[] => samples.flatMap(({ faults }) => [...faults])

export function speedTable(rows: readonly SpeedRow[]): string {
  const head = [
    'contestant',
    'pages in',
    'at once',
    'pages/s',
    'p50 ms',
    'browser CPU s',
    'Node CPU s',
    'browser MB',
    'Node MB',
    'whole',
  ]
  return table(head, rows.map(cellsOf))
}

function cellsOf(row: SpeedRow): string[] {
  const { perSecond, p50Ms, browserS, nodeS, browserMb, nodeMb } = figuresOf(row)
  return [
    row.contestant.name,
    row.contestant.pages,
    String(row.concurrency),
    perSecond.toFixed(2),
    p50Ms.toFixed(0),
    browserS.toFixed(0),
    nodeS.toFixed(1),
    browserMb.toFixed(0),
    nodeMb.toFixed(0),
    faultsOf(row).length === 0 ? 'yes' : 'FAILED',
  ]
}

export function speedTargets(rows: readonly SpeedRow[]): Target[] {
  return [
    ...ratio(rows, { what: 'CPU, new context', ours: 'ours', theirs: 'raw', limit: 1.2, of: cpuS }),
    ...ratio(rows, { what: 'CPU, pages used again', ours: 'warm', theirs: 'raw-warm', limit: 1.25, of: cpuS }),
    ...ratio(rows, {
      what: 'time a page, new context',
      ours: 'ours',
      theirs: 'crawlee-incognito',
      limit: 1 / 2.5,
      of: secondsAPage,
    }),
    ...ratio(rows, {
      what: 'time a page, pages used again',
      ours: 'warm',
      theirs: 'crawlee',
      limit: 1 / 2.5,
      of: secondsAPage,
    }),
  ]
}

/** CPU time of the browser and Node together. */
const cpuS = ({ browserS, nodeS }: Figures) => browserS + nodeS
const secondsAPage = ({ perSecond }: Figures) => 1 / perSecond

type Ratio = { what: string; ours: string; theirs: string; limit: number; of: (figures: Figures) => number }

/** Returns one line for all concurrencies together, because each alone is noisy. */
function ratio(rows: readonly SpeedRow[], { what, ours, theirs, limit, of }: Ratio): Target[] {
  const meanOf = (id: string) =>
    mean(rows.filter(({ contestant }) => contestant.id === id).map((row) => of(figuresOf(row))))
  const measured = meanOf(ours) / meanOf(theirs)
  return Number.isNaN(measured) ? [] : [{ what: `${what}, ${ours} to ${theirs}`, limit, measured, unit: '×' }]
}
