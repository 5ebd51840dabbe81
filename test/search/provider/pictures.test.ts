import { describe, expect, test } from 'vitest'
import { json, parametersOf, providerBefore } from './kit.ts'

describe('pictures', () => {
  test('are found by Openverse', async () => {
    const results = [
      {
        title: 'Web',
        url: 'https://cdn.example/a.jpg',
        foreign_landing_url: 'https://silk.example/a',
        width: 800,
        height: 600,
      },
      { title: null, url: 'https://cdn.example/b.jpg', foreign_landing_url: null, width: null, height: null },
    ]
    const { search, requests } = await providerBefore('openverse', json({ result_count: 2, page_count: 1, results }))
    expect(await search()).toEqual([
      {
        url: 'https://silk.example/a',
        title: 'Web',
        imageUrl: 'https://cdn.example/a.jpg',
        imageWidth: 800,
        imageHeight: 600,
      },
      { url: 'https://cdn.example/b.jpg', title: 'https://cdn.example/b.jpg', imageUrl: 'https://cdn.example/b.jpg' },
    ])
    expect(requests[0]!.url.pathname).toBe('/v1/images/')
    expect(parametersOf(requests[0]!)).toEqual({ q: 'spider silk', page: '1', page_size: '20' })
  })

  test('are returned by Commons in order, with the requested sizes', async () => {
    const info = { descriptionurl: 'https://commons.wikimedia.org/wiki/File:A.jpg', width: 800, height: 600 }
    const picture = (title: string, index: number) => ({
      pageid: 9 - index,
      ns: 6,
      title,
      index,
      imageinfo: [{ ...info, url: `https://upload.wikimedia.org/${index}.jpg` }],
    })
    const { search, requests } = await providerBefore(
      'commons',
      json({ batchcomplete: true, query: { pages: [picture('File:B.jpg', 2), picture('File:A.x.jpg', 1)] } }),
    )
    expect(await search({ query: 'silk imagesize:800x600' })).toMatchObject([
      { title: 'A.x', imageUrl: 'https://upload.wikimedia.org/1.jpg', imageWidth: 800, imageHeight: 600 },
      { title: 'B' },
    ])
    expect(parametersOf(requests[0]!)).toMatchObject({
      gsrsearch: 'filetype:bitmap|drawing silk filew:800 fileh:600',
      gsrnamespace: '6',
    })
    await search({ query: 'silk larger:800x600' })
    expect(requests[1]!.url.searchParams.get('gsrsearch')).toBe('filetype:bitmap|drawing silk filew:>799 fileh:>599')
  })
})
