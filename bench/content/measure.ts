import type { Contestant, ToMarkdown } from './contestant.ts'
import type { LabelledPage } from './page-set.ts'
import { scoreOf, type Score } from './score.ts'

export type Result = Score & {
  id: string
  url: string
  type: string
  /** User and system time of the process for one call on a page it has just seen. */
  cpuMs: number
  /** The contestant threw, which counts as an empty answer. */
  failed: boolean
  /** True if the whole main text is known, not just snippets. */
  isTruthKnown: boolean
}
export type Row = { contestant: Contestant; results: readonly Result[] }

/**
 * Measures page by page, with the contestants in a different order each time. Each is called twice per page: its first
 * answer is scored, the second call is timed, so its code is warm and the garbage is its own.
 */
export async function measureAll(
  contestants: readonly Contestant[],
  pages: AsyncIterable<LabelledPage>,
  progress: (pages: number) => void,
): Promise<Row[]> {
  const ready = await Promise.all(contestants.map(async (each) => ({ contestant: each, run: await each.load() })))
  const results = new Map<Contestant, Result[]>(contestants.map((contestant) => [contestant, []]))
  let seen = 0
  for await (const page of pages) {
    const first = seen % ready.length
    for (const { contestant, run } of [...ready.slice(first), ...ready.slice(0, first)])
      results.get(contestant)?.push(await measureOne(run, page))
    progress(++seen)
  }
  return contestants.map((contestant) => ({ contestant, results: results.get(contestant) ?? [] }))
}

async function measureOne(run: ToMarkdown, page: LabelledPage): Promise<Result> {
  const { id, url, type, html, truth } = page
  const markdown = await answerOf(run, page)
  const before = process.cpuUsage()
  await answerOf(run, { html, url })
  const { user, system } = process.cpuUsage(before)
  const facts = {
    id,
    url,
    type,
    cpuMs: (user + system) / 1000,
    failed: markdown === undefined,
    isTruthKnown: truth !== '',
  }
  return { ...facts, ...scoreOf(markdown ?? '', page) }
}

/** Undefined if the contestant fails, which counts as its result and does not end the run. */
async function answerOf(
  run: ToMarkdown,
  { html, url }: Pick<LabelledPage, 'html' | 'url'>,
): Promise<string | undefined> {
  try {
    return await run(html, url)
  } catch {
    return undefined
  }
}
