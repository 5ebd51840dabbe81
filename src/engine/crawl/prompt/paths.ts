import { maxPatterns } from '../../../schema/crawl-schema.ts'
import { type PromptOptions, reason, type Reasons } from '../crawl-options.ts'

/** State of reading a prompt: the text not yet understood, and the options derived so far. */
export type Draft = { text: string; options: PromptOptions; reasons: Reasons; notes: readonly string[] }
export type Rule = (draft: Draft) => Draft

/** Replaces text that was understood, so the words before and after it are not joined. */
export const gap = ' ¦ '

/** Words for parts of a site, and the folder names they stand for. The first row that matches applies. */
const rows: readonly (readonly [words: string, folders: string])[] = [
  ['api (?:reference|docs?|documentation)', 'api(?:-docs|-reference)?|reference'],
  ['developer (?:reference|docs?|documentation|portal)', 'docs?|documentation|developers?|api'],
  ['release notes?|releases', 'release-?notes?|releases?|change-?logs?'],
  ['case stud(?:y|ies)', 'case-stud(?:y|ies)|customers?|stories'],
  ['privacy(?: polic(?:y|ies))?', 'privacy(?:-policy)?|legal'],
  ['terms(?: (?:of|and) (?:service|use|conditions))?', 'terms(?:-[a-z-]+)?|tos|legal'],
  ['knowledge[- ]?base', 'kb|knowledge-?base|help'],
  ['white ?papers?', 'white-?papers?'],
  ['how[- ]?tos?', 'how-?tos?'],
  ['(?:log|sign)[- ]?ins?(?= pages?| forms?|$|[,.;¦])', 'log-?in|sign-?in'],
  ['(?:sign[- ]?ups?|registration)(?= pages?| forms?|$|[,.;¦])', 'sign-?up|register|registration'],
  [
    'about(?: us| the company)(?= pages?| sections?|$|[,.;¦]| and| or)|about(?= pages?| sections?| and [a-z]+ pages?|\\s*$|\\s*[,.;¦])',
    'about(?:-us)?|company',
  ],
  ['contact(?: us)?(?= pages?| sections?| details|\\s*$|\\s*[,.;¦]| and| or)', 'contact(?:-us)?'],
  ['(?:blog|weblog)s?(?: (?:posts?|articles?|entries))?', 'blogs?|posts?'],
  ['posts?', 'posts?|blogs?'],
  ['(?:docs?|documentation|manuals?)', 'docs?|documentation|manuals?'],
  [
    '(?:job|career|vacanc|opening|position)(?:y|s|ies)?(?: (?:postings?|openings?|listings?|offers?|pages?))?',
    'jobs?|careers?|vacanc(?:y|ies)|openings?|positions?',
  ],
  ['pric(?:e|es|ing)(?: (?:plans?|lists?))?', 'pric(?:e|es|ing)|plans?'],
  ['(?:shop|store)s?', 'shop|store'],
  ['(?:customer )?support', 'support|help'],
  ['change-?\\s?logs?', 'change-?logs?'],
  ['f\\.?a\\.?q\\.?s?', 'faqs?'],
  ['news(?: (?:articles?|stories|posts?))?', 'news'],
  ['press(?: releases?)?', 'press(?:-releases?|-room)?|news-?room'],
  ['stories', 'stor(?:y|ies)|news|blog'],
  ['articles?', 'articles?|blog|news'],
  ['(?:shopping )?carts?', 'cart|basket'],
]
const plain =
  'api reference guide tutorial example help product collection categories team legal event webinar podcast video customer integration feature solution service partner community forum recipe course lesson research paper publication report resource download account profile checkout tag author archive admin investor location portfolio project review security status wiki glossary template marketplace academy newsletter quickstart sport image gallery thread user comment listing dashboard essay issue plugin theme package library component'.split(
    ' ',
  )

const plural = (word: string) =>
  word === 'categories' ? 'categor(?:y|ies)' : word.endsWith('y') ? `${word.slice(0, -1)}(?:y|ies)` : `${word}s?`
const sections = [...rows, ...plain.map((word) => [plural(word), plural(word)] as const)]

const languages: Readonly<Record<string, string>> = {
  english: 'en',
  german: 'de',
  french: 'fr',
  spanish: 'es',
  italian: 'it',
  portuguese: 'pt',
  dutch: 'nl',
  polish: 'pl',
  russian: 'ru',
  japanese: 'ja',
  korean: 'ko',
  chinese: 'zh',
  turkish: 'tr',
  arabic: 'ar',
  swedish: 'sv',
  danish: 'da',
}

const file = 'pdf|docx|xlsx|pptx|csv'
const isFile = new RegExp(`^(${file})(?:s?|s? files?)$`, 'i')

/** Source of a regular expression for a part of a site. */
const sectionWord = `(?:${sections.map(([words]) => words).join('|')}|${Object.keys(languages).join('|')}|(?:${file})s?)`

