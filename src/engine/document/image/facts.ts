/** What a picture says of itself. Where it was taken is left out on purpose: it is not for others to spread. */
export type ImageFacts = {
  /** The name of the format, as people know it. */
  format: string
  /** Pixels, as shown. */
  width?: number | undefined
  height?: number | undefined
  isAnimated?: boolean | undefined
  title?: string | undefined
  description?: string | undefined
  author?: string | undefined
  copyright?: string | undefined
  /** As written in the file: EXIF knows no time zones. */
  date?: string | undefined
  camera?: string | undefined
  software?: string | undefined
  orientation?: string | undefined
  /** Words drawn in the picture, one paragraph each; only SVG has them as text. */
  text?: readonly string[]
}
/** Facts without a format, from a part that many formats can hold. */
export type Said = Partial<Omit<ImageFacts, 'format'>>

/** The first that says something of each fact. */
export function merged<F extends Said>(first: F, ...others: readonly Said[]): F {
  const said = [first, ...others].toReversed().flatMap((facts) => Object.entries(facts))
  return Object.fromEntries(said.filter(([, value]) => value !== undefined && value !== '')) as F
}
