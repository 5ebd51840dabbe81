import { request } from 'undici'
import { median } from '../lib/statistics.ts'
import { table } from '../lib/table.ts'
import type { Target } from '../lib/targets.ts'
import type { Job } from './contestant.ts'
import { measured, type Lane, type Sample } from './lane.ts'
import { newEdition } from './pages.ts'

export type SpeedRow = { contestant: Lane['contestant']; samples: readonly Sample[]; faults: readonly string[] }

/**
 * Measures the contestants in turn. Each round has another order and a new edition of the pages, so that no contestant
 * knows a page already. In the first round, which is not counted, every page is compared with the key; in the others,
 * the sums must equal those of the first.
 */
export async function measureSpeed(lanes: readonly Lane[], job: Job, rounds: number): Promise<SpeedRow[]> {
  const checked = new Map<Lane, Sample>()
  const samples = new Map<Lane, Sample[]>(lanes.map((lane) => [lane, []]))
  for (let round = 0; round <= rounds; round++) {
    await request(job.origin + newEdition, { method: 'POST', headersTimeout: 0 }).then(({ body }) => body.dump())
    for (const lane of turned(lanes, round * 3)) {
      if (lane.again) await lane.run(job, 'sums')
      const sample = await measured(lane, job, round === 0 ? 'each page' : 'sums')
      if (round === 0) checked.set(lane, sample)
      else samples.get(lane)?.push(sample)
      process.stderr.write('.')
    }
  }
  process.stderr.write('\n')
  return lanes.map((lane) => rowOf(lane.contestant, checked.get(lane), samples.get(lane) ?? []))
}

function rowOf(contestant: Lane['contestant'], checked: Sample | undefined, samples: readonly Sample[]): SpeedRow {
  const differs = ({ pages, chars, links }: Sample) =>
    contestant.makes !== 'html' && (pages !== checked?.pages || chars !== checked.chars || links !== checked.links)
  const other = samples.filter(differs).length
  const faults = [...(checked?.faults ?? []), ...samples.flatMap((sample) => sample.faults)]
  return { contestant, samples, faults: other === 0 ? faults : [`${other} runs brought something else`, ...faults] }
}

/** The same list, started elsewhere. */
function turned<T>(list: readonly T[], by: number): T[] {
  const at = by % list.length
  return [...list.slice(at), ...list.slice(0, at)]
}

/** CPU in seconds for 1,000 pages. */
export function figuresOf({ samples }: SpeedRow): { cpuS: number; perSecond: number; rssMb: number; pages: number } {
  const each = (of: (sample: Sample) => number) => median(samples.map(of))
  return {
    cpuS: each(({ cpuMs, pages }) => cpuMs / pages),
    perSecond: each(({ wallMs, pages }) => (1000 * pages) / wallMs),
    rssMb: Math.max(...samples.map(({ rssMb }) => rssMb)),
    pages: each(({ pages }) => pages),
  }
}

export function speedTable(rows: readonly SpeedRow[]): string {
  const limit = rows.find(({ contestant }) => contestant.id === 'raw')
  const head = ['contestant', 'makes', 'pages', 'CPU s/1,000', 'to raw', 'pages/s', 'pages/s/core', 'peak MB', 'whole']
  return table(
    head,
    rows.map((row) => cellsOf(row, limit)),
  )
}

function cellsOf(row: SpeedRow, limit: SpeedRow | undefined): string[] {
  const { cpuS, perSecond, rssMb, pages } = figuresOf(row)
  const { name, makes, finds } = row.contestant
  return [
    name,
    makes,
    `${pages.toFixed(0)} ${finds}`,
    cpuS.toFixed(2),
    limit ? `${(cpuS / figuresOf(limit).cpuS).toFixed(1)}×` : '-',
    perSecond.toFixed(0),
    (1000 / cpuS).toFixed(0),
    rssMb.toFixed(0),
    row.faults.length === 0 ? 'yes' : 'FAILED',
  ]
}

/** Ratios of CPU to another contestant; those that failed have none. */
export function speedTargets(rows: readonly SpeedRow[]): Target[] {
  const row = (id: string) => rows.find(({ contestant, faults }) => contestant.id === id && faults.length === 0)
  const ratio = (ours: string, theirs: string, what: string, limit: number): Target[] => {
    const [one, other] = [row(ours), row(theirs)]
    if (!one || !other) return []
    return [{ what, limit, measured: figuresOf(one).cpuS / figuresOf(other).cpuS, unit: '×' }]
  }
  const memory = rows.flatMap((each): Target[] =>
    each.contestant.id.startsWith('ours')
      ? [{ what: `peak memory, ${each.contestant.name}`, limit: 290, measured: figuresOf(each).rssMb, unit: 'MB' }]
      : [],
  )
  return [
    ...ratio('ours', 'raw', 'CPU, whole page to raw fetch', 13),
    ...ratio('ours-again', 'raw', 'CPU, unchanged pages to raw fetch', 5),
    ...ratio('ours-main', 'raw', 'CPU, main content and metadata to raw fetch', 14),
    ...ratio('ours', 'crawlee-turndown', 'CPU, whole page to CheerioCrawler + turndown', 1 / 4),
    ...ratio('ours', 'crawlee-mdream', 'CPU, whole page to HttpCrawler + mdream', 1 / 2),
    ...memory,
  ]
}