/** Returns the pattern of the folders that a word stands for; undefined if the word names no part of a site. */
function folderPattern(word: string): string | undefined {
  const language = languages[word.toLowerCase()]
  if (language) return `/${language}(?:[-_][A-Za-z]{2,4})?(?:/|$)`
  const [, ending] = isFile.exec(word) ?? []
  if (ending) return `\\.(?:${ending.toLowerCase()}|${ending.toUpperCase()})$`
  const row = tests.find(([test]) => test.test(word))
  return row && `/(?:${row[1]})(?:[/.]|$)`
}

/** Tests for a single word. The look-aheads in the patterns also match at the end of the word. */
const tests = sections.map(([words, folders]) => [new RegExp(`^(?:${words})$`, 'i'), folders] as const)

const not =
  "except(?:ing)?(?: for)?|exclud(?:e|es|ing)|skip(?:s|ping)?|ignor(?:e|es|ing)|without|avoid(?:s|ing)?|omit(?:s|ting)?|leav(?:e|ing) out|(?:but|and) not|(?:but )?no|(?:but |and )?nothing|not(?: to| including)?|never|drop(?:ping)?|minus|other than|apart from|aside from|stay(?:ing)? (?:away from|out of)|(?:do not|don'?t|never|avoid|not)(?: want(?: to)?| need(?: to)?)?(?: (?:include|including|crawl|crawling|scrape|scraping|visit|visiting|follow|following|go(?: in)?to|going into|get|getting|fetch|touch))"
const filler = String.raw`(?:the|any|all|its|their|every|everything|anything|whatever|(?:is|are|that|which|with|have|lies?|starts?|starting|begin|beginning|match|matching|contain|containing)|pages?|paths?|urls?|links?|contents?|sections?|folders?|director(?:y|ies)|parts?|areas?|files?|subpages?|of|in|from|on|under|below|inside|within|beneath|about(?! pages?\b| sections?\b|\s*$|\s*[,.;¦])|old|other|actual|individual)`
const kind = String.raw`(?: (?:pages?|sections?|posts?|folders?|director(?:y|ies)|parts?|areas?|archives?|subpages?|urls?|paths?|content|site|version|cent(?:er|re)|tree|subtree|itself|(?:and )?(?:everything|all|anything)? ?(?:below|under|in) (?:it|there|them)))*`
const written = String.raw`\/[\w~%][\w\-.~%]*(?:\/[\w\-.~%]+)*\/?(?![\w])`
/** An unknown word counts as a part of a site only if the sentence says that it is one. */
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

/** Maximum number of patterns from a prompt; one more is reserved for the start page. */
export const maxPaths = Math.min(maxPatterns, 100) - 1

/** Words that do not name a place, so they cannot be a loose item. */
const noPlace =
  /^(?:the|any|all|that|this|these|those|them|they|it|pages?|links?|urls?|paths?|content|sections?|sites?|website|everything|anything|else|more|than|be|too|so|very|need|want|matter|include|including|crawl|scrape|follow|only|just|please|you|your|a|an|and|or|but|for|with|into|from|not|no)$/i

/** Collects paths to exclude: written paths, known parts of sites, and any other named exclusion. */
export const excludedPaths: Rule = (draft) => collect(draft, exclusion, 'excludePaths')

/**
 * Collects paths to include. A part that is merely mentioned together with the whole site does not narrow the crawl.
 */
export const includedPaths: Rule = (draft) => {
  const isWhole = draft.options.crawlEntireDomain === true && !/\bonly\b|\bjust\b/i.test(draft.text)
  const found = collect(draft, inclusion, 'includePaths')
  if (!isWhole) return found
  const { includePaths: _, ...options } = found.options
  const { includePaths: __, ...reasons } = found.reasons
  return { ...found, options, reasons }
}

function collect(draft: Draft, pattern: RegExp, option: 'includePaths' | 'excludePaths'): Draft {
  const found: string[] = []
  const matched: string[] = []
  const text = draft.text.replace(pattern, (whole: string, list: string) => {
    const patterns = list.split(splitter).map((each) => patternOf(each.trim().replace(leadingNot, '')))
    if (!patterns.some(Boolean)) return whole
    found.push(...patterns.filter((each) => each !== undefined))
    matched.push(whole)
    return gap
  })
  if (found.length === 0) return draft
  const all = [...new Set([...(draft.options[option] ?? []), ...found])]
  const notes =
    all.length > maxPaths ? [...draft.notes, `Only ${maxPaths} of the ${all.length} paths are used.`] : draft.notes
  const options = { ...draft.options, [option]: all.slice(0, maxPaths) }
  return { text, notes, options, reasons: { ...draft.reasons, [option]: reason('rules', matched) } }
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

/** Returns a pattern for a folder with everything below it, or for a file. */
function pathPattern(path: string): string {
  const bare = path.replace(/[/.]+$/, '')
  return /\.[a-z]{2,5}$/i.test(bare) ? `^${escaped(bare)}$` : `^${escaped(bare)}(?:/|$)`
}

export const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
