/** Called with each finished page: its HTML and its duration, ms. */
export type Took = (url: string, html: string, tookMs: number) => void

/** A scraper with its browser, which stays open between runs. */
export type Running = {
  run(urls: readonly string[], concurrency: number, took: Took): Promise<void>
  close(): Promise<void>
}

export type Contestant = {
  /** Name used by `--only`. */
  id: string
  name: string
  /** Isolation of pages; pages in one context share its cache. */
  pages: 'new context' | 'shared context'
  open(browserPath: string): Promise<Running>
}

/** Scrapes pages on several concurrent lines, one page after the other on each. */
export function onLines(scrape: (url: string, line: number) => Promise<string>): Running['run'] {
  return async (urls, concurrency, took) => {
    const rest = [...urls]
    const line = async (at: number) => {
      for (let url = rest.shift(); url !== undefined; url = rest.shift()) {
        const startedAt = performance.now()
        took(url, await scrape(url, at), performance.now() - startedAt)
      }
    }
    await Promise.all(Array.from({ length: concurrency }, (_, at) => line(at)))
  }
}
