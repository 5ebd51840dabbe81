/** Converts a page's HTML to the markdown of its main content. */
export type ToMarkdown = (html: string, url: string) => string | Promise<string>

export type Contestant = {
  /** Name used by `--only`. */
  id: string
  name: string
  /** Loads its libraries; not measured. */
  load(): Promise<ToMarkdown>
}
