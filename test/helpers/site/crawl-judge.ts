import { trapOf, type Trap } from './crawl-hosts.ts'
import type { Expected } from './crawl-key.ts'

export type Verdict = {
  /** First address of each page that did not come. */
  missing: readonly string[]
  /** Addresses that should not have come. */
  unexpected: readonly string[]
  /** Pages that came more than once, as documents or as errors. */
  twice: readonly string[]
  /** How many came of each folder without end. */
  trapped: Readonly<Partial<Record<Trap, number>>>
}

/** Compares what a crawl brought with what it must bring; a page may be a document or an error, and is never both. */
export function judge(
  expected: Expected,
  brought: { documents: readonly string[]; errors?: readonly string[] },
): Verdict {
  const { documents, errors = [] } = brought
  const byIdentity = new Map(
    expected.pages.flatMap((page) => page.urls.map((url) => [expected.identity(url), page] as const)),
  )
  const mayFail = new Set(expected.failed.map(expected.identity))
  const isFailure = (url: string) => errors.includes(url) && mayFail.has(expected.identity(url))
  const trapped = documents.filter((url) => trapOf(new URL(url).pathname))
  const came = [...documents, ...errors]
    .filter((url) => !trapped.includes(url))
    .map((url) => ({ url, page: byIdentity.get(expected.identity(url)) }))
  const times = Map.groupBy(came, ({ page, url }) => page ?? url)
  return {
    missing: expected.pages.filter((page) => !times.has(page)).map(({ urls }) => urls[0] ?? ''),
    unexpected: came.filter(({ page, url }) => !page && !isFailure(url)).map(({ url }) => url),
    twice: [...times.values()].filter((all) => all.length > 1).map(([first]) => first?.url ?? ''),
    trapped: Object.fromEntries(
      [...Map.groupBy(trapped, (url) => trapOf(new URL(url).pathname))].map(([trap, urls]) => [trap, urls.length]),
    ),
  }
}
