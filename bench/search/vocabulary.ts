import { createRandom, type Random } from './random.ts'

/** A subject of texts: synonyms as verbs or nouns in base form, the most common first. */
export type Concept = readonly string[]

const onsets = 'b br c ch cl cr d dr f fl fr g gl gr h j k l m n p pl pr qu r s sc sh sl sp st str t th tr v w'.split(
  ' ',
)
const vowels = 'a e i o u ai ea ee oa ou'.split(' ')
const codas = 'b ck ct d ft g ld lm ln lt m mp n nd ng nk nt p pt r rd rk rm rn rt sk sp st t v'.split(' ')

/** Concepts whose words look and inflect like English ones; no two share a word. */
export function createVocabulary(concepts: number, seed: number): Concept[] {
  const random = createRandom(seed)
  const taken = new Set<string>()
  const word = (): string => {
    const made = Array.from({ length: random.below(10) < 3 ? 1 : 2 }, () => syllable(random)).join('')
    if (made.length < 4 || taken.has(made)) return word()
    taken.add(made)
    return made
  }
  return Array.from({ length: concepts }, () => Array.from({ length: 1 + random.below(3) }, word))
}

const syllable = (random: Random) => `${random.one(onsets)}${random.one(vowels)}${random.one(codas)}`

/** A word in an inflected form. */
export function inflected(word: string, random: Random): string {
  const ending = random.one(['', '', '', 's', 's', 'ing', 'ed'])
  return `${word}${ending}`
}
