import { table } from '../lib/table.ts'
import type { Target } from '../lib/targets.ts'
import { openLane } from './lane.ts'
import { ours } from './ours.ts'
import { pathOf } from './pages.ts'

/**
 * Memory after this many pages, MB (10⁶ bytes): the highest during the last twenty-five pages, which are visited four
 * at a time.
 */
export type MemoryRow = { pages: number; nodeMb: number; browserMb: number }

const step = 25

/** Measures how the memory of our renderer grows with the number of pages, browser replacements included. */
export async function measureMemory(browserPath: string, origin: string, pages: number): Promise<MemoryRow[]> {
  const lane = await openLane(ours, browserPath)
  const rows: MemoryRow[] = []
  try {
    for (let done = 0; done < pages; done += step) {
      const urls = Array.from({ length: step }, (_, at) => origin + pathOf(done + at))
      const { nodeMb, browserMb, faults } = await lane.run({ urls, concurrency: 4 })
      if (faults[0] !== undefined) throw new Error(faults[0])
      rows.push({ pages: done + step, nodeMb, browserMb })
      process.stderr.write('.')
    }
  } finally {
    await lane.end()
  }
  process.stderr.write('\n')
  return rows
}

export function memoryTable(rows: readonly MemoryRow[]): string {
  const shown = rows.filter(({ pages }) => pages % 100 === 0)
  return table(
    ['pages', 'Node MB', 'browser MB'],
    shown.map(({ pages, nodeMb, browserMb }) => [String(pages), nodeMb.toFixed(0), browserMb.toFixed(0)]),
  )
}

export function memoryTargets(rows: readonly MemoryRow[]): Target[] {
  const early = rows.find(({ pages }) => pages === 100)
  const late = rows.at(-1)
  if (!early || !late || late.pages < 200) return []
  const of = (row: MemoryRow) => row.nodeMb + row.browserMb
  const what = `memory after ${late.pages} pages to that after ${early.pages}`
  return [{ what, limit: 1.15, measured: of(late) / of(early), unit: '×' }]
}
