import { join } from 'node:path'
import { startSite } from '../lib/start-site.ts'
import { table } from '../lib/table.ts'
import type { Target } from '../lib/targets.ts'
import { measured, type Sample } from './lane.ts'
import { openOurs } from './ours-lane.ts'

export type MemoryRow = { pages: number; sample: Sample }

export type MemoryWish = { file: string; workDir: string; pages: number; concurrency: number }

/** Measures our server on a tenth of the pages and on all of them, each time freshly started with an empty folder. */
export async function measureMemory({ file, workDir, pages, concurrency }: MemoryWish): Promise<MemoryRow[]> {
  const rows: MemoryRow[] = []
  for (const count of [Math.ceil(pages / 10), pages]) {
    const site = await startSite(join(import.meta.dirname, 'site.ts'), [String(count)])
    const lane = await openOurs('ours-main', file, join(workDir, String(count)))
    const sample = await measured(lane, { origin: site.origin, pages: count, concurrency }, 'sums')
    rows.push({ pages: count, sample })
    await lane.end()
    await site.end()
  }
  return rows
}

export const memoryTable = (rows: readonly MemoryRow[]): string =>
  table(
    ['pages', 'peak MB', 'CPU s/1,000', 'whole'],
    rows.map(({ pages, sample: { rssMb, cpuMs, faults } }) => [
      String(pages),
      rssMb.toFixed(0),
      (cpuMs / pages).toFixed(2),
      faults.length === 0 ? 'yes' : `FAILED: ${faults[0]}`,
    ]),
  )

export function memoryTargets(rows: readonly MemoryRow[]): Target[] {
  const [few, many] = rows
  if (!few || !many) return []
  return [
    { what: `peak memory, ${many.pages} pages`, limit: 290, measured: many.sample.rssMb, unit: 'MB' },
    {
      what: `peak memory, ${many.pages} pages to ${few.pages}`,
      limit: 1.15,
      measured: many.sample.rssMb / few.sample.rssMb,
      unit: '×',
    },
  ]
}
