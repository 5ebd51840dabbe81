import { dotted } from '../issues.ts'

export type Path = readonly (string | number)[]
/** Says what was read differently. Names of fields only: values may be secret. */
export type Tell = (path: Path, as: string) => void

const maxNotes = 5
const maxNameLength = 60

/** One short sentence; undefined where all was read as it came. */
export function sentenceOf(notes: readonly string[]): string | undefined {
  if (notes.length === 0) return undefined
  const more = notes.length > maxNotes ? ` and ${notes.length - maxNotes} more` : ''
  return `Read ${notes.slice(0, maxNotes).join(', ')}${more}.`
}

export const noteOf = (path: Path, as: string): string => `${shortName(dotted(path))} as ${as}`

const shortName = (name: string) =>
  (name.length > maxNameLength ? `${name.slice(0, maxNameLength)}…` : name).toWellFormed()

/** Where a value stands: `context` is the kind of action, the field or the operation that it belongs to. */
export type Place = { path: Path; context: string; tell: Tell }
