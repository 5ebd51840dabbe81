import { createProse } from '../lib/prose.ts'
import { createRandom, type Random } from './random.ts'
import { createVocabulary, inflected, type Concept } from './vocabulary.ts'

export type Page = { url: string; title: string; text: string }
/**
 * A query, and how well pages answer it by their number: 3 = the query was written for this page, 1 = the page is about
 * the same subject.
 */
export type Query = { kind: QueryKind; text: string; grades: ReadonlyMap<number, number> }
export type QueryKind = 'sentence' | 'paraphrase' | 'words'
export type Collection = { pages: Page[]; queries: Query[] }

/** Pages about the same subject share most of their concepts. */
const pagesASubject = 4
const conceptsASubject = 8
const conceptsAPage = 5

/**
 * Creates markdown pages of about 2 kB, and queries with known answers. Each page is about a few concepts, between
 * prose that all pages share. A query is a sentence about the page that the page does not contain; a sentence of the
 * page in other words, forms and order; or some words of the page.
 */
export function makeCollection(pageCount: number, queryCount: number, seed = 1): Collection {
  const random = createRandom(seed)
  const vocabulary = createVocabulary(Math.max(2000, Math.round(pageCount / 4)), seed)
  const subjects = Array.from({ length: Math.ceil(pageCount / pagesASubject) }, () => subjectOf(vocabulary, random))
  const abouts = Array.from({ length: pageCount }, (_, nth) =>
    random.shuffled(subjects[Math.floor(nth / pagesASubject)] ?? []).slice(0, conceptsAPage),
  )
  const pages = abouts.map((about, nth) => pageOf(nth, about, vocabulary, random))
  const queries = Array.from({ length: queryCount }, (_, nth) => {
    const at = random.below(pageCount)
    return queryOf((['sentence', 'paraphrase', 'words'] as const)[nth % 3] ?? 'words', at, abouts, random)
  })
  return { pages, queries }
}

/** Like words, few concepts are common and most are rare. */
const concept = (vocabulary: readonly Concept[], random: Random): Concept =>
  vocabulary[Math.floor(vocabulary.length * random.unit() ** 2)] ?? []

const subjectOf = (vocabulary: readonly Concept[], random: Random): Concept[] =>
  Array.from({ length: conceptsASubject }, () => concept(vocabulary, random))

function pageOf(nth: number, about: readonly Concept[], vocabulary: readonly Concept[], random: Random): Page {
  const prose = createProse(nth + 1)
  const said = () => sentenceOf(about, random)
  const chatter = () =>
    sentenceOf(
      Array.from({ length: 4 }, () => concept(vocabulary, random)),
      random,
    )
  const aside = () => sentenceOf([concept(vocabulary, random), random.one(about), concept(vocabulary, random)], random)
  const plain = () => prose.paragraph().replaceAll(/<[^>]+>/g, '')
  const paragraph = () =>
    [said(), plain(), chatter(), chatter(), chatter(), random.unit() < 0.5 ? aside() : said()].join(' ')
  const title = random
    .shuffled(about)
    .slice(0, 3)
    .map((each) => inflected(random.one(each), random))
    .join(' ')
  const text = [`# ${title}`, paragraph(), `## ${prose.heading()}`, paragraph(), paragraph()].join('\n\n')
  return { url: `https://site-${nth % 50}.example/${nth}`, title, text }
}

const glue = ['of the', 'in a', 'before the', 'with each', 'and then', 'for this', 'under a', 'above the']

function sentenceOf(about: readonly Concept[], random: Random): string {
  const words = random
    .shuffled(about)
    .slice(0, 4)
    .map((each) => inflected(random.one(each), random))
  const text = words.map((word) => `${random.one(glue)} ${word}`).join(' ')
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

function queryOf(kind: QueryKind, at: number, abouts: readonly (readonly Concept[])[], random: Random): Query {
  const about = abouts[at] ?? []
  const chosen = random.shuffled(about).slice(0, kind === 'words' ? 3 : 4)
  const plain = chosen.map((each) => (kind === 'paraphrase' ? random.one(each) : (each[0] ?? '')))
  const words = plain.map((word) => (kind === 'words' ? word : inflected(word, random)))
  const text = kind === 'words' ? words.join(' ') : words.map((word) => `${random.one(glue)} ${word}`).join(' ')
  const first = Math.floor(at / pagesASubject) * pagesASubject
  const alike = Array.from({ length: pagesASubject }, (_, nth) => first + nth).filter((page) => page < abouts.length)
  return { kind, text, grades: new Map(alike.map((page) => [page, page === at ? 3 : 1])) }
}
