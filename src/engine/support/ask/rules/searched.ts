import type { JobRule } from '../case.ts'
import { either, lacking } from '../question.ts'

/** Options that filter results, with the value that disables each filter; null if only removing the option does. */
const narrowing: Readonly<Record<string, unknown>> = {
  tbs: null,
  includeDomains: [],
  excludeDomains: [],
  categories: [],
}

const isSet = (value: unknown) => value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0)

/** Rules about options that filter search results. */
export const searches: readonly JobRule[] = [
  {
    id: 'narrow-search',
    asks: either(lacking, /narrow|filter|results?\b/),
    onlyIfAsked: true,
    finds: ({ endpoint, code, request }) => {
      if (endpoint !== 'search' || code !== null || !request) return undefined
      const set = Object.keys(narrowing).filter((name) => isSet(request[name]))
      if (set.length === 0) return undefined
      const told = set.map((name) => `${name} (${JSON.stringify(request[name]).slice(0, 100)})`)
      return {
        says: `The search leaves out whatever does not fit ${told.join(' and ')}, also what the providers cannot date or place. Leave ${set.length === 1 ? 'it' : 'them'} out, or make ${set.length === 1 ? 'it' : 'them'} wider.`,
        parameters: Object.fromEntries(set.map((name) => [name, narrowing[name]])),
      }
    },
  },
]
