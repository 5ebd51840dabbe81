import type { CachedPage } from '../../contracts/pages/page-cache.ts'
import type { Store } from '../../engine/store/store.ts'
import type { Task, Telemetry } from './telemetry.ts'

/** A store whose ports are measured by their names, such as `pages.find`, and whose page cache counts hits. */
export function measuredStore(store: Store, telemetry: Telemetry): Store {
  const { measure, record } = telemetry
  const ports = Object.entries(store).map(([name, port]) => [
    name,
    isPort(port) ? measuredPort(name, port, measure) : port,
  ])
  const measured = Object.fromEntries(ports) as Store
  const { find } = measured.pages
  const lookedUp = (found: CachedPage | undefined) => {
    record({ kind: 'cache', name: 'find', outcome: found ? 'hit' : 'miss', ms: 0 })
    return found
  }
  return { ...measured, pages: { ...measured.pages, find: async (key) => lookedUp(await find(key)) } }
}

type Port = Readonly<Record<string, (...asked: unknown[]) => Promise<unknown>>>

const isPort = (part: unknown): part is Port => typeof part === 'object' && part !== null

function measuredPort(name: string, port: Port, measure: Telemetry['measure']): Port {
  const calls = Object.entries(port).map(([call, run]) => {
    const task: Task = { kind: 'store', name: `${name}.${call}` }
    return [call, (...asked: unknown[]) => measure(task, () => run(...asked))] as const
  })
  return Object.fromEntries(calls)
}
