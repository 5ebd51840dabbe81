import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { DocsPage, Documentation, DocsHit } from '../../../contracts/ports.ts'
import { type Counted, tally } from '../../../util/rank.ts'
import {
  type Concept,
  type Counts,
  countsOf,
  type FieldIndex,
  indexFields,
  pairsHeld,
  pairsIn,
  relatedShare,
  type Section,
  sectionsOf,
} from './indexed-fields.ts'
import { termsOf, termsOfMany, relatedWords, vagueWords } from './vocabulary.ts'
import { distance } from '../../../util/words.ts'

/** Minimum length of a word part; shorter ones match too many words. */
const minPart = 4
/** Minimum length of a word to be compared with misspelled ones; shorter ones are too similar to others. */
const minMistyped = 6

/**
 * Finds words of the documentation similar to an unknown word: the longest one that it starts or ends with (`ebook`),
 * otherwise those that differ by one letter or a swap of two.
 */
function nearWords(word: string, known: Iterable<string>): string[] {
  let longest = ''
  const mistyped: string[] = []
  for (const each of known) {
    const isPart = each.length >= minPart && (word.endsWith(each) || word.startsWith(each))
    if (isPart && each.length > longest.length) longest = each
    if (isOneOff(word, each)) mistyped.push(each)
  }
  if (longest.length * 2 > word.length) return [longest]
  return mistyped
}

const isOneOff = (one: string, other: string): boolean =>
  Math.min(one.length, other.length) >= minMistyped &&
  Math.abs(one.length - other.length) <= 1 &&
  distance(one, other) === 1

/** Score of a phrase that contains the whole question, relative to a word of the text. */
const phraseShare = 4
/** Score of two adjacent words in such a phrase, relative to a word of the text. */
const pairShare = 12
const vagueShare = 0.3
/** Matches numbers, which are rarely significant, except statuses such as 429. */
const amount = /^(?![45]\d\d$)\d+$/
/**
 * Share that each further section, up to five, adds to the score of its page: a relevant page mentions the topic more
 * than once.
 */
const furtherShare = 0.2
const furtherSections = 5
/** Share of the whole page's score: the words of a question may be spread over sections. */
const pageShare = 0.4
/** Factors for reference pages, which list every field or flag: a guide that matches too is more helpful. */
const operationShare = 0.5
const ofOperation = /^reference\/(?!errors|formats)/
const commandShare = 0.85
const ofCommand = 'command-line.md'
/** Matches pages for developers of the program, and indexes. */
const internal = /^(?:architecture|checklist|decisions|glossary|index|reference\/index)\.md$/

/** Matches names of settings, fields, errors and headers; a section without the name is about something else. */
const identifier = /\b(?:[A-Za-z]+_\w+|[a-z]+[A-Z]\w*|X-[\w-]+)\b/g

type Phrase = { rarities: ReadonlyMap<string, number>; whole: number }
type Scored = { section: Section; score: number; held: readonly number[] }
type PageIndex = { words(path: string, concepts: readonly Concept[]): number }

/**
 * Searches sections by BM25+ over their fields, and by the phrases that people ask about them. Words are weighted by
 * rarity and also match by synonyms. Pages with the best sections come first.
 */
export function createDocsIndex(pages: readonly DocsPage[]): { find(question: string): DocsHit[] } {
  const sections = pages.filter(({ path }) => !internal.test(path)).flatMap(sectionsOf)
  const terms = termsOfMany()
  const counts = sections.map((section) => countsOf(section, terms))
  const index = indexFields(counts)
  const whole = indexPages(sections, counts)
  const phrases = sections.map(({ askedAs }) => askedAs.map((phrase) => phraseOf(terms(phrase), index)))
  const pairs = sections.map((section) => pairsIn(section, terms))

  return {
    find(question) {
      const concepts = [...new Set(termsOf(question))].map((term) => conceptOf(term, index))
      const exact = (question.match(identifier) ?? []).filter((name) =>
        sections.some(({ text }) => text.includes(name)),
      )
      const scored = sections.flatMap((section, at): Scored[] => {
        if (exact.length > 0 && !exact.some((name) => section.text.includes(name))) return []
        const held = concepts.map(({ parts }) => index.held(at, parts))
        if (!held.some(Boolean)) return []
        const words = concepts.reduce((sum, { parts, weight }) => sum + weight * index.score(at, parts), 0)
        const phrase = Math.max(0, ...(phrases[at] ?? []).map((each) => phraseFit(each, concepts)))
        const adjacent = pairsHeld(pairs[at] ?? new Set(), concepts)
        const score = words + phraseShare * phrase + pairShare * adjacent
        return [{ section, score: score * coverageOf(concepts, held), held }]
      })
      return byPage(scored, concepts, whole)
    },
  }
}

/** Merges the words of the sections of a page. */
function together(sections: readonly [Counts, ...Counts[]]): Counts {
  const [{ path, title }] = sections
  const of = {
    path,
    title,
    headings: merged(sections.map(({ headings }) => headings)),
    asked: merged(sections.map(({ asked }) => asked)),
    text: merged(sections.map(({ text }) => text)),
  }
  return { ...of, all: new Set(sections.flatMap(({ all }) => [...all])) }
}

const merged = (parts: readonly Counted[]) =>
  tally(parts.flatMap(({ counts }) => Array.from(counts, ([term, times]) => [[term], times] as const)))

