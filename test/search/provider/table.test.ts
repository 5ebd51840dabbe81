import { describe, expect, test } from 'vitest'
import type { ProviderEntry, SearchSettings } from '../../../src/engine/search/providers/shared/define-provider.ts'
import { chooseProviders, inOrder, searchProviders } from '../../../src/engine/search/providers/table.ts'
import { provider } from '../kit.ts'

const api = { call: () => Promise.reject(new Error('nobody is called')) }
const namesOf = (settings: SearchSettings) => chooseProviders(api, settings).map(({ name }) => name)

const entries: [string, ProviderEntry][] = Object.entries(searchProviders)
const everything: SearchSettings = Object.fromEntries(entries.map(([, { needs }]) => [needs?.setting, 'http://any']))
const providerNames = Object.keys(searchProviders)
const open = entries.flatMap(([name, { needs }]) => (needs ? [] : [name]))

test('without any setting the open services are used', () => expect(namesOf({})).toEqual([...open]))

test('services with a key and a configured SearXNG come first', () => {
  expect(providerNames.slice(-open.length)).toEqual(open)
  expect(namesOf(everything)).toEqual([...providerNames])
  expect(namesOf({ serperKey: 'k', searxngUrl: 'http://searx.example' })).toEqual(['serper', 'searxng', ...open])
})

test('a configured order is kept, and no other provider is used', () => {
  expect(namesOf({ ...everything, order: ['wikipedia', 'serper', 'results-page', 'exa', 'wikipedia'] })).toEqual([
    'wikipedia',
    'serper',
    'exa',
  ])
  expect(namesOf({ order: ['brave', 'arxiv'] })).toEqual(['arxiv'])
  expect(namesOf({ order: [] })).toEqual([])
})

test('every kind of search has a provider without a key', () => {
  const providers = chooseProviders(api, {})
  for (const source of ['web', 'images', 'news'] as const)
    expect(
      providers.some(({ sources, categories }) => sources.has(source) && !categories),
      source,
    ).toBe(true)
  for (const category of ['github', 'research', 'pdf'] as const)
    expect(
      providers.some(({ categories }) => categories?.has(category)),
      category,
    ).toBe(true)
})

test('whole-web searches need a key or URL and come before the others', () => {
  const ranks = Object.values(searchProviders).map(({ rank }) => rank)
  expect(ranks).toEqual([
    ...ranks.filter((rank) => rank.startsWith('before')),
    ...ranks.filter((rank) => rank.startsWith('after')),
  ])
})

const named = (...names: string[]) => names.map((name) => provider(name, []))
const kinds = { apis: named('brave', 'searxng', 'wikipedia'), pages: named('duckduckgo', 'mojeek') }
const order = (...names: string[]) => inOrder({ ...kinds, order: names }).map(({ name }) => name)

describe('providers and results pages', () => {
  test('are queried in the order: services with a key, results pages, open services', () => {
    expect(order()).toEqual(['brave', 'searxng', 'duckduckgo', 'mojeek', 'wikipedia'])
  })

  test('are only those of the configured order, if there is one', () => {
    expect(order('mojeek', 'brave')).toEqual(['mojeek', 'brave'])
  })

  test('are not queried if only local pages are searched', () => expect(order('local')).toEqual([]))

  test('differ by name: brave-page is the results page of brave', () => {
    const both = inOrder({ apis: named('brave'), pages: named('brave-page'), order: [] })
    expect(both.map(({ name }) => name)).toEqual(['brave', 'brave-page'])
  })
})
