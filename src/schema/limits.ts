import { z } from 'zod'

/** Names with values. JSON Schema has a word for how many there may be, zod has none; it is heeded by `sizeFaults`. */
export const mapOf = <T extends z.ZodType>(value: T, most: number) =>
  z.record(z.string().max(1000), value).meta({ maxProperties: most })

/** A text that says something. */
export const words = (most: number) =>
  z
    .string()
    .min(1, { abort: true })
    .max(most)
    .refine((text) => text.trim() !== '', { error: 'Expected more than white space' })

/** Forms send an empty text for what was not filled in. */
export const filledIn = <T extends z.ZodType>(list: T) =>
  z.preprocess((given) => (Array.isArray(given) ? given.filter((each) => each !== '') : given), list)

/** A key of the keyboard, of which the space bar is one. */
export const keyName = z
  .string()
  .min(1)
  .max(100)
  .refine((name) => name === ' ' || name.trim() !== '', { error: 'Expected the name of a key, such as Enter' })

export const RequestHeaders = mapOf(z.string().max(65_536), 200)
/** JSON of any shape, such as a JSON Schema. */
export const AnyObject = mapOf(z.unknown(), 1000)
export const Selectors = filledIn(z.array(words(10_000)).max(1000))
