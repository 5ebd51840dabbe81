/** Generated English-looking text and code, the same in every run. */
export type Prose = {
  paragraph(): string
  heading(): string
  words(count: number): string
  /** A whole number from 0 to below `limit`. */
  pick(limit: number): number
}

const nouns =
  'ledger river engine garden signal harbour window kernel market bridge archive lantern compiler orchard turbine valley sensor mosaic pipeline glacier'.split(
    ' ',
  )
const verbs = 'shapes follows carries measures crosses replaces explains gathers limits restores'.split(' ')
const adjectives = 'quiet narrow early modern distant careful broken shared northern hidden simple costly'.split(' ')
const tails = [
  'before the season turns',
  'without any further notice',
  'as the older records show',
  'whenever the load is high',
  'in spite of the weather',
  'long after the survey ended',
]

export function createProse(seed: number): Prose {
  const random = mulberry32(seed)
  const pick = (limit: number) => Math.floor(random() * limit)
  const one = (list: readonly string[]) => list[pick(list.length)] ?? ''
  const phrase = () => `the ${one(adjectives)} ${one(nouns)}`
  const marked = (text: string) => {
    const forms = [
      text,
      text,
      text,
      `<em>${text}</em>`,
      `<strong>${text}</strong>`,
      `<a href="/notes/${pick(9000)}">${text}</a>`,
    ]
    return one(forms)
  }
  const sentence = () =>
    capital(
      `${phrase()} ${one(verbs)} ${marked(phrase())} ${one(tails)}, and ${phrase()} ${one(verbs)} ${pick(900)} more.`,
    )
  return {
    pick,
    paragraph: () => Array.from({ length: 3 + pick(4) }, sentence).join(' '),
    heading: () => capital(`${phrase()} ${one(tails)}`),
    words: (count) => Array.from({ length: count }, () => one(nouns)).join(' '),
  }
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** Tommy Ettinger's mulberry32: numbers from 0 to below 1 with a period of 2^32. */
function mulberry32(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    const mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    const twice = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((twice ^ (twice >>> 14)) >>> 0) / 4_294_967_296
  }
}
