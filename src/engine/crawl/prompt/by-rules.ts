import { amountRules } from './amounts.ts'
import { choiceRules, robotsRule } from './choices.ts'
import type { Draft, PromptOptions, Reasons, Rule } from './draft.ts'
import { escaped, excludedPaths, includedPaths } from './paths.ts'

/** What was made of a prompt. `leftover`: words of the caller's that were not understood; notes are for the caller. */
export type Reading = {
  options: PromptOptions
  reasons: Reasons
  leftover: readonly string[]
  notes: readonly string[]
}

/** Amounts first, since their numbers and units would be taken for parts of the site; what narrows the crawl last. */
const rules: readonly Rule[] = [...amountRules, robotsRule, ...choiceRules, excludedPaths, includedPaths]

/** Reads a prompt in plain English by rules, without a model and without a look at the site. Pure. */
export function readByRules(url: string, prompt: string): Reading {
  const first: Draft = { text: tidied(url, prompt), options: {}, reasons: {}, notes: [] }
  const { text, ...read } = rules.reduce((draft, rule) => rule(draft), first)
  return { ...read, leftover: leftoverOf(text) }
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

/** Words that ask for a crawl without saying which. */
const idle = new Set(
  `a about across again all also an and any are as at be begin below both but by can case could crawl crawled crawler crawling do does
  download each else every everything fetch find first focus follow folder folders for from gather get give go going grab here hi hello
  i if in including include includes index inside into is it items its itself just keep kind let like limit list look looking make map
  me my need next of on once one only option or our out over page pages part parts please pull read relevant restrict result results
  return save scan scrape scraping search section sections see set should site sites so some start starting stay subpages take
  than thank thanks that the their them then there these they thing things this those through to under up url urls use us using visit
  want we web webpage webpages website websites well what where which whole will with within would you your content contents document
  documents path paths link links domain collect extract extracting data info information area directory tree too matching matches
  located lies lie live being have has it's i'd i'm we'd at`.split(/\s+/),
)
const maxWords = 10
const maxLength = 40

/** The words of a prompt that no rule took and that are not mere courtesy. They are the caller's own, and few are told. */
function leftoverOf(text: string): string[] {
  const words = text.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}'’./-]*/gu) ?? []
  const said = words.map((word) => word.replace(/[.'’/-]+$/, '')).filter((word) => !idle.has(word.toLowerCase()))
  return [...new Set(said)].slice(0, maxWords).map((word) => word.slice(0, maxLength))
}
