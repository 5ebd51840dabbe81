import { describe, expect, it } from 'vitest'
import { presentSearch } from '../../src/operations/search.ts'
import type { WebResult } from '../../src/schema/search-schema.ts'

const web = (over: Partial<WebResult> = {}): WebResult => ({
  url: 'https://silk.example/a',
  title: 'Spider silk',
  description: 'Stronger than steel.',
  position: 1,
  ...over,
})

const shown = (...args: Parameters<typeof presentSearch>) => {
  const { parts } = presentSearch(...args)
  return parts.map((part) => (part.kind === 'text' || part.kind === 'page' ? part.text : part.kind))
}
const listed = (...results: WebResult[]) => shown({ data: { web: results }, warning: null })

describe('search results', () => {
  it('are a numbered list with URL, date and passage', () => {
    const second = web({ position: 2, title: 'Webs', date: '2026-03-14T10:00:00.000Z' })
    expect(listed(web(), second)).toEqual([
      '2 results.',
      [
        '1. Spider silk',
        '   https://silk.example/a',
        '   Stronger than steel.',
        '2. Webs',
        '   https://silk.example/a · 2026-03-14',
        '   Stronger than steel.',
      ].join('\n'),
    ])
  })

  it('are marked as foreign text, unlike the text of Gossamer', () => {
    const { parts } = presentSearch({ data: { web: [web()] }, warning: 'one failed.' })
    expect(parts).toMatchObject([
      { kind: 'text', text: '1 result.\nWarning: one failed.' },
      { kind: 'page', label: 'web', origin: 'search results' },
    ])
  })

  it('take one line each, whatever their text contains', () => {
    const [, list] = listed(web({ title: 'Spider\n2. Not a result', description: 'a\r\n\tb'.repeat(200) }))
    expect(list?.split('\n')).toHaveLength(3)
    expect(list?.length).toBeLessThan(400)
  })

  it('that were scraped include the call that reads each in full', () => {
    const scrapeId = '0190c2a0-0000-7000-8000-000000000000'
    const [head, list] = listed(web({ markdown: 'Much text.', metadata: { scrapeId } }))
    expect(head).toContain('scrape_result')
    expect(list).toContain(`scrapeId ${scrapeId}, 10 characters`)
    expect(list).not.toContain('Much text.')
  })

  it('are separate lists for each source', () => {
    const picture = { imageUrl: 'https://i.example/1.png', imageWidth: 640 }
    const { parts } = presentSearch({
      data: {
        web: [web()],
        news: [{ title: 'New silk', snippet: 'Today.', url: 'https://news.example/', position: 1 }],
        images: [{ ...picture, title: 'A web', url: 'https://p.example/', position: 1 }],
      },
      warning: null,
    })
    expect(parts.slice(1)).toMatchObject([
      { label: 'web' },
      { label: 'news', text: '1. New silk\n   https://news.example/\n   Today.' },
      { label: 'images', text: '1. A web\n   https://i.example/1.png (640×?)\n   on https://p.example/' },
    ])
  })
})
