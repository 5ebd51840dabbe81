import { clients, type Methods } from '../test/e2e/clients/methods.ts'
import { code, table, withTables } from './markdown-table.ts'

type Client = { title: string; version: string; methods: Methods }
const [sdkV1, ...newer]: Client[] = [
  clients['firecrawl-sdk-v1'],
  clients.firecrawl,
  clients['firecrawl-cli'],
  clients['firecrawl-mcp'],
]

type Place = (method: Methods[string]) => string | undefined
const present: Place = (method) => (typeof method === 'string' && method !== 'local' ? method : undefined)
const absent: Place = (method) => (typeof method === 'string' ? undefined : `${method.title} | ${method.instead}`)

const listed = ({ methods }: Client, place: string, placeOf: Place) =>
  Object.entries(methods)
    .flatMap(([name, method]) => (placeOf(method) === place ? [code(name)] : []))
    .join(', ') || '–'

const routeOrName = (place: string) => (/^(?:[A-Z]\w+ )?\/\S+$/.test(place) ? code(place) : place)

/** One row per place that the methods of these clients lead to, in the order of first mention. */
function methodTable(title: string, some: readonly Client[], placeOf: Place): string {
  const places = new Set(some.flatMap(({ methods }) => Object.values(methods).flatMap((each) => placeOf(each) ?? [])))
  const head = [...title.split(' | '), ...some.map((client) => `${client.title} ${client.version}`)]
  return table(
    head,
    [...places].map((place) => [
      ...place.split(' | ').map(routeOrName),
      ...some.map((client) => listed(client, place, placeOf)),
    ]),
  )
}

/** Replaces the tables between the markers of docs/clients.md by tables derived from the list used in tests. */
export function withClientTables(page: string): string {
  return withTables(page, {
    'methods that work': methodTable('endpoint', newer, present),
    'methods of version 1 that work': sdkV1 ? methodTable('endpoint', [sdkV1], present) : '',
    'methods without an endpoint': methodTable('not here | instead', [...newer, ...(sdkV1 ? [sdkV1] : [])], absent),
  })
}
