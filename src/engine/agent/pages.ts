export type Link = { url: string; text: string }
/** A page that was read, or why it was not. `filled`: the schema as the built-in extraction fills it from this page. */
export type PageRead = { asked: string } & (
  | { url: string; title: string; markdown: string; links: Link[]; filled?: unknown }
  | { error: string }
)
export type ReadablePage = Extract<PageRead, { url: string }>
export const isRead = (page: PageRead): page is ReadablePage => 'url' in page
