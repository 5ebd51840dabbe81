import { describe, expect, test } from 'vitest'
import { aQuery, indexQuery, know, type OpenPageIndex, openShared } from './page-index-world.ts'
import { opened } from './store-under-test.ts'

const urls = (hits: readonly { url: string }[]) => hits.map(({ url }) => url)
const kitchen = { url: 'https://example.com/kitchen', title: 'Kitchens', text: 'All about kitchens.' }
const about = (words: string) => `${words} `.repeat(3)

/** The contract of every page index beyond words: scripts without spaces, related pages, passages. */
export function describePageIndexPassages(open: OpenPageIndex): void {
  describe('scripts without spaces', () => {
    const texts = [
      '网页抓取服务可以把任意网站转换成干净的Markdown文本',
      '人工智能代理使用模型上下文协议调用工具',
      '北京大学生参加了编程比赛',
      'ウェブクローラーはサイトマップからURLを発見する',
      '東京都の天気予報を取得するAPI',
      'ระบบค้นหาข้อความภาษาไทยทำงานได้ดี',
      '한국어 형태소 분석 검색 엔진',
      '用Python编程很有趣',
    ]
    const index = openShared(
      open,
      texts.map((text, nth) => ({ url: `https://example.com/${nth}`, text })),
    )
    test.each([
      ['抓取', 0],
      ['网站', 0],
      ['上下文协议', 1],
      ['大学生', 2],
      ['北京大学', 2],
      ['クローラー', 3],
      ['天気', 4],
      ['東京', 4],
      ['ค้นหา', 5],
      ['ภาษาไทย', 5],
      ['검색', 6],
      ['协议', 1],
      ['编程比赛', 2],
      ['サイトマップ', 3],
      ['趣', 7],
      ['赛', 2],
      ['任意网站Markdown', 0],
      ['Python编程', 7],
    ] as const)('%s is found', async (term, nth) => {
      expect(urls(await index().search(indexQuery({ terms: [term] })))[0]).toBe(`https://example.com/${nth}`)
    })

    test('are found as phrases, and what is not in them is not', async () => {
      expect(urls(await index().search(indexQuery({ phrases: ['用Python编程'] })))).toEqual(['https://example.com/7'])
      expect(await index().search(indexQuery({ terms: ['大阪'] }))).toEqual([])
    })
  })

  describe('related:', () => {
    test('finds pages with the characteristic words of one, and not itself', async () => {
      const { store } = await opened(open)
      await know(
        store,
        { url: 'https://example.com/a', title: 'Sourdough', text: about('sourdough starter hydration crumb common') },
        { url: 'https://example.com/b', title: 'Bread', text: about('a crumb of sourdough and its starter common') },
        { url: 'https://example.com/c', title: 'Boats', text: about('keel mast rudder common') },
        { url: 'https://example.com/d', title: 'Ships', text: about('keel and rudder common') },
      )
      const [first, ...rest] = await store.index.search(indexQuery({ related: 'https://example.com/a' }))
      expect(first?.url).toBe('https://example.com/b')
      expect(urls(rest)).not.toContain('https://example.com/a')
      expect(urls(await store.index.search(indexQuery({ related: 'example.com/a', site: ['other.org'] })))).toEqual([])
    })

    test('finds nothing for a page that the team has not read', async () => {
      const { store } = await opened(open)
      await know(store, kitchen)
      expect(await store.index.search(indexQuery({ related: 'https://example.com/nowhere' }))).toEqual([])
      expect(await store.index.search(indexQuery({ related: kitchen.url }, { teamId: 'others' }))).toEqual([])
      expect(await store.index.search(indexQuery({ related: 'no address at all' }))).toEqual([])
    })
  })

  describe('highlights', () => {
    test('are passages of known pages, for every form of their address', async () => {
      const { store } = await opened(open)
      await know(store, { ...kitchen, text: 'Some words.\n\nA kitchen has a stove. It is warm.' })
      const same = ['https://example.com/kitchen', 'http://www.example.com/kitchen/', 'https://example.com/kitchen#top']
      const passages = await store.index.highlights('team', aQuery({ terms: ['stove'] }), [
        ...same,
        'https://example.com/other',
        'nonsense',
      ])
      expect([...passages.keys()].toSorted()).toEqual(same.toSorted())
      expect(new Set(passages.values())).toEqual(new Set(['A kitchen has a stove. It is warm.']))
    })

    test('are absent for a page without the words, and for pages of other teams', async () => {
      const { store } = await opened(open)
      await know(store, kitchen)
      expect(await store.index.highlights('team', aQuery({ terms: ['submarine'] }), [kitchen.url])).toEqual(new Map())
      expect(await store.index.highlights('others', aQuery({ terms: ['kitchens'] }), [kitchen.url])).toEqual(new Map())
    })

    test('a hit without a passage has the description of its page', async () => {
      const { store } = await opened(open)
      await know(store, { ...kitchen, text: '', description: 'What the page says of itself.' })
      const [hit] = await store.index.search(indexQuery({ terms: ['kitchens'] }))
      expect(hit?.description).toBe('What the page says of itself.')
    })
  })
}
