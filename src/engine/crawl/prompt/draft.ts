/** What a prompt can say of a crawl, by the names of the crawl's options. */
export type PromptOptions = {
  includePaths?: string[]
  excludePaths?: string[]
  maxDiscoveryDepth?: number
  crawlEntireDomain?: boolean
  allowExternalLinks?: boolean
  allowSubdomains?: boolean
  sitemap?: 'skip' | 'include' | 'only'
  ignoreQueryParameters?: boolean
  deduplicateSimilarURLs?: boolean
  /** Seconds. */
  delay?: number
  limit?: number
}

/** A prompt that is being read: what is still to be understood of it, and what was. */
export type Draft = { text: string; options: PromptOptions; notes: readonly string[] }
export type Rule = (draft: Draft) => Draft

/** Stands where something was understood, so that the words on its two sides do not join. */
export const gap = ' ¦ '

/** A rule that takes the first place where a pattern fits; undefined leaves the place as it is. What was set first stays. */
export function firstMatch(
  pattern: RegExp,
  read: (match: RegExpExecArray) => PromptOptions | undefined,
  keeps: (match: RegExpExecArray) => string = () => '',
): Rule {
  return (draft) => {
    const match = pattern.exec(draft.text)
    const found = match && read(match)
    if (!match || !found) return draft
    const text = `${draft.text.slice(0, match.index)}${gap}${keeps(match)}${draft.text.slice(match.index + match[0].length)}`
    return { ...draft, text, options: { ...found, ...draft.options } }
  }
}
