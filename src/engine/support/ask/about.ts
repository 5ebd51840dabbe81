import { termsOf } from '../docs/terms.ts'
import { relatedWords, vagueWords } from '../docs/vocabulary.ts'

const relatedShare = 0.5
const vagueShare = 0.3

const weightOf = (term: string) => (vagueWords.has(term) ? vagueShare : 1)

/** How much of the telling words of a question a short text has, as such or by others for them: 0 to 1. */
export function shareOf(question: string, text: string): number {
  const held = new Set(termsOf(text))
  const asked = [...new Set(termsOf(question))]
  const heldOf = (term: string) => {
    if (held.has(term)) return 1
    return [...(relatedWords.get(term) ?? [])].some((other) => held.has(other)) ? relatedShare : 0
  }
  const whole = asked.reduce((sum, term) => sum + weightOf(term), 0)
  return whole === 0 ? 0 : asked.reduce((sum, term) => sum + weightOf(term) * heldOf(term), 0) / whole
}

/** What kind of job it is about is known already, and that pages or results are wrong goes for all: neither says of what. */
const common =
  /\b(?:crawl|scrap|batch|search|find|result)(?:e|es|ed|ing|ings|s|er|ers|d)?\b|\b(?:searches|batches|found|pages?)\b/gi

/** The words of a question that tell what it is about; none where nothing telling is left. */
export function tellingOf(words: string): string {
  const left = words.replaceAll(common, ' ')
  return termsOf(left).some((term) => !vagueWords.has(term)) ? left : ''
}
