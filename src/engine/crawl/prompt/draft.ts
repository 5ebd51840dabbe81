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

/** What an option was derived from: who derived it, and the words of the prompt that say so. */
export type Reason = { by: 'rules' | 'site' | 'model'; words?: string }
export type Reasons = { [K in keyof PromptOptions]?: Reason }

/** A prompt that is being read: what is still to be understood of it, and what was. */
export type Draft = { text: string; options: PromptOptions; reasons: Reasons; notes: readonly string[] }
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
    return { ...draft, text, options: { ...found, ...draft.options }, reasons: because(draft, found, match[0]) }
  }
}

function because({ reasons }: Draft, found: PromptOptions, words: string): Reasons {
  const why = reason('rules', [words])
  return { ...Object.fromEntries(Object.keys(found).map((option) => [option, why])), ...reasons }
}

const maxWords = 200

/** Words that no rule gives are left out, and so is what would fill an answer. */
export function reason(by: Reason['by'], words: readonly string[]): Reason {
  const said = [...new Set(words.map((each) => each.trim()).filter((each) => each !== ''))].join(', ')
  return { by, ...(said !== '' && { words: said.slice(0, maxWords) }) }
}
