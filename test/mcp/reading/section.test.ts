import { describe, expect, it } from 'vitest'
import { headingsOf, nameOf } from '../../../src/surfaces/mcp/reading/outline.ts'
import { sectionNamed } from '../../../src/surfaces/mcp/reading/choose.ts'

const page = `# Guide

## Install

### Linux

## Use

### Linux

### C++

### C

## What's new in 2.0?

## Rate limits (per key)
`
const choose = (name: string) => {
  const chosen = sectionNamed(headingsOf(page), name)
  return 'heading' in chosen
    ? { heading: nameOf(chosen.heading), others: chosen.others.map(nameOf) }
    : { nearest: chosen.nearest.map(nameOf) }
}

describe('a section by its name', () => {
  it.each([
    ['Install', 'Guide > Install'],
    ['  install ', 'Guide > Install'],
    ['## Install', 'Guide > Install'],
    ['**Install**', 'Guide > Install'],
    ['Whats new in 2.0', "Guide > What's new in 2.0?"],
    ['rate limits', 'Guide > Rate limits (per key)'],
    ['C', 'Guide > Use > C'],
    ['c++', 'Guide > Use > C++'],
    ['Use > Linux', 'Guide > Use > Linux'],
    ['Guide > Linux', 'Guide > Install > Linux'],
    ['guide > install > linux', 'Guide > Install > Linux'],
  ])('%j is %j', (name, heading) => expect(choose(name)).toMatchObject({ heading }))

  it('is missing if no heading has that name; the three nearest are returned', () => {
    const { nearest = [] } = choose('Instal on Linux')
    expect(nearest).toHaveLength(3)
    expect(nearest[0]).toBe('Guide > Install > Linux')
    expect(choose('Rate limit of a key').nearest?.[0]).toBe('Guide > Rate limits (per key)')
    expect(choose('Windows > Linux')).toHaveProperty('nearest')
    expect(choose('???')).toHaveProperty('nearest')
    expect(sectionNamed([], 'x')).toEqual({ nearest: [] })
  })
})
