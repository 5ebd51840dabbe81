import MiniSearch, { type SearchResult } from 'minisearch'
import type { DocsHit, DocsPage } from '../../../contracts/documentation.ts'
import { termsOf } from '../../understand/rank.ts'
import { type Section, sectionsOf } from './sections.ts'

/** What a word counts in each field, in parts of what it counts in the text. */
const boost = { path: 2, heading: 2, text: 1 }
/** A phrase that people ask a section by is nearly a question itself. */
const phraseShare = 4
/** Whoever writes a name means it. */
const nameBoost = 3
/** What each section after the best adds to its page: a page about the matter says it more than once. */
const furtherShare = 0.1
/** The pages of operations list every field of everything; where a guide fits as well, people are better served by it. */
const operationShare = 0.75
const ofOperation = /^reference\/(?!errors|formats)/
/** Pages for those who work on the program. */
const internal = /^(?:architecture|decisions|glossary|index|reference\/index)\.md$/

/**
 * Searches sections by BM25+ over their words and, apart, over each phrase that people ask them by, weighted by the share
 * of the question's words that they hold. The pages with the best sections come first.
 */
export function createDocsIndex(pages: readonly DocsPage[]): { find(question: string): DocsHit[] } {
  const sections = pages.filter(({ path }) => !internal.test(path)).flatMap(sectionsOf)
  const texts = indexOf(Object.keys(boost))
  texts.addAll(sections.map(({ path, headings, text }, id) => ({ id, path, heading: headings.join(' '), text })))
  const phrases = sections.flatMap(({ askedAs }, at) => askedAs.map((phrase) => ({ phrase, at })))
  const asked = indexOf(['phrase'])
  asked.addAll(phrases.map(({ phrase }, id) => ({ id, phrase })))

  return {
    find(question) {
      const terms = new Set(tokensOf(question))
      const names = new Set(namesIn(question))
      const boostTerm = (term: string) => (names.has(term) ? nameBoost : 1)
      const matches = sections.map((): Match => ({ text: 0, phrase: 0, words: new Set() }))
      const note = (at: number | undefined, field: 'text' | 'phrase', { score, match }: SearchResult) => {
        const found = at === undefined ? undefined : matches[at]
        if (!found) return
        found[field] = Math.max(found[field], score)
        for (const word of Object.keys(match)) found.words.add(word)
      }
      for (const result of texts.search(question, { boost, boostTerm })) note(Number(result.id), 'text', result)
      for (const result of asked.search(question, { boostTerm })) note(phrases[Number(result.id)]?.at, 'phrase', result)
      return byPage(sections, matches, terms.size)
    },
  }
}

type Match = { text: number; phrase: number; words: Set<string> }

const indexOf = (fields: string[]) =>
  new MiniSearch<{ id: number }>({ fields, tokenize: tokensOf, processTerm: (term) => term })

const tokensOf = (text: string): string[] => [...termsOf(text.replace(/[_/.-]/g, ' ')), ...namesIn(text)]

/** Names such as `maxAge` and `SCRAPE_TIMEOUT`, which are words as a whole besides those that they are made of. */
const namesIn = (text: string): string[] =>
  Array.from(text.matchAll(/\b(?:[A-Z]+(?:_[A-Z]+)+|[a-z]+(?:[A-Z][a-z]+)+)\b/g), ([name]) => name.toLowerCase())

function byPage(sections: readonly Section[], matches: readonly Match[], asked: number): DocsHit[] {
  const found = sections.flatMap((section, at) => {
    const match = matches[at]
    if (!match || match.words.size === 0) return []
    const score = (match.text + phraseShare * match.phrase) * (match.words.size / asked) * shareOf(section)
    return [{ section, score, words: match.words }]
  })
  const pages = Array.from(Map.groupBy(found, ({ section }) => section.path).values(), (hits) => {
    const best = hits.toSorted((one, other) => other.score - one.score)
    const score = best.reduce((sum, hit, at) => sum + hit.score * (at === 0 ? 1 : furtherShare), 0)
    return { hits: best, score, coverage: new Set(best.flatMap(({ words }) => [...words])).size / asked }
  })
  return pages
    .toSorted((one, other) => other.score - one.score)
    .flatMap(({ hits, coverage }) => hits.map(({ section }) => ({ section, coverage })))
}

const shareOf = ({ path }: Section) => (ofOperation.test(path) ? operationShare : 1)
