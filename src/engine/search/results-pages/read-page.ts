/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

/** How the parts of a results page are told apart: CSS selectors, and texts as sources of regular expressions. */
export type Marks = {
  /** One element a result. */
  result: string
  /** What is paid for: the element of a result, or one around it. */
  advert: string
  /** These are looked for inside a result. */
  link: string
  title: string
  snippet: string
  date: string
  /** What stands in a snippet and belongs to the page, not to the result. */
  noise: string
  challenge: string
  challengeText: string
  limitedText: string
  /** The engine's own word that there is nothing. */
  empty: string
  emptyText: string
}
/** `dates` is what stands where dates stand. */
export type ResultsItem = { href: string; title: string; snippet: string; dates: string[] }
export type Reading = {
  state: 'results' | 'empty' | 'challenge' | 'limited' | 'loading'
  items: ResultsItem[]
}

/** A script that looks at a page until it is one thing or another, for so many ms at most. Its value is a Reading. */
export function readingScript(marks: Marks, patienceMs: number): string {
  return `(${waitForResults.toString()})(${lookAtResults.toString()}, ${JSON.stringify(marks)}, ${patienceMs})`
}

/** Runs in the page. A refusal is known at the first look; results may still be put in by a script. */
async function waitForResults(look: (marks: Marks) => Reading, marks: Marks, patienceMs: number): Promise<Reading> {
  const lookEveryMs = 100
  const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  const status = visit?.responseStatus ?? 200
  const maxWaitMs = status === 202 || status >= 400 ? 0 : patienceMs
  let reading = look(marks)
  for (let waitedMs = 0; waitedMs < maxWaitMs && reading.state === 'loading'; waitedMs += lookEveryMs) {
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs))
    if (look(marks).state === 'loading') continue
    // More results may be on their way.
    await new Promise((resolve) => setTimeout(resolve, 2 * lookEveryMs))
    reading = look(marks)
  }
  // Otherwise a page that never ends would be waited for once more.
  stop()
  return reading
}

/** Runs in the page. Nothing but the word of the engine says that there are no results. */
function lookAtResults(marks: Marks): Reading {
  const maxItems = 50
  const maxChars = 2000
  if (document.querySelector(marks.challenge)) return { state: 'challenge', items: [] }
  const items = Array.from(document.querySelectorAll(marks.result))
    .filter((result) => !result.closest(marks.advert))
    .map(itemOf)
    .filter(({ href, title }) => href !== '' && title !== '')
    .slice(0, maxItems)
  return items.length > 0 ? { state: 'results', items } : { state: stateWithout(), items }

  function stateWithout(): Reading['state'] {
    if (document.querySelector(marks.empty)) return 'empty'
    const text = `${document.title}\n${document.body?.innerText ?? ''}`.slice(0, 20_000)
    const says = (source: string) => new RegExp(source, 'iu').test(text)
    if (says(marks.limitedText)) return 'limited'
    if (says(marks.challengeText)) return 'challenge'
    // The field of the query stands on pages of the engine itself, and on no one else's.
    return document.querySelector('[name=q]') && says(marks.emptyText) ? 'empty' : 'loading'
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
