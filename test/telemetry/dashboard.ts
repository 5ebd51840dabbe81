import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const file = join(import.meta.dirname, '../../deploy/grafana/gossamer.json')
type Panel = { title: string; targets?: { expr: string }[] }

/** Returns the queries of the Grafana dashboard. */
export function dashboardQueries(): string[] {
  const { panels } = JSON.parse(readFileSync(file, 'utf8')) as { panels: Panel[] }
  return panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
}

/** Returns the names of metrics in Prometheus queries, by their prefixes. */
export const metricsIn = (queries: readonly string[]): string[] => [
  ...new Set(queries.flatMap((query) => query.match(/\b(?:gossamer|nodejs|process)_\w+/g) ?? [])),
]
