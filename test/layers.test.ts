import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const inProject = (path: string) => relative(root, path).replaceAll('\\', '/')

/** Rooms of the engine, lowest first. A file may import its own room and the rooms before it. */
const engineRooms =
  'store workflow billing net objects node model page-script browser html document media understand scrape webhook crawl search extract agent llmstxt monitor code session account support'.split(
    ' ',
  )
const below = (room: string) => engineRooms.slice(0, engineRooms.indexOf(room)).map((name) => `src/engine/${name}/`)
const everything = ['src/']
const foundations = ['src/util/', 'src/contracts/', 'src/kernel/']
const mayImport: Record<string, readonly string[]> = {
  'src/util/': [],
  // Below the ports and the kernel, which infer their types from the schemas.
  'src/schema/': ['src/util/'],
  'src/contracts/': ['src/util/', 'src/schema/'],
  'src/kernel/': ['src/util/', 'src/schema/', 'src/contracts/'],
  ...Object.fromEntries(
    engineRooms.map((room) => [`src/engine/${room}/`, [...foundations, 'src/schema/', ...below(room)]]),
  ),
  // Code that runs in the browser of a user. From the rest of the program it imports only types.
  'src/web/': [
    ...foundations,
    'src/schema/',
    'src/engine/session/live-view/messages.ts',
    'src/engine/page-script/page/live-view-fields.ts',
  ],
  'src/engine/session/': [...foundations, 'src/schema/', ...below('session'), 'src/web/web-assets.ts'],
  'src/middleware/': foundations,
  'src/operations/present/': [...foundations, 'src/schema/'],
  'src/operations/': [...foundations, 'src/schema/', 'src/engine/'],
  'src/surfaces/': [...foundations, 'src/web/'],
  'src/version.ts': [],
  'src/app/telemetry/': [...foundations, 'src/engine/store/', 'src/version.ts'],
  'src/app/config.ts': [...foundations, 'src/schema/', 'src/engine/', 'src/version.ts'],
  'src/app/read-config.ts': ['src/app/config.ts', 'src/app/given.ts', 'src/engine/'],
  'src/app/wiring/': [
    ...foundations,
    'src/schema/',
    'src/engine/',
    'src/version.ts',
    'src/app/config.ts',
    'src/app/telemetry/',
  ],
  'src/app/bodies/': [
    ...foundations,
    'src/middleware/',
    'src/operations/',
    'src/surfaces/',
    'src/engine/store/idle-memory.ts',
  ],
  'src/app/app.ts': everything.concat('!src/cli/', '!src/main.ts'),
  'src/library/': everything.concat('!src/cli/', '!src/main.ts'),
  'src/cli/': everything.concat('!src/main.ts'),
  'src/main.ts': everything,
  'src/app/given.ts': [],
  // May load almost nothing, so that the program starts quickly.
  'src/start.ts': ['src/app/given.ts', 'src/surfaces/mcp/opening/', 'src/main.ts'],
}

/** Files that may import a package, by package. */
const owners: Record<string, string | readonly string[]> = {
  zod: 'src/',
  ...Object.fromEntries(
    'api core resources sdk-metrics sdk-trace context-async-hooks exporter-prometheus exporter-trace-otlp-http exporter-trace-otlp-proto exporter-metrics-otlp-http exporter-metrics-otlp-proto'
      .split(' ')
      .map((name) => [`@opentelemetry/${name}`, 'src/app/telemetry/']),
  ),
  jose: 'src/engine/account/oauth/',
  undici: 'src/engine/net/',
  aws4fetch: 'src/engine/objects/',
  'node:sqlite': 'src/engine/store/',
  pg: 'src/engine/store/postgres/',
  htmlparser2: ['src/engine/html/parse/', 'src/engine/scrape/redact/', 'src/util/xml.ts'],
  entities: [
    'src/util/xml.ts',
    'src/engine/document/feed/',
    'src/engine/scrape/redact/',
    'src/engine/search/',
    'src/engine/understand/',
  ],
  'libphonenumber-js': 'src/engine/scrape/redact/',
  stdnum: 'src/engine/scrape/redact/',
  'css-select': 'src/engine/html/page/',
  'nth-check': 'src/engine/html/page/',
  unpdf: 'src/engine/document/pdf/',
  fflate: 'src/engine/document/zip/',
  'image-size': 'src/engine/document/image/',
  numfmt: 'src/engine/document/xlsx/',
  saxes: 'src/engine/document/xml/',
  'postal-mime': 'src/engine/document/mail/',
  re2js: ['src/engine/crawl/', 'src/surfaces/mcp/reading/'],
  tldts: ['src/engine/crawl/', 'src/engine/scrape/redact/', 'src/engine/support/ask/question.ts'],
  diff: ['src/engine/scrape/formats/', 'src/cli/commands/first-steps/'],
  'jsonc-parser': 'src/cli/setup/',
  '@decimalturn/toml-patch': 'src/cli/setup/',
  croner: 'src/engine/monitor/',
  ajv: 'src/engine/model/json/',
  'ajv-formats': 'src/engine/model/json/',
  jsonrepair: 'src/engine/model/json/',
  // Bundles what runs in a browser or a sandbox, when the program runs from its sources.
  esbuild: ['src/engine/browser/world/', 'src/engine/code/playwright-core/', 'src/web/'],
  // Types only.
  'devtools-protocol': ['src/engine/browser/', 'src/engine/code/', 'src/engine/session/'],
  // Only its types: the build bundles it to a file, which is loaded by its path.
  'playwright-core': 'src/engine/code/child/',

  ws: 'src/surfaces/',
  hono: 'src/surfaces/http/',
  '@hono/node-server': 'src/surfaces/http/',
  preact: 'src/web/dashboard/',
  htm: 'src/web/dashboard/',
  '@modelcontextprotocol/server': 'src/surfaces/mcp/',
}

