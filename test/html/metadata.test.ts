import { describe, expect, it } from 'vitest'
import { pageUrl, read } from './read.ts'

const metadataOf = (head: string, html = '<html lang="en-GB">') =>
  read(`${html}<head>${head}</head><body><svg><title>icon</title></svg></body></html>`, ['metadata']).metadata

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

  it('leaves absent things out', () => {
    expect(read('<p>x</p>', ['metadata'], { url: pageUrl }).metadata).toEqual({})
  })
})
