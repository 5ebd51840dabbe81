import { plainLine, sentencesOf } from '../../../util/plain-markdown.ts'
import { termsOf } from './terms.ts'
import { relatedWords, vagueWords } from './vocabulary.ts'

/** Sentences that are quoted; fewer where they are long. */
const mostSentences = 3
const longEnough = 420
/** What another word for what is meant counts, and a word that only stands around what is meant. */
const lesser = 0.5
/** What the opening of a section is preferred by, in words of the question: it says what the section is about. */
const openingShare = 0.2

/**
 * The two or three sentences in a row of a section that fit a question best, in its own words. Rows of tables count as
 * sentences; code is left out. Empty if the section holds neither text nor table.
 */
export function passageOf(markdown: string, question: string): string {
  const asked = [...new Set(termsOf(question))]
  const sentences = unitsOf(markdown).flatMap(sentencesOf).map(closed)
  const terms = sentences.map((sentence) => new Set(termsOf(sentence)))
  const windows = sentences.map((_, start) => {
    const end = endOf(sentences, start)
    const held = new Set(terms.slice(start, end).flatMap((each) => [...each]))
    const value = asked.reduce((sum, term) => sum + shareOf(term, held), start === 0 ? openingShare : 0)
    // A passage whose first sentence is about something else begins too early.
    const begins = asked.some((term) => shareOf(term, terms[start] ?? new Set()) > 0) ? 1 : 0.8
    return { start, end, value: value * begins }
  })
  const best = windows.reduce((one, other) => (other.value > one.value ? other : one), { start: 0, end: 0, value: -1 })
  return sentences.slice(best.start, best.end).join(' ')
}

function shareOf(term: string, held: ReadonlySet<string>): number {
  const weight = vagueWords.has(term) ? lesser : 1
  if (held.has(term)) return weight
  return [...(relatedWords.get(term) ?? [])].some((other) => held.has(other)) ? weight * lesser : 0
}

function endOf(sentences: readonly string[], start: number): number {
  let length = 0
  let end = start
  while (end < sentences.length && end - start < mostSentences && length < longEnough)
    length += sentences[end++]?.length ?? 0
  return end
}

const closed = (sentence: string) => (/[.!?:]$/.test(sentence) ? sentence.replace(/:$/, '.') : `${sentence}.`)

/** Paragraphs, items of lists and rows of tables, each in one line, without headings, heads of tables and code. */
function unitsOf(markdown: string): string[] {
  const units: string[] = []
  let isCode = false
  let isOpen = false
  const lines = markdown.split('\n')
  for (const [at, line] of lines.entries()) {
    const isFence = /^\s*(?:```|~~~)/.test(line)
    if (isFence) isCode = !isCode
    const isRow = line.trimStart().startsWith('|')
    const isHead = isRow && /^\s*\|[\s:|-]+$/.test(lines[at + 1] ?? '')
    if (isFence || isCode || isHead || /^\s*(?:#|$|\|[\s:|-]+$)/.test(line)) isOpen = false
    else if (isOpen && !isRow && !/^\s*(?:[-*+]|\d+[.)])\s/.test(line)) units.push(`${units.pop()} ${line.trim()}`)
    else {
      units.push(line)
      isOpen = !isRow
    }
  }
  return units.map(plainLine).filter((unit) => unit !== '')
}