type Edge = { from: string; to: string; kind: 'static' | 'dynamic' | 'type' }

const importPattern =
  /(?:^|\n)\s*(?:import|export)\s+(?:(type)\s+)?(?:[\w*{][^'"`;]*?\s+from\s+)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/g

function edgesOf(file: string): Edge[] {
  return [...sources.get(file)!.matchAll(importPattern)].map(([, type, fixed, loaded]) => ({
    from: file,
    to: fixed ?? loaded!,
    kind: loaded !== undefined ? 'dynamic' : type ? 'type' : 'static',
  }))
}

const files = globSync('src/**/*.ts', { cwd: root }).map((path) => path.replaceAll('\\', '/'))
const sources = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]))
const edges = files.flatMap(edgesOf)
const isRelative = ({ to }: Edge) => to.startsWith('.')
const target = ({ from, to }: Edge) => inProject(join(root, dirname(from), to))
const inner = edges.filter(isRelative).map((edge) => ({ ...edge, to: target(edge) }))
const outer = edges.filter((edge) => !isRelative(edge))
const show = ({ from, to }: Edge) => `${from} → ${to}`

const roomOf = (file: string) => Object.keys(mayImport).find((room) => file.startsWith(room))

function isAllowed({ from, to }: Edge): boolean {
  const room = roomOf(from)
  if (room === undefined) return false
  const rules = mayImport[room]!
  if (rules.some((rule) => rule.startsWith('!') && to.startsWith(rule.slice(1)))) return false
  return to.startsWith(room) || rules.some((rule) => to.startsWith(rule))
}

test('the tests of this file see all files and imports', () => {
  expect(files.length).toBeGreaterThan(80)
  expect(edges.length).toBeGreaterThan(200)
  expect(inner.some(({ kind }) => kind === 'dynamic')).toBe(true)
  expect(inner.some(({ kind }) => kind === 'type')).toBe(true)
  const written = [...sources.values()].flatMap(
    (text) => text.match(/^(?:import|export) .*from '|^\} from '|\bimport\('/gm) ?? [],
  )
  expect(edges.length, 'imports that the pattern of this test misses').toBeGreaterThanOrEqual(written.length)
})

const exists = (path: string) => files.includes(path) || (path.endsWith('.json') && existsSync(join(root, path)))
test('every import leads to a file of the project by its full name', () => {
  expect(inner.filter(({ to }) => !exists(to)).map(show)).toEqual([])
})

test('every file is in a room', () => expect(files.filter((file) => roomOf(file) === undefined)).toEqual([]))

test('a file imports its own room and lower ones only', () => {
  expect(inner.filter((edge) => !isAllowed(edge)).map(show)).toEqual([])
})

test('browser code imports only types from rooms that run on a server', () => {
  const shared = ['src/web/', 'src/util/', 'src/kernel/written-call.ts']
  const ofPages = inner.filter(({ from }) => from.startsWith('src/web/'))
  const strays = ofPages.filter(({ to, kind }) => kind !== 'type' && !shared.some((place) => to.startsWith(place)))
  expect(strays.map(show)).toEqual([])
})

const packageOf = (name: string) => name.split('/', name.startsWith('@') ? 2 : 1).join('/')

test('an npm package is imported by its owner only', () => {
  const strays = outer.filter(({ from, to }) => {
    const owner = owners[to] ?? owners[packageOf(to)]
    return owner === undefined ? !to.startsWith('node:') : ![owner].flat().some((place) => from.startsWith(place))
  })
  expect(strays.map(show)).toEqual([])
  const used = new Set(outer.flatMap(({ to }) => [to, packageOf(to)]))
  expect(Object.keys(owners).filter((name) => !used.has(name))).toEqual([])
})

test('the foundations do no I/O', () => {
  const ofFoundations = outer.filter(({ from }) => foundations.some((room) => from.startsWith(room)))
  const computes = [
    'zod',
    'htmlparser2',
    'entities/decode',
    'node:stream',
    'node:timers/promises',
    'node:util',
    'node:vm',
    'node:zlib',
  ]
  const startsThreads = ['node:module', 'node:worker_threads']
  const mayImportIt = ({ from, to }: (typeof outer)[number]) =>
    computes.includes(to) || (from === 'src/util/threads.ts' && startsThreads.includes(to))
  expect(ofFoundations.filter((edge) => !mayImportIt(edge)).map(show)).toEqual([])
})

test('no import cycle', () => {
  const next = Map.groupBy(inner, ({ from }) => from)
  const done = new Set<string>()
  const cycleFrom = (file: string, path: readonly string[]): readonly string[] | undefined => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file]
    if (done.has(file)) return undefined
    for (const { to } of next.get(file) ?? []) {
      const cycle = cycleFrom(to, [...path, file])
      if (cycle) return cycle
    }
    done.add(file)
    return undefined
  }
  expect(files.flatMap((file) => cycleFrom(file, [])?.join(' → ') ?? [])).toEqual([])
})

test('no file has more than 25 imports', () => {
  const exempt = ['src/operations/index.ts', 'src/app/app.ts']
  const hubs = files.filter(
    (file) =>
      !/^src\/(?:util|contracts|kernel|schema)\//.test(file) &&
      !exempt.includes(file) &&
      inner.filter(({ from }) => from === file).length > 25,
  )
  expect(hubs).toEqual([])
})
