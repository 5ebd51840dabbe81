import { describe, expect, it } from 'vitest'
import { read } from './read.ts'

const metadataOf = (head: string, body = '', html = '<html>') =>
  read(`<!doctype html>${html}<head>${head}</head><body>${body}</body></html>`, ['metadata']).metadata
const ld = (data: unknown) => `<script type="application/ld+json">${JSON.stringify(data)}</script>`

describe('the author', () => {
  it.each([
    ['its meta tag', '<meta name="author" content="Ann">', 'Ann'],
    ['several', '<meta name="author" content="Ann"><meta name="author" content="Bob">', 'Ann, Bob'],
    ['Dublin Core', '<meta name="DC.creator" content="Ann">', 'Ann'],
    ['a name in OpenGraph', '<meta property="article:author" content="Ann">', 'Ann'],
    [
      'structured data rather than the address of a profile',
      `<meta property="article:author" content="https://ex.com/ann">${ld({ '@type': 'Article', author: { '@type': 'Person', name: 'Ann' } })}`,
      'Ann',
    ],
    [
      'the address of a profile where there is no name',
      '<meta property="article:author" content="https://ex.com/ann">',
      'https://ex.com/ann',
    ],
    [
      'a list in structured data',
      ld({ '@type': 'Article', author: [{ name: 'Ann' }, 'Bob', null, { name: 'Ann' }] }),
      'Ann, Bob',
    ],
  ])('is read from %s', (_, head, author) => {
    expect(metadataOf(head)).toMatchObject({ author })
  })
})

describe('dates of publication and change', () => {
  const article = { '@type': 'NewsArticle', datePublished: '2026-01-05', dateModified: '2026-01-06' }
  it.each<[what: string, head: string, body: string, facts: object]>([
    [
      'OpenGraph before all else',
      `<meta property="article:published_time" content="2026-01-01">${ld(article)}`,
      '<time itemprop="datePublished" datetime="2020-01-01">',
      { publishedTime: '2026-01-01', modifiedTime: '2026-01-06' },
    ],
    ['structured data', ld(article), '', { publishedTime: '2026-01-05', modifiedTime: '2026-01-06' }],
    [
      'the article, not the site around it',
      ld({
        '@graph': [
          { '@type': 'WebSite', datePublished: '1999' },
          { '@type': 'WebPage', datePublished: '2000' },
          article,
        ],
      }),
      '',
      { publishedTime: '2026-01-05' },
    ],
    [
      'other meta tags',
      '<meta name="date" content="2026-01-05"><meta itemprop="dateModified" content="2026-01-06">',
      '',
      { publishedTime: '2026-01-05', modifiedTime: '2026-01-06' },
    ],
    [
      'time elements that are marked',
      '',
      '<time datetime="2001">x</time><time class="entry-date published" datetime="2026-01-05">a</time><time itemprop="dateModified" datetime="2026-01-06">b</time>',
      { publishedTime: '2026-01-05', modifiedTime: '2026-01-06' },
    ],
    ['the only time element', '', '<time datetime="2026-01-05">Monday</time>', { publishedTime: '2026-01-05' }],
  ])('is read from %s', (_, head, body, facts) => {
    expect(metadataOf(head, body)).toMatchObject(facts)
  })
})

describe('structured data', () => {
  it.each([
    ['broken', '<script type="application/ld+json">{"@type": "A", "b"}</script>'],
    ['empty', '<script type="application/ld+json"></script>'],
    ['of odd types', ld({ '@type': [1, null, {}, ''] })],
    ['no data at all', ld(null)],
    ['very deep', `<script type="application/ld+json">${'[{"a":'.repeat(3000)}1${'}]'.repeat(3000)}</script>`],
  ])('is skipped if it is %s', (_, head) => {
    expect(metadataOf(head)).toEqual({})
  })
})

describe('the language', () => {
  it.each([
    ['its own attribute', '<meta property="og:locale" content="en_US">', '<html lang="de">', 'de'],
    ['the header in the page', '<meta http-equiv="Content-Language" content="fr">', '<html>', 'fr'],
    ['a meta tag', '<meta name="language" content="it">', '<html lang="">', 'it'],
    ['Dublin Core', '<meta name="DC.language" content="es">', '<html>', 'es'],
    ['OpenGraph', '<meta property="og:locale" content="pt_BR">', '<html>', 'pt-BR'],
  ])('is read from %s', (_, head, html, language) => {
    expect(metadataOf(head, '', html)).toMatchObject({ language })
  })
})

it('other metadata keep their own names: Twitter, robots, OpenGraph, Dublin Core', () => {
  const tags = [
    'twitter:card',
    'twitter:site',
    'twitter:image',
    'robots',
    'og:type',
    'og:image:width',
    'DC.publisher',
    'generator',
  ]
  const metadata = metadataOf(tags.map((name) => `<meta name="${name}" content="x">`).join(''))
  expect(metadata).toMatchObject(Object.fromEntries(tags.map((name) => [name, 'x'])))
})
