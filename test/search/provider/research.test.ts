import { describe, expect, test } from 'vitest'
import { type Answering, json, parametersOf, providerBefore, spring, textAnswer } from './kit.ts'

const entry = (id: string) => `<entry><id>http://arxiv.org/abs/${id}</id><published>2026-03-01T17:59:00Z</published>
  <title>On the
    strength of $x &lt; y$ silk</title><summary>  We show
    that it is strong.</summary><author><name>A</name></author>
  <link href="http://arxiv.org/abs/${id}" rel="alternate" type="text/html"/>
  <link title="pdf" href="http://arxiv.org/pdf/${id}" rel="related" type="application/pdf"/></entry>`
const feed = (...entries: string[]) =>
  textAnswer(
    `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>arXiv Query</title>${entries.join('')}</feed>`,
    'application/atom+xml',
  )

const answering =
  (idlist: string[]): Answering =>
  (response, one, nth) =>
    json(
      one.url.pathname.endsWith('esearch.fcgi')
        ? { esearchresult: { count: '1', idlist } }
        : {
            result: {
              uids: ['9', '7'],
              '7': { uid: '7', title: 'B.', source: 'J Silk', sortpubdate: '2026/03/01 00:00', authors: [] },
              '9': {
                uid: '9',
                title: 'A &amp; <i>b</i>.',
                source: 'J Silk',
                sortpubdate: '2024/03/01 00:00',
                authors: ['A', 'B', 'C', 'D'].map((name) => ({ name })),
              },
            },
          },
    )(response, one, nth)

describe('arXiv', () => {
  test('returns papers, or their PDFs', async () => {
    const { search, requests } = await providerBefore('arxiv', feed(entry('2603.00001v1')))
    expect(await search({ query: 'spider silk "very strong" -cotton intitle:web', period: spring })).toEqual([
      {
        url: 'https://arxiv.org/abs/2603.00001v1',
        title: 'On the strength of $x < y$ silk',
        description: 'We show that it is strong.',
        date: '2026-03-01T17:59:00.000Z',
      },
    ])
    expect(requests[0]!.url.pathname).toBe('/api/query')
    expect(parametersOf(requests[0]!)).toMatchObject({
      search_query:
        '(all:spider AND all:silk AND all:"very strong") AND ti:"web" AND submittedDate:[202603010000 TO 202605312359] ANDNOT all:"cotton"',
      max_results: '10',
      sortBy: 'relevance',
    })
    const pdfs = await providerBefore('arxiv', feed(entry('2603.00001v1')))
    expect(await pdfs.search({ category: 'pdf' })).toMatchObject([{ url: 'https://arxiv.org/pdf/2603.00001v1' }])
  })

  test.each([
    { query: 'silk) OR ti:"x', term: '(all:silk OR all:ti OR all:"x")' },
    { query: 'silk OR web', term: '(all:silk OR all:web)' },
    { query: '"silk"', term: 'all:"silk"' },
  ])('is called for $query in its own syntax', async ({ query, term }) => {
    const { search, requests } = await providerBefore('arxiv', feed())
    expect(await search({ query })).toEqual([])
    expect(requests[0]!.url.searchParams.get('search_query')).toBe(term)
  })
})

test('Crossref returns works', async () => {
  const items = [
    {
      DOI: '10.1000/xyz<1>',
      title: ['Spider <i>silk</i>'],
      abstract: '<jats:title>Abstract</jats:title><jats:p>It is strong.</jats:p>',
      issued: { 'date-parts': [[2026, 3, 1]] },
    },
    {
      DOI: '10.1000/abc',
      title: [],
      'container-title': ['Journal of Silk'],
      issued: { 'date-parts': [[2024, null]] },
    },
    { DOI: '10.1000/def', issued: { 'date-parts': [[null]] } },
  ]
  const { search, requests } = await providerBefore('crossref', json({ status: 'ok', message: { items } }))
  expect(await search({ period: spring })).toEqual([
    {
      url: 'https://doi.org/10.1000/xyz%3C1%3E',
      title: 'Spider silk',
      description: 'Abstract It is strong.',
      date: '2026-03-01',
    },
    { url: 'https://doi.org/10.1000/abc', title: '10.1000/abc', description: 'Journal of Silk', date: '2024' },
    { url: 'https://doi.org/10.1000/def', title: '10.1000/def' },
  ])
  expect(requests[0]!.url.pathname).toBe('/works')
  expect(parametersOf(requests[0]!)).toMatchObject({
    query: 'spider silk',
    rows: '10',
    filter: 'from-pub-date:2026-03-01,until-pub-date:2026-05-31',
    mailto: 'me@example.org',
  })
})

test('PubMed returns papers in its own order', async () => {
  const { search, requests } = await providerBefore('pubmed', answering(['9', '7']))
  expect(await search({ query: 'spider "dragline silk" -cotton intitle:web', period: spring })).toEqual([
    {
      url: 'https://pubmed.ncbi.nlm.nih.gov/9/',
      title: 'A & b.',
      description: 'A et al. J Silk',
      date: '2024-03-01',
    },
    { url: 'https://pubmed.ncbi.nlm.nih.gov/7/', title: 'B.', description: 'J Silk', date: '2026-03-01' },
  ])
  expect(parametersOf(requests[0]!)).toMatchObject({
    db: 'pubmed',
    term: 'spider AND "dragline silk" AND "web"[ti] NOT "cotton"',
    mindate: '2026/03/01',
    maxdate: '2026/05/31',
    email: 'me@example.org',
  })
  expect(parametersOf(requests[1]!)).toMatchObject({ id: '9,7' })
})
