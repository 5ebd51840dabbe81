import { rank } from '../../util/rank.ts'

/** Something a page says that helps with the task. The quote is what stands there; the rest are a model's words about it. */
export type Note = { says: string; quote: string; url: string }
/** A note under the number by which a model names it. */
export type NumberedNote = Note & { number: number }

export const numberedNotes = (notes: readonly Note[]): NumberedNote[] =>
  notes.map((note, at) => ({ ...note, number: at + 1 }))

/** As many notes as fit, those that are most about the words; in the order they were taken. */
export function fittingNotes(notes: readonly NumberedNote[], words: string, maxCharacters: number): NumberedNote[] {
  const fits = rank(
    notes.map(({ says, quote }) => `${says} ${quote}`),
    words,
  )
  const order = notes.map((note, at) => ({ note, score: fits[at]?.score ?? 0 }))
  let left = maxCharacters
  const chosen = new Set<number>()
  for (const { note } of order.toSorted((one, other) => other.score - one.score)) {
    left -= lineOf(note).length + 1
    if (left < 0) break
    chosen.add(note.number)
  }
  return notes.filter(({ number }) => chosen.has(number))
}

/** With the site it is from, so that a model can weigh one against the other. */
export const lineOf = ({ number, says, quote, url }: NumberedNote): string =>
  `${number} [${new URL(url).host}] ${says} — “${quote}”`

/** The notes of those numbers, each once; numbers that no note has are passed over. */
export function notesOf(numbers: unknown, notes: readonly NumberedNote[]): NumberedNote[] {
  const named = new Set(Array.isArray(numbers) ? numbers : [])
  return notes.filter(({ number }) => named.has(number))
}
