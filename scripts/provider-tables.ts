import type { SearchOperator, SearchProvider } from '../src/contracts/search-port.ts'
import type { ProviderEntry, SearchSettings } from '../src/engine/search/providers/shared/define-provider.ts'
import { envNameOf } from '../src/app/read-config.ts'
import { chooseProviders, optionalSettings, searchProviders } from '../src/engine/search/providers/table.ts'
import { code, table, withTables } from './markdown-table.ts'

const entries: [string, ProviderEntry][] = Object.entries(searchProviders)

function settingsRows(): string[][] {
  const required = entries.flatMap(([name, { needs }]) =>
    needs ? [[code(envNameOf(needs.setting)), code(name), needs.source]] : [],
  )
  const optional = Object.entries(optionalSettings).map(([setting, about]) => {
    const users = entries.filter(([, entry]) => entry.needs === undefined && entry.uses === setting)
    return [code(envNameOf(setting)), users.map(([name]) => code(name)).join(', '), about]
  })
  return [...required, ...optional]
}

const operators = [...(['phrase', 'without', 'site', 'filetype', 'inUrl', 'inTitle', 'related', 'imageSize'] as const)]

const supports = (provider: SearchProvider | undefined, operator: SearchOperator) =>
  provider?.operators.has(operator) ? 'yes' : '–'

function supportRows(): string[][] {
  const settings: SearchSettings = Object.fromEntries(entries.map(([, { needs }]) => [needs?.setting, 'http://any']))
  const providers = chooseProviders({ call: () => Promise.reject(new Error('not called')) }, settings)
  return entries.map(([name, { docs }]) => {
    const provider = providers.find((each) => each.name === name)
    const cells = operators.map((operator) => supports(provider, operator))
    return [code(name), ...cells, docs.time ?? '–', docs.location ?? '–']
  })
}

/** Replaces the tables between the markers of docs/search.md by tables derived from the provider table. */
export function withProviderTables(page: string): string {
  const open = entries.filter(([, { needs }]) => !needs)
  return withTables(page, {
    'providers without a key': table(
      ['Provider', 'Finds', 'Rate limits obeyed'],
      open.map(([name, { docs }]) => [code(name), docs.finds, docs.limits ?? '–']),
    ),
    'provider settings': table(['Setting', 'Provider', 'Where to get it'], settingsRows()),
    'provider support': table(
      'Provider|"phrase"|-word|site:|filetype:|inurl:|intitle:|related:|image size|Time|Place'.split('|'),
      supportRows(),
    ),
  })
}
