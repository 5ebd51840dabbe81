import type { Job, Makes, Taken } from './contestant.ts'
import { numberOf, pageOf } from './pages.ts'

/** Results of a run. Speed counts only if `faults` is empty. */
export type Brought = { pages: number; chars: number; links: number; faults: readonly string[] }

/**
 * `each page`: every page is compared with the key. `sums`: only totals are kept, and must equal those of the checked
 * run.
 */
export type Check = 'each page' | 'sums'

export type Gate = { take(page: Taken): void; brought(): Brought }

export function createGate(makes: Makes, { origin, pages }: Job, check: Check): Gate {
  const sums = { pages: 0, chars: 0, links: 0 }
  const faults: string[] = []
  const seen = new Set<number>()

  function judge(page: Taken): void {
    const at = numberOf(new URL(page.url).pathname, pages)
    if (at === undefined || seen.has(at)) faults.push(`${page.url} ${at === undefined ? 'is no page' : 'came twice'}`)
    else seen.add(at)
    if (at !== undefined) faults.push(...faultsOf(makes, page, at, { origin, pages }))
  }

  return {
    take(page) {
      sums.pages += 1
      sums.chars += page.text.length
      sums.links += page.links?.length ?? 0
      if (check === 'each page') judge(page)
    },
    brought: () => {
      const missing = check === 'each page' ? pages - seen.size : pages - sums.pages
      return { ...sums, faults: missing === 0 ? faults : [`${missing} of ${pages} pages are missing`, ...faults] }
    },
  }
}

function faultsOf(makes: Makes, { text, links }: Taken, at: number, job: Pick<Job, 'origin' | 'pages'>): string[] {
  const key = pageOf(at, job.pages)
  const lost = key.wanted.filter((word) => !text.includes(word)).map((word) => `lost ${word}`)
  const leaked = makes === 'main content' ? key.unwanted.filter((word) => text.includes(word)) : []
  return [...lost, ...leaked.map((word) => `holds ${word}`), ...linkFaults(at, key.links, links, makes, job)]
}

function linkFaults(
  at: number,
  wanted: ReadonlySet<string> | undefined,
  links: readonly string[] | undefined,
  makes: Makes,
  { origin }: Pick<Job, 'origin'>,
): string[] {
  if (makes === 'html' || !wanted) return []
  const there = new Set(links)
  const missing = [...wanted].filter((path) => !there.has(origin + path)).length
  const extra = there.size - (wanted.size - missing)
  return missing + extra === 0 ? [] : [`page ${at} lacks ${missing} links and has ${extra} too many`]
}
