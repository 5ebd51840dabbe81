import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const file = join(import.meta.dirname, '../../deploy/grafana/gossamer.json')
type Panel = { title: string; targets?: { expr: string }[] }

/** The queries of the dashboard that is shipped for Grafana. */
export function dashboardQueries(): string[] {
  const { panels } = JSON.parse(readFileSync(file, 'utf8')) as { panels: Panel[] }
  return panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
}

/** Names of metrics in queries of Prometheus: all of ours and of Node's begin alike. */
export const metricsIn = (queries: readonly string[]): string[] => [
  ...new Set(queries.flatMap((query) => query.match(/\b(?:gossamer|nodejs|process)_\w+/g) ?? [])),
]
