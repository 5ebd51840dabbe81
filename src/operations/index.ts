import { type AnyOperation, defineOperations } from '../kernel/operation.ts'
import { type Tool, toolsOf } from '../kernel/tool.ts'
import { isRecord } from '../util/json.ts'
import * as account from './account.ts'
import * as admin from './admin.ts'
import * as browser from './browser.ts'
import * as crawl from './crawl.ts'
import * as extract from './extract.ts'
import * as interact from './interact.ts'
import * as map from './map.ts'
import * as monitor from './monitor.ts'
import * as parse from './parse.ts'
import * as scrape from './scrape.ts'
import * as search from './search.ts'
import * as support from './support.ts'

/** Modules whose exported operations and tools are offered. */
const resources = [
  account,
  admin,
  browser,
  crawl,
  extract,
  interact,
  map,
  monitor,
  parse,
  scrape,
  search,
  support,
] as const

type ExportsOf<M> = M extends unknown ? M[keyof M] : never
type EveryOperation = Extract<ExportsOf<(typeof resources)[number]>, AnyOperation>

const isOperation = (value: unknown): value is EveryOperation => isRecord(value) && 'route' in value
/** True for a tool that combines several operations, which then have no tools of their own. */
const isTool = (value: unknown): value is Tool => isRecord(value) && 'variants' in value

const exported: readonly unknown[] = resources.flatMap((resource) => Object.values(resource))

/** All operations, by name. */
export const operations = defineOperations<EveryOperation>(
  exported.filter(isOperation).toSorted((one, other) => (one.name < other.name ? -1 : 1)),
)
export const tools: readonly Tool[] = toolsOf(operations, exported.filter(isTool))
