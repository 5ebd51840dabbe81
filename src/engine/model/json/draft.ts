import { mapInside, type Schema, without } from './walk.ts'

export type Draft = '2020' | '2019' | '7'

/** Which rules a schema is read by. Those of drafts 4 and 6 are those of draft 7, once `modernised`. */
export function draftOf({ $schema: draft }: Schema): Draft | undefined {
  if (typeof draft !== 'string') return undefined
  if (draft.includes('2020-12')) return '2020'
  if (draft.includes('2019-09')) return '2019'
  return /draft-0[3-7]|json-schema\.org\/schema/.test(draft) ? '7' : undefined
}

const ofDraft4 = new Set(['id', 'exclusiveMinimum', 'exclusiveMaximum'])
const none: ReadonlySet<string> = new Set()

/** Draft 4 as later drafts say it; `$schema` goes, since providers refuse what they do not know. */
export function modernised(schema: Schema): Schema {
  const isOld = typeof schema['$schema'] === 'string' && schema['$schema'].includes('draft-04')
  const { $schema: _, ...rest } = isOld ? fromDraft4(schema) : schema
  return rest
}

/** There the limits said by a flag whether they count themselves, and `$id` was `id`. */
function fromDraft4(schema: Schema): Schema {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema
  const flags = new Set<string>()
  if (exclusiveMinimum === true) flags.add('minimum')
  if (exclusiveMaximum === true) flags.add('maximum')
  const kept = without(without(schema, ofDraft4), flags.size > 0 ? flags : none)
  return mapInside(
    {
      ...kept,
      ...(typeof schema['id'] === 'string' && { $id: schema['id'] }),
      ...(exclusiveMinimum === true && { exclusiveMinimum: minimum }),
      ...(exclusiveMaximum === true && { exclusiveMaximum: maximum }),
    },
    fromDraft4,
  )
}
