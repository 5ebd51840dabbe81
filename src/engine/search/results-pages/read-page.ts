/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { z } from 'zod'

/** Selectors and texts that identify the parts of a results page: CSS selectors, and regular expressions as text. */
export type PageSelectors = {
  /** One element per result. */
  result: string
  /** Ads: matches the result element or an ancestor. */
  advert: string
  /** This and the following selectors apply within a result. */
  link: string
  title: string
  snippet: string
  date: string
  /** Parts of a snippet to remove, such as its date. */
  noise: string
  challenge: string
  challengeText: string
  limitedText: string
  /** Element that shows that there are no results. */
  empty: string
  emptyText: string
}
/** `dates`: texts that may be dates. */
const ResultsItem = z.object({ href: z.string(), title: z.string(), snippet: z.string(), dates: z.array(z.string()) })
export type ResultsItem = z.output<typeof ResultsItem>
export const PageReading = z.object({
  state: z.enum(['results', 'empty', 'challenge', 'limited', 'loading']),
  items: z.array(ResultsItem),
})
export type PageReading = z.output<typeof PageReading>

/**
 * Returns a script that reads a page until its state is known, for at most `patienceMs`. It evaluates to a PageReading.
 */
export function readingScript(marks: PageSelectors, patienceMs: number): string {
  return `(${waitForResults.toString()})(${readResults.toString()}, ${JSON.stringify(marks)}, ${patienceMs})`
}

/** Runs in the page: reads it until its state is known, because scripts may insert results later. */
async function waitForResults(
  read: (marks: PageSelectors) => PageReading,
  marks: PageSelectors,
  patienceMs: number,
): Promise<PageReading> {
  const readEveryMs = 100
  const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  const status = visit?.responseStatus ?? 200
  const maxWaitMs = status === 202 || status >= 400 ? 0 : patienceMs
  let reading = read(marks)
  for (let waitedMs = 0; waitedMs < maxWaitMs && reading.state === 'loading'; waitedMs += readEveryMs) {
    await new Promise((resolve) => setTimeout(resolve, readEveryMs))
    if (read(marks).state === 'loading') continue
    // More results may follow.
    await new Promise((resolve) => setTimeout(resolve, 2 * readEveryMs))
    reading = read(marks)
  }
  // Otherwise the renderer would wait for a page that never finishes loading.
  stop()
  return reading
}

/** Runs in the page: reads its results. Only an explicit message of the engine means that there are none. */
function readResults(marks: PageSelectors): PageReading {
  const maxItems = 50
  const maxChars = 2000
  if (document.querySelector(marks.challenge)) return { state: 'challenge', items: [] }
  const items = Array.from(document.querySelectorAll(marks.result))
    .filter((result) => !result.closest(marks.advert))
    .map(itemOf)
    .filter(({ href, title }) => href !== '' && title !== '')
    .slice(0, maxItems)
  return items.length > 0 ? { state: 'results', items } : { state: stateWithout(), items }

  function stateWithout(): PageReading['state'] {
    if (document.querySelector(marks.empty)) return 'empty'
    const text = `${document.title}\n${document.body?.innerText ?? ''}`.slice(0, 20_000)
    const matches = (source: string) => new RegExp(source, 'iu').test(text)
    if (matches(marks.limitedText)) return 'limited'
    if (matches(marks.challengeText)) return 'challenge'
    // Only the engine's own pages have the query field.
    return document.querySelector('[name=q]') && matches(marks.emptyText) ? 'empty' : 'loading'
  }

  function itemOf(result: Element): ResultsItem {
    const link = result.querySelector(marks.link)
    const dates = Array.from(result.querySelectorAll(marks.date), (element) =>
      (element.textContent ?? '').slice(0, 100),
    )
    return {
      href: link && 'href' in link && typeof link.href === 'string' ? link.href : '',
      title: textOf(result, marks.title),
      snippet: textOf(result, marks.snippet),
      dates: dates.slice(0, 5),
    }
  }

  function textOf(result: Element, selector: string): string {
    const copy = result.querySelector(selector)?.cloneNode(true)
    if (!copy) return ''
    for (const noise of (copy as Element).querySelectorAll(marks.noise)) noise.remove()
    const text = (copy.textContent ?? '').replace(/\s+/g, ' ').replace(/^[\s·•|–—-]+/, '')
    return text.trim().slice(0, maxChars)
  }
}
