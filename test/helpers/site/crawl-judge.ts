import { trapOf, type Trap } from './crawl-hosts.ts'
import type { Expected } from './crawl-key.ts'

export type Verdict = {
  /** First URL of each missing page. */
  missing: readonly string[]
  /** URLs that should not be in the result. */
  unexpected: readonly string[]
  /** Pages that are in the result more than once, as documents or errors. */
  twice: readonly string[]
  /** Number of pages from each endless folder. */
  trapped: Readonly<Partial<Record<Trap, number>>>
}

/** Compares the result of a crawl with the expected one; a page may be a document or an error, but not both. */
export function judge(
  expected: Expected,
  actual: { documents: readonly string[]; errors?: readonly string[] },
): Verdict {
  const { documents, errors = [] } = actual
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
