export type Kind = 'article' | 'product'

/** A way to understand pages without a language model. */
export type Reader = {
  name: string
  open(html: string, url: string): OpenPage
}
export type OpenPage = {
  answer(question: string): string
  highlights(query: string): string
  /** Absent if the reader fills no fields. */
  fields?(kind: Kind): Record<string, unknown>
}
