import { describe, expect, test } from 'vitest'
import type { SearchOperator, SearchPeriod, SearchProvider, SearchRequest } from '../../../src/contracts/search-port.ts'
import { unsupportedNotes } from '../../../src/engine/search/chain.ts'
import { parseQuery, toText } from '../../../src/engine/search/query/parse-query.ts'
import { requestFor } from '../kit.ts'

const all: SearchOperator[] = [
  'phrase',
  'without',
  'site',
  'filetype',
  'inUrl',
  'inTitle',
  'related',
  'imageSize',
  'larger',
]
const none: SearchOperator[] = []

describe('a query in the syntax of a provider', () => {
  test.each<[query: string, knows: SearchOperator[], text: string]>([
    ['cats OR dogs', none, 'cats OR dogs'],
    ['"big cats" OR dogs', all, 'dogs OR "big cats"'],
    ['a "b c"', all, 'a "b c"'],
    ['a "b c"', none, 'a b c'],
    ['a -b -"c d"', all, 'a -b -"c d"'],
    ['a site:b.org', all, 'a site:b.org'],
    ['a site:b.org site:c.org', all, 'a (site:b.org OR site:c.org)'],
    ['a -site:b.org', all, 'a -site:b.org'],
    ['a filetype:pdf', ['filetype'], 'a filetype:pdf'],
    ['a filetype:pdf filetype:doc', ['filetype'], 'a (filetype:pdf OR filetype:doc)'],
    ['a -filetype:pdf', ['filetype'], 'a -filetype:pdf'],
    ['inurl:b a', all, 'a inurl:b'],
    ['allintitle: a b', all, 'intitle:a intitle:b'],
    ['intitle:"a b"', all, 'intitle:"a b"'],
    ['-intitle:"a b" c', all, 'c -intitle:"a b"'],
    ['related:a.org', all, 'related:a.org'],
    ['sky imagesize:8x6', all, 'sky imagesize:8x6'],
    ['sky larger:8x6', all, 'sky larger:8x6'],
    ['', all, ''],
  ])('%s with the operators %j is %s', (query, knows, text) =>
    expect(toText(parseQuery(query), new Set(knows))).toBe(text),
  )

  test.each<[query: string, knows: SearchOperator[], domains: Parameters<typeof toText>[2], text: string]>([
    ['a', all, { includeDomains: ['b.org'] }, 'a site:b.org'],
    ['a', all, { includeDomains: ['b.org', 'c.org'] }, 'a (site:b.org OR site:c.org)'],
    ['a', all, { excludeDomains: ['b.org', 'c.org'] }, 'a -site:b.org -site:c.org'],
    ['a -site:x.org', all, { excludeDomains: ['b.org'] }, 'a -site:x.org -site:b.org'],
    ['a', none, { includeDomains: ['b.org'] }, 'a'],
    ['a', none, { excludeDomains: ['b.org'] }, 'a'],
  ])('%s with the operators %j, limited to %j, is %s', (query, knows, domains, text) => {
    expect(toText(parseQuery(query), new Set(knows), domains)).toBe(text)
  })

  test('is the same query when it is parsed again', () => {
    const query = parseQuery(
      'a "b c" -d -"e f" site:g.org -site:h.org filetype:pdf inurl:i intitle:"j k" -intitle:l related:m.org',
    )
    const { text: _, ...again } = parseQuery(toText(query, new Set(all)))
    expect(query).toMatchObject(again)
  })
})

const provider = (name: string, operators: SearchOperator[], period: SearchProvider['period'] = 'exact') => ({
  name,
  sources: new Set(['web' as const]),
  operators: new Set(operators),
  period,
  weight: 1,
  search: async () => [],
})
const wanted = (query: string, period?: SearchPeriod) => requestFor({ query, period })

const full = provider('full', all)
const poor = provider('poor', none, 'none')
const local = provider('local', none, 'none')
const week: SearchPeriod = { from: 1, to: undefined, preset: 'w', sort: 'relevance' }
test.each<[what: string, request: SearchRequest, answered: SearchProvider[], notes: (RegExp | string)[]]>([
  ['plain words', wanted('a b'), [poor], []],
  ['a phrase', wanted('"a b"'), [poor], [/phrases.*poor/]],
  ['a phrase that one of two supports', wanted('"a b"'), [full, poor], [/phrases.*poor/]],
  ['related:', wanted('related:a.org'), [poor], [/related:.*poor/]],
  ['a period', wanted('a', week), [poor], [/poor cannot search by time/]],
  ['an order without a period', wanted('a', { ...week, from: undefined }), [poor], []],
  ['operators that are applied here', wanted('a -b site:c.org inurl:d intitle:e filetype:f'), [poor], []],
  ['a place', { ...wanted('a'), location: 'Bremen' }, [full], [/location.*full/]],
  ['our own index', wanted('"a b" related:a.org', week), [local], []],
  ['no provider', wanted('"a b"', week), [], []],
  ['several wishes', wanted('"a b" related:c.org', week), [poor], [/phrases/, /related/, /time/]],
])('wishes that a provider does not support are noted: %s', (_, request, answered, notes) => {
  expect(unsupportedNotes(request, answered)).toEqual(notes.map((note) => expect.stringMatching(note)))
})
