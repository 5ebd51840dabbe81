import { readFile } from 'node:fs/promises'
import { transform, type Plugin } from 'esbuild'

/**
 * Package files replaced in the bundle, since they load code that the program never uses. Replacements that export
 * names are ES modules, so a missing name fails the build.
 */
const standIns: readonly { filter: RegExp; contents: (path: string) => string | Promise<string> }[] = [
  // Messages in fifty languages: 300 kB to read at each start.
  { filter: /\/zod\/v4\/locales\/index\.js$/, contents: () => "export { default as en } from './en.js'" },
  // WebSocket, caches, proxies and test doubles of undici.
  { filter: /\/undici\/index\.js$/, contents: () => undiciParts },
  // Second, experimental HTTP parser of undici.
  { filter: /\/undici\/lib\/milo\/(?:no-)?simd\.js$/, contents: () => 'export {}' },
  // The SDK contains a copy of ajv, which is bundled anyway, and would load it at each start.
  { filter: /\/@modelcontextprotocol\/server\/dist\/ajvProvider-[^/]+\.mjs$/, contents: withOurAjv },
]

/** Settings that stop packages from requesting the files left out. */
export const leanDefines = { 'process.env.UNDICI_USE_MILO': 'undefined' }

export const lean: Plugin = {
  name: 'lean',
  setup({ onLoad }) {
    for (const { filter, contents } of standIns)
      onLoad({ filter: anySeparator(filter) }, async ({ path }) => ({ contents: await contents(path), loader: 'js' }))
    onLoad({ filter: anySeparator(/\/node_modules\/.*\.[cm]?js$/) }, async ({ path }) => ({
      contents: await shortNames(path),
      loader: 'js',
    }))
  },
}

/** Shortens local names in a package. Our own names are kept, so that stack traces stay readable. */
async function shortNames(path: string): Promise<string> {
  const text = await readFile(path, 'utf8')
  return (await transform(text, { minifyIdentifiers: true, target: 'node22', legalComments: 'none' })).code
}

const anySeparator = (filter: RegExp) => new RegExp(filter.source.replaceAll('\\/', '[/\\\\]'))

const undiciParts = `
import Dispatcher from './lib/dispatcher/dispatcher.js'
import api from './lib/api/index.js'
Object.assign(Dispatcher.prototype, api)
export { default as Agent } from './lib/dispatcher/agent.js'
export { default as buildConnector } from './lib/core/connect.js'`

async function withOurAjv(path: string): Promise<string> {
  const text = await readFile(path, 'utf8')
  const own = text.indexOf('//#region ../core-internal/src/validators/ajvProvider.ts')
  const made = /^var (import_\w+) = (?:\/\* @__PURE__ \*\/ )?(?:__toESM\()?require_\w+\(\)(?:, 1\))?;\n/gm
  const names = own < 0 ? [] : [...text.slice(own).matchAll(made)].map(([, name]) => name)
  if (names.join() !== 'import_ajv,import__2019,import__2020,import_dist' || !text.includes(shown))
    throw new Error(`The MCP SDK has changed: ${path} takes other parts of ajv (${names.join()}).`)
  const dialects = /^import \{[^}]*\} from "\.\/dialects-.*$/m.exec(text)?.[0]
  return [ajvParts, dialects, text.slice(own).replace(made, '').replace(shown, unlessUnused)].join('\n')
}

// The bundler drops unused variables only if their initialisers have no side effects.
const shown = 'const Ajv = import_ajv.Ajv;'
const unlessUnused = 'const Ajv = /* @__PURE__ */ (() => import_ajv.Ajv)();'
const ajvParts = `
const import_ajv = { get Ajv() { return require('ajv').Ajv } }
const import__2019 = { get Ajv2019() { return require('ajv/dist/2019.js').Ajv2019 } }
const import__2020 = { get Ajv2020() { return require('ajv/dist/2020.js').Ajv2020 } }
const import_dist = { default: (ajv) => require('ajv-formats').default(ajv) }`
