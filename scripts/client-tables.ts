import { clients, type Methods } from '../test/e2e/clients/methods.ts'

const code = (text: string) => `\`${text}\``
const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
const table = (head: readonly string[], rows: readonly string[][]) =>
  [row(head), `|${'---|'.repeat(head.length)}`, ...rows.map(row)].join('\n')

type Client = { title: string; version: string; methods: Methods }
const [sdkV1, ...newer]: Client[] = [
  clients['firecrawl-sdk-v1'],
  clients.firecrawl,
  clients['firecrawl-cli'],
  clients['firecrawl-mcp'],
]

type Place = (method: Methods[string]) => string | undefined
const present: Place = (method) => (typeof method === 'string' && method !== 'local' ? method : undefined)
const absent: Place = (method) => (typeof method === 'string' ? undefined : method.absent)

const listed = ({ methods }: Client, place: string, placeOf: Place) =>
  Object.entries(methods)
    .flatMap(([name, method]) => (placeOf(method) === place ? [code(name)] : []))
    .join(', ') || '–'

const routeOrName = (place: string) => (/^(?:[A-Z]\w+ )?\//.test(place) ? code(place) : place)

/** A row for each place that a method of these clients leads to, in the order they are named first. */
function methodTable(title: string, some: readonly Client[], placeOf: Place): string {
  const places = new Set(some.flatMap(({ methods }) => Object.values(methods).flatMap((each) => placeOf(each) ?? [])))
  const head = [title, ...some.map((client) => `${client.title} ${client.version}`)]
  return table(
    head,
    [...places].map((place) => [routeOrName(place), ...some.map((client) => listed(client, place, placeOf))]),
  )
}

/** Replaces the tables between the markers of docs/clients.md by those that follow from the list that the tests go through. */
export function withClientTables(page: string): string {
  const tables = {
    'methods that work': methodTable('endpoint', newer, present),
    'methods of version 1 that work': sdkV1 ? methodTable('endpoint', [sdkV1], present) : '',
    'methods without an endpoint': methodTable('not here', [...newer, ...(sdkV1 ? [sdkV1] : [])], absent),
  }
  return Object.entries(tables).reduce((text, [name, content]) => {
    const [start, end] = [`<!-- ${name} -->\n`, `\n<!-- /${name} -->`]
    const [before, rest = ''] = text.split(start)
    return `${before}${start}${content}${end}${rest.split(end)[1] ?? ''}`
  }, page)
}
