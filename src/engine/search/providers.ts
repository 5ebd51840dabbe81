import type { SearchProvider } from '../../core/search.ts'

type Kinds = { apis: readonly SearchProvider[]; pages: readonly SearchProvider[]; order: readonly string[] }

/** Those that search the whole web with a key or at an address of the operator's; they are asked before any results page. */
const first = new Set(['brave', 'tavily', 'exa', 'serper', 'searxng'])
export const searchesAll = ({ name }: Pick<SearchProvider, 'name'>): boolean => first.has(name)

/** All providers in the order they are asked: the operator's, or keyed services, results pages, open services. */
export function inOrder({ apis, pages, order }: Kinds): SearchProvider[] {
  const all = [...apis.filter(searchesAll), ...pages, ...apis.filter((api) => !searchesAll(api))]
  if (order.length === 0) return all
  return [...new Set(order)].flatMap((name) => all.filter((provider) => provider.name === name))
}
