/** Output of a contestant for a page, which determines what is required of it. */
export type Makes =
  /** The HTML, decoded. */
  | 'html'
  /** Markdown of the whole page, and its links. */
  | 'page'
  /** Markdown of the main content, metadata, and the links of the whole page. */
  | 'main content'

export type Job = { origin: string; pages: number; concurrency: number }
export type Taken = {
  /** Address of the page. */
  url: string
  text: string
  /** Absolute URLs; undefined if the contestant does not extract links. */
  links: readonly string[] | undefined
}
export type Take = (page: Taken) => void

/** A crawler in this process. It gets the addresses of all pages, or discovers them from the first one. */
export type Contestant = {
  /** Name used by `--only`. */
  id: string
  name: string
  makes: Makes
  finds: 'given' | 'found'
  load(): Promise<(job: Job, take: Take) => Promise<void>>
}
