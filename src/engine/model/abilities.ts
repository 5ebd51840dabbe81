import type { JsonMode } from '../../contracts/model-port.ts'
import type { Clock } from '../../contracts/ports.ts'
import type { OptionalField } from './dialect/dialect.ts'

/** What servers were found to refuse, so that they are not asked again each time. */
export type Abilities = {
  /** Fields to leave out for a model. */
  without(model: string): ReadonlySet<OptionalField>
  refusesField(model: string, field: OptionalField): void
  /** The mode to begin with. */
  mode(model: string, schema: string): JsonMode | undefined
  /** A mode was accepted, after firmer ones were refused or at once. */
  accepts(model: string, schema: string, mode: JsonMode, firmer: 'refused' | 'not tried'): void
}

/** A server may be replaced by a better one at the same URL. */
const rememberedMs = 3_600_000
const maxSchemas = 500

export function createAbilities({ now }: Clock, modes: readonly JsonMode[]): Abilities {
  const fields = new Map<string, Set<OptionalField>>()
  const ofModel = new Map<string, { mode: JsonMode; until: number }>()
  const ofSchema = new Map<string, JsonMode>()
  const firmest = new Map<string, JsonMode>()
  const isFirmer = (one: JsonMode, other: JsonMode) => modes.indexOf(one) < modes.indexOf(other)
  return {
    without: (model) => fields.get(model) ?? new Set(),
    refusesField(model, field) {
      fields.set(model, new Set([...(fields.get(model) ?? []), field]))
    },
    mode(model, schema) {
      const known = ofModel.get(model)
      return ofSchema.get(`${model}\n${schema}`) ?? (known && known.until > now() ? known.mode : undefined)
    },
    accepts(model, schema, mode, firmer) {
      const best = firmest.get(model)
      if (best === undefined || isFirmer(mode, best)) firmest.set(model, mode)
      if (firmer === 'not tried') return
      // A model that took a firmer mode with another schema refused this schema, not the mode.
      if (best === undefined || !isFirmer(best, mode))
        return void ofModel.set(model, { mode, until: now() + rememberedMs })
      if (ofSchema.size >= maxSchemas) ofSchema.clear()
      ofSchema.set(`${model}\n${schema}`, mode)
    },
  }
}
