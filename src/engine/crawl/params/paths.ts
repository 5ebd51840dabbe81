import { maxPatterns } from '../../../schema/crawl.ts'
import { type Draft, gap, type Rule } from './draft.ts'
import { folderPattern, sectionWord } from './section-words.ts'

const not =
  "except(?:ing)?(?: for)?|exclud(?:e|es|ing)|skip(?:s|ping)?|ignor(?:e|es|ing)|without|avoid(?:s|ing)?|omit(?:s|ting)?|leav(?:e|ing) out|(?:but|and) not|(?:but )?no|(?:but |and )?nothing|not(?: to| including)?|never|drop(?:ping)?|minus|other than|apart from|aside from|stay(?:ing)? (?:away from|out of)|(?:do not|don'?t|never|avoid|not)(?: want(?: to)?| need(?: to)?)?(?: (?:include|including|crawl|crawling|scrape|scraping|visit|visiting|follow|following|go(?: in)?to|going into|get|getting|fetch|touch))"
const filler = String.raw`(?:the|any|all|its|their|every|everything|anything|whatever|(?:is|are|that|which|with|have|lies?|starts?|starting|begin|beginning|match|matching|contain|containing)|pages?|paths?|urls?|links?|contents?|sections?|folders?|director(?:y|ies)|parts?|areas?|files?|subpages?|of|in|from|on|under|below|inside|within|beneath|about(?! pages?\b| sections?\b|\s*$|\s*[,.;¦])|old|other|actual|individual)`
const kind = String.raw`(?: (?:pages?|sections?|posts?|folders?|director(?:y|ies)|parts?|areas?|archives?|subpages?|urls?|paths?|content|site|version|cent(?:er|re)|tree|subtree|itself|(?:and )?(?:everything|all|anything)? ?(?:below|under|in) (?:it|there|them)))*`
const written = String.raw`\/[\w~%][\w\-.~%]*(?:\/[\w\-.~%]+)*\/?(?![\w])`
/** An unknown word counts as a part of a site only where the sentence says that it is one. */
const named = String.raw`[a-z][a-z-]{2,29}(?= (?:pages?|sections?|folders?|director(?:y|ies)|areas?|archives?|subpages?)\b)`
const loose = String.raw`[a-z][a-z-]{2,29}`
const join = String.raw`\s*(?:,\s*(?:and|or|nor|&)?|\band\b|\bor\b|\bnor\b|&|\+)\s*`

const item = (words: string) => `(?:${filler} )*(?:${written}|${sectionWord}(?![\\w-])|${words})${kind}`
const listOf = (words: string) => `${item(words)}(?:${join}(?:(?:${not})\\s+)?${item(words)}){0,19}`
const exclusion = new RegExp(`(?<![\\w/-])(?:${not}):?\\s+(${listOf(`${named}|${loose}`)})`, 'gi')
const inclusion = new RegExp(`(?<![\\w/-])(${item(named)})`, 'gi')
const inItem = new RegExp(`^(?:(?:${filler})\\s+)*(${written}|${sectionWord}|${loose})`, 'i')
const splitter = new RegExp(join, 'i')
const leadingNot = new RegExp(`^(?:${not})\\s+`, 'i')

/** One is left for the start page. */
const maxPaths = maxPatterns - 1

/** Words that a loose item may not be: they say nothing of a place. */
const noPlace =
  /^(?:the|any|all|that|this|these|those|them|they|it|pages?|links?|urls?|paths?|content|sections?|sites?|website|everything|anything|else|more|than|be|too|so|very|need|want|matter|include|including|crawl|scrape|follow|only|just|please|you|your|a|an|and|or|but|for|with|into|from|not|no)$/i

/** Paths that the crawl leaves out: written ones, known parts of sites, and whatever else is named to be left out. */
export const excludedPaths: Rule = (draft) => collect(draft, exclusion, 'excludePaths')

/** Paths that the crawl is kept to. A part of the site that is merely mentioned with the whole site does not narrow it. */
export const includedPaths: Rule = (draft) => {
  const isWhole = draft.options.crawlEntireDomain === true && !/\bonly\b|\bjust\b/i.test(draft.text)
  const found = collect(draft, inclusion, 'includePaths')
  if (!isWhole) return found
  const { includePaths: _, ...options } = found.options
  return { ...found, options }
}

function collect(draft: Draft, pattern: RegExp, option: 'includePaths' | 'excludePaths'): Draft {
  const found: string[] = []
  const text = draft.text.replace(pattern, (whole: string, list: string) => {
    const patterns = list.split(splitter).map((each) => patternOf(each.trim().replace(leadingNot, '')))
    if (!patterns.some(Boolean)) return whole
    found.push(...patterns.filter((each) => each !== undefined))
    return gap
  })
  if (found.length === 0) return draft
  const all = [...new Set([...(draft.options[option] ?? []), ...found])]
  const notes =
    all.length > maxPaths ? [...draft.notes, `Only ${maxPaths} of the ${all.length} paths are used.`] : draft.notes
  return { text, notes, options: { ...draft.options, [option]: all.slice(0, maxPaths) } }
}

function patternOf(text: string): string | undefined {
  const word = inItem.exec(text)?.[1]?.trim()
  if (!word) return undefined
  if (word.startsWith('/')) return pathPattern(word)
  if (noPlace.test(word)) return undefined
  return (
    folderPattern(text.trim()) ??
    folderPattern(word) ??
    folderPattern(`${word}s`) ??
    `/${escaped(word.replace(/(?<=[a-z]{3})s$/, ''))}s?(?:[/.]|$)`
  )
}

/** A folder with all that is below it, or a file. */
function pathPattern(path: string): string {
  const bare = path.replace(/[/.]+$/, '')
  return /\.[a-z]{2,5}$/i.test(bare) ? `^${escaped(bare)}$` : `^${escaped(bare)}(?:/|$)`
}

export const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
