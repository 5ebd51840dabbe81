import { amountRules } from './amounts.ts'
import { choiceRules, robotsRule } from './choices.ts'
import type { Draft, PromptOptions, Rule } from './draft.ts'
import { escaped, excludedPaths, includedPaths } from './paths.ts'
import { leftoverOf } from './leftover.ts'

/** What a prompt means for a crawl, and what of it was not understood. */
export type CrawlOptionsPreview = { options: PromptOptions; warning?: string }

/** Amounts first, since their numbers and units would be taken for parts of the site; what narrows the crawl last. */
const rules: readonly Rule[] = [...amountRules, robotsRule, ...choiceRules, excludedPaths, includedPaths]

/** Reads a prompt in plain English by rules, without a model. Pure; whatever it cannot read is named in `warning`. */
export function optionsFromPrompt(url: string, prompt: string): CrawlOptionsPreview {
  const first: Draft = { text: tidied(url, prompt), options: {}, notes: [] }
  const { text, options, notes } = rules.reduce((draft, rule) => rule(draft), first)
  const leftover = leftoverOf(text)
  const said = [
    ...notes,
    ...(leftover.length > 0
      ? [
          `The prompt is read by rules, which made nothing of: ${leftover.join(', ')}. Set the options yourself where that matters.`,
        ]
      : []),
  ]
  return { options: reaching(url, options), ...(said.length > 0 && { warning: said.join(' ') }) }
}

/** Marks around paths and addresses of the site say no more than the bare path does. */
function tidied(url: string, prompt: string): string {
  const origin = URL.parse(url)?.host ?? ''
  const bare = origin.replace(/^www\./, '')
  const address = new RegExp(`(?:https?://)?(?<![\\w.-])(?:www\\.)?${escaped(bare)}(?![\\w-]|\\.\\w)`, 'gi')
  return prompt
    .replace(/[‘’]/g, "'")
    .replace(/[“”"`]|(?<!\w)'|'(?!\w)/g, ' ')
    .replace(bare === '' ? /$^/ : address, ' ')
    .replace(/\b(?:nothing|no pages?) (?:but|except|other than|else than)\b/gi, 'only')
    .replace(/(?<=\/[\w\-./]*)\*+/g, '')
    .replace(/[()[\]{}<>]/g, ' , ')
    .replace(/(?<=\s|^)\/(?=\s|$)/g, ' ')
    .replace(/[ \t]+/g, ' ')
    .replace(/\s*\n\s*/g, ' . ')
    .trim()
}

/** The start page is held to the patterns too, and without it there would be no way to the pages that fit. */
function reaching(url: string, options: PromptOptions): PromptOptions {
  const { includePaths } = options
  if (!includePaths) return options
  const path = URL.parse(url)?.pathname ?? '/'
  if (includePaths.some((pattern) => new RegExp(pattern).test(path))) return options
  const folder = path.replace(/\/+$/, '')
  const isBelow = folder === '' || includePaths.every((pattern) => pattern.startsWith(`^${escaped(folder)}/`))
  return {
    ...options,
    includePaths: [`^${escaped(folder)}/?$`, ...includePaths],
    ...(!isBelow && { crawlEntireDomain: true }),
  }
}
