import { describe, expect, it } from 'vitest'
import { inOrder } from '../../src/engine/search/providers/table.ts'
import { provider } from './kit.ts'

const named = (...names: string[]) => names.map((name) => provider(name, []))
const kinds = { apis: named('brave', 'searxng', 'wikipedia'), pages: named('duckduckgo', 'mojeek') }
const order = (...names: string[]) => inOrder({ ...kinds, order: names }).map(({ name }) => name)

describe('providers', () => {
  it('are used with a key first, then by results page, then open ones', () => {
    expect(order()).toEqual(['brave', 'searxng', 'duckduckgo', 'mojeek', 'wikipedia'])
  })

  it('are those the operator names, in that order', () => {
    expect(order('mojeek', 'brave')).toEqual(['mojeek', 'brave'])
  })

  it('are empty if only local pages are to be searched', () => {
    expect(order('local')).toEqual([])
  })

  it('keep a results page and a service of one name apart', () => {
    const both = inOrder({ apis: named('brave'), pages: named('brave-page'), order: [] })
    expect(both.map(({ name }) => name)).toEqual(['brave', 'brave-page'])
  })
})
