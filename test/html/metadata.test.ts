import { describe, expect, it } from 'vitest'
import { pageUrl, read } from './read.ts'

const metadataOf = (head: string, html = '<html lang="en-GB">', body = '<svg><title>icon</title></svg>') =>
  read(`${html}<head>${head}</head><body>${body}</body></html>`, ['metadata']).metadata

describe('metadata', () => {
  it('contain title, language, description, keywords and robots', () => {
    const head = `<title> A \n title </title><meta name="description" content="About"><meta name="Keywords" content="a, b">
      <meta name="robots" content="noindex">`
    expect(metadataOf(head)).toMatchObject({
      title: 'A title',
      language: 'en-GB',
      description: 'About',
      keywords: 'a, b',
      robots: 'noindex',
    })
  })

  it.each([
    ['og:title', 'ogTitle', 'x'],
    ['og:description', 'ogDescription', 'x'],
    ['og:url', 'ogUrl', 'https://ex.com/x'],
    ['og:image', 'ogImage', 'https://ex.com/x'],
    ['og:audio', 'ogAudio', 'https://ex.com/x'],
    ['og:video', 'ogVideo', 'https://ex.com/x'],
    ['og:determiner', 'ogDeterminer', 'x'],
    ['og:locale', 'ogLocale', 'x'],
    ['og:locale:alternate', 'ogLocaleAlternate', ['x']],
    ['og:site_name', 'ogSiteName', 'x'],
    ['article:section', 'articleSection', 'x'],
    ['article:tag', 'articleTag', 'x'],
    ['article:published_time', 'publishedTime', 'x'],
    ['article:modified_time', 'modifiedTime', 'x'],
    ['dcterms.created', 'dcTermsCreated', 'x'],
    ['DC.date.created', 'dcDateCreated', 'x'],
    ['DC.date', 'dcDate', 'x'],
    ['dcterms.type', 'dcTermsType', 'x'],
    ['DC.type', 'dcType', 'x'],
    ['dcterms.audience', 'dcTermsAudience', 'x'],
    ['dcterms.subject', 'dcTermsSubject', 'x'],
    ['DC.subject', 'dcSubject', 'x'],
    ['DC.description', 'dcDescription', 'x'],
    ['dcterms.keywords', 'dcTermsKeywords', 'x'],
  ])('reads %s as %s', (name, key, value) => {
    const content = typeof value === 'string' && value.startsWith('http') ? '/x' : 'x'
    expect(metadataOf(`<meta property="${name}" content="${content}">`)).toMatchObject({ [key]: value })
    expect(metadataOf(`<meta name="${name}" content="${content}">`)).toMatchObject({ [key]: value })
  })

  it('keeps every meta tag under its own name, and all contents of a repeated one', () => {
    const head = `<meta name="theme-color" content="#fff"><meta property="article:tag" content="a">
      <meta property="article:tag" content="b"><meta charset="utf-8"><meta http-equiv="refresh" content="0">`
    const metadata = metadataOf(head)
    expect(metadata).toMatchObject({ 'theme-color': '#fff', 'article:tag': ['a', 'b'], articleTag: 'a' })
    expect(Object.keys(metadata ?? {}).sort()).toEqual(['article:tag', 'articleTag', 'language', 'theme-color'])
  })

  it('makes favicon and canonical address absolute', () => {
    const head = '<link rel="Shortcut Icon" href="/i.ico"><link rel="canonical" href="other">'
    expect(metadataOf(head)).toMatchObject({ favicon: 'https://ex.com/i.ico', canonical: 'https://ex.com/docs/other' })
    expect(metadataOf('<link rel="apple-touch-icon" href="/a.png">')).toMatchObject({ favicon: 'https://ex.com/a.png' })
  })

  it('reads tags and attributes written in capitals, and a head that was never opened', () => {
    const html = '<TITLE>T</TITLE><META NAME="description" CONTENT="D"><P>text'
    expect(read(html, ['metadata']).metadata).toMatchObject({ title: 'T', description: 'D' })
  })

  it('omits absent keys', () => expect(read('<p>x</p>', ['metadata'], { url: pageUrl }).metadata).toEqual({}))
})

const ld = (data: unknown) => `<script type="application/ld+json">${JSON.stringify(data)}</script>`

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
    'a profile URL if there is no name',
    '<meta property="article:author" content="https://ex.com/ann">',
    'https://ex.com/ann',
  ],
  [
    'a list in structured data',
    ld({ '@type': 'Article', author: [{ name: 'Ann' }, 'Bob', null, { name: 'Ann' }] }),
    'Ann, Bob',
  ],
])('the author is read from %s', (_, head, author) => expect(metadataOf(head)).toMatchObject({ author }))

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
  ])('is read from %s', (_, head, body, facts) => expect(metadataOf(head, '<html>', body)).toMatchObject(facts))
})

it.each([
  ['broken', '<script type="application/ld+json">{"@type": "A", "b"}</script>'],
  ['empty', '<script type="application/ld+json"></script>'],
  ['of odd types', ld({ '@type': [1, null, {}, ''] })],
  ['null', ld(null)],
  ['very deep', `<script type="application/ld+json">${'[{"a":'.repeat(3000)}1${'}]'.repeat(3000)}</script>`],
])('structured data is skipped if it is %s', (_, head) => expect(metadataOf(head, '<html>')).toEqual({}))

it.each([
  ['its own attribute', '<meta property="og:locale" content="en_US">', '<html lang="de">', 'de'],
  ['the header in the page', '<meta http-equiv="Content-Language" content="fr">', '<html>', 'fr'],
  ['a meta tag', '<meta name="language" content="it">', '<html lang="">', 'it'],
  ['Dublin Core', '<meta name="DC.language" content="es">', '<html>', 'es'],
  ['OpenGraph', '<meta property="og:locale" content="pt_BR">', '<html>', 'pt-BR'],
])('the language is read from %s', (_, head, html, language) => {
  expect(metadataOf(head, html)).toMatchObject({ language })
})