/** Indexes whole pages, with the words of all their sections. */
function indexPages(sections: readonly Section[], counts: readonly Counts[]): PageIndex {
  const byPath = new Map<string, [Counts, ...Counts[]]>()
  for (const [at, of] of counts.entries()) {
    const path = sections[at]?.path ?? ''
    const page = byPath.get(path)
    if (page) page.push(of)
    else byPath.set(path, [of])
  }
  const index = indexFields([...byPath.values()].map(together))
  const places = new Map([...byPath.keys()].map((path, at) => [path, at]))
  return {
    words: (path, concepts) =>
      concepts.reduce((sum, { parts, weight }) => sum + weight * index.score(places.get(path) ?? -1, parts), 0),
  }
}

/** Returns a word of the question with its synonyms, or with similar words if the documentation does not contain it. */
function conceptOf(term: string, index: FieldIndex): Concept {
  const related = [...(relatedWords.get(term) ?? [])].filter((other) => index.has(other))
  const others = related.length > 0 || index.has(term) ? related : nearWords(term, index.terms())
  const parts = new Map([...others.map((other): [string, number] => [other, relatedShare]), [term, 1]])
  // An unknown word gets the rarity of its most common synonym.
  const rarity = index.has(term) || others.length === 0 ? index.rarity(term) : Math.min(...others.map(index.rarity))
  return { parts, weight: rarity * (vagueWords.has(term) || amount.test(term) ? vagueShare : 1) }
}

/** Returns the words of a phrase with their rarity, and the sum. */
function phraseOf(terms: readonly string[], index: FieldIndex): Phrase {
  const rarities = new Map(terms.map((term) => [term, index.rarity(term)]))
  return { rarities, whole: [...rarities.values()].reduce((sum, rarity) => sum + rarity, 0) }
}

/** Returns the weight of the question's words in a phrase, reduced if the phrase has words that the question lacks. */
function phraseFit({ rarities, whole }: Phrase, concepts: readonly Concept[]): number {
  let inQuestion = 0
  let inPhrase = 0
  for (const { parts, weight } of concepts) {
    let bestShare = 0
    let bestRarity = 0
    for (const [term, share] of parts) {
      const rarity = share > bestShare ? rarities.get(term) : undefined
      if (rarity !== undefined) [bestShare, bestRarity] = [share, rarity]
    }
    inQuestion += weight * bestShare
    inPhrase += bestRarity * bestShare
  }
  return inPhrase === 0 ? 0 : inQuestion * Math.min(1, inPhrase / whole)
}

/** Returns the covered share of the question, by weight. */
function coverageOf(concepts: readonly Concept[], held: readonly number[]): number {
  const whole = concepts.reduce((sum, { weight }) => sum + weight, 0)
  const covered = concepts.reduce((sum, { weight }, at) => sum + weight * (held[at] ?? 0), 0)
  return whole === 0 ? 0 : covered / whole
}

function byPage(sections: readonly Scored[], concepts: readonly Concept[], whole: PageIndex): DocsHit[] {
  const pages = Array.from(
    Map.groupBy(sections, ({ section }) => section.path),
    ([path, hits]) => {
      const best = hits.toSorted((one, other) => other.score - one.score)
      const further = best.slice(1, furtherSections + 1).reduce((sum, { score }) => sum + score, 0)
      const held = concepts.map((_, at) => Math.max(...hits.map((hit) => hit.held[at] ?? 0)))
      const coverage = coverageOf(concepts, held)
      const score = (best[0]?.score ?? 0) + furtherShare * further + pageShare * whole.words(path, concepts) * coverage
      return { hits: best, score: score * kindOf(path), coverage }
    },
  )
  return pages
    .toSorted((one, other) => other.score - one.score)
    .flatMap(({ hits, coverage }) => hits.map(({ section }) => ({ section, coverage })))
}

const kindOf = (path: string) => (ofOperation.test(path) ? operationShare : path === ofCommand ? commandShare : 1)

/**
 * Opens the pages in `docs/` of the package and its README, with the phrases of `docs/asked-as.json`. If they are
 * missing, searches find nothing.
 */
export async function openDocumentation(): Promise<Documentation> {
  const isSource = import.meta.url.endsWith('.ts')
  const root = fileURLToPath(new URL(isSource ? '../../../../' : '../', import.meta.url))
  const folder = join(root, 'docs')
  const names = await readdir(folder, { recursive: true }).catch((): string[] => [])
  const phrases = JSON.parse((await textOf(join(folder, 'asked-as.json'))) ?? '{}') as Record<string, AskedAs>
  const pageOf = async (place: string, name: string): Promise<DocsPage[]> => {
    const [text, path] = [await textOf(join(place, name)), name.replaceAll('\\', '/')]
    return text === undefined ? [] : [{ path, text, askedAs: phrases[path] ?? {} }]
  }
  const pages = names.filter((name) => name.endsWith('.md')).toSorted()
  const read = await Promise.all([pageOf(root, 'README.md'), ...pages.map((name) => pageOf(folder, name))])
  const { find } = createDocsIndex(read.flat())
  return { find: async (question) => find(question) }
}

type AskedAs = NonNullable<DocsPage['askedAs']>
const textOf = (path: string) => readFile(path, 'utf8').catch(() => undefined)
