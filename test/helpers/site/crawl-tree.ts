import { html, inMain, navigation, type Pages, type SiteAnswer, type SiteLink } from './crawl-model.ts'

const words = 'harbour lantern ledger orchard signal turbine valley window archive bridge compiler garden'.split(' ')
const pagesOfChapter = 8
const years = [2023, 2024, 2025, 2026]
const itemsOfList = 10
const lists = 5

type Entry = readonly [path: string, answer: SiteAnswer]

/** Returns the ordinary pages: chapters, a blog and a shop, five levels deep. They depend only on the seed. */
export function makeTree(seed: number): Pages {
  const random = numbers(seed)
  const paths = [...docsPaths(), ...blogPaths(), ...shopPaths()]
  const cross = () => inMain(paths[Math.floor(random() * paths.length)] ?? '/')
  const entries: readonly Entry[] = [...docs(), ...blog(), ...shop()].map(([path, links]) => [
    path,
    html([...navigation, ...links, ...cross()]),
  ])
  return { '/about': html(navigation), ...Object.fromEntries(entries) }
}

type Linked = readonly [path: string, links: readonly SiteLink[]]

function docs(): Linked[] {
  return [
    ['/docs/', inMain(...words.map((word) => `${word}/`), '/docs-old/one')],
    ...words.flatMap((word): Linked[] => {
      const chapter = `/docs/${word}/`
      const pages = range(pagesOfChapter).map((at) => `${chapter}${word}-${at + 1}`)
      return [[chapter, inMain('../', ...pages)], ...pages.flatMap((page, at) => docsPage(chapter, pages, page, at))]
    }),
  ]
}

/** Every other page has two parts, which are linked only from it. */
function docsPage(chapter: string, pages: readonly string[], page: string, at: number): Linked[] {
  const parts = at % 2 === 0 ? [`${page}/part-1`, `${page}/part-2`] : []
  const siblings = [pages[at - 1], pages[at + 1]].filter((path) => path !== undefined)
  return [
    [page, inMain('./', ...siblings, ...parts, '#notes')],
    ...parts.map((part): Linked => [part, inMain('./', chapter, page)]),
  ]
}

const docsPaths = () => docs().flatMap(([path]) => (path.includes('/part-') ? [] : [path]))

function blog(): Linked[] {
  return [
    ['/blog/', inMain(...years.map((year) => `/blog/${year}/`))],
    ...years.flatMap((year): Linked[] => [
      [`/blog/${year}/`, inMain('/blog/', ...monthsOf(year))],
      ...monthsOf(year).flatMap((month): Linked[] => [
        [month, inMain(`/blog/${year}/`, 'first-post', 'second-post')],
        [`${month}first-post`, inMain('second-post', './')],
        [`${month}second-post`, inMain('first-post', '../')],
      ]),
    ]),
  ]
}

const monthsOf = (year: number) => range(12).map((month) => `/blog/${year}/${String(month + 1).padStart(2, '0')}/`)

const blogPaths = () => years.map((year) => `/blog/${year}/`)

/** Items are in lists of ten; further lists have the same path with another query. */
function shop(): Linked[] {
  const listed = (list: number) => range(itemsOfList).map((at) => item((list - 1) * itemsOfList + at + 1))
  return [
    ['/shop/', inMain('/shop/list')],
    ['/shop/list', inMain(...listed(1), '?page=2')],
    ...range(lists - 1).map((at): Linked => {
      const list = at + 2
      const next = list < lists ? [`?page=${list + 1}`] : []
      return [`/shop/list?page=${list}`, inMain(...listed(list), ...next)]
    }),
    ...range(lists * itemsOfList).map((at): Linked => [item(at + 1), inMain('/shop/', ...colours(item(at + 1), at))]),
  ]
}

const item = (number: number) => `/shop/item-${number}`

/** Some items are available in several colours, by query. */
const colours = (path: string, at: number) => (at % 10 === 0 ? [`${path}?color=red`, `${path}?color=blue`] : [])

/** Returns only the items of the first list, so the others are linked only from further lists. */
const shopPaths = () => shop().flatMap(([path]) => (/item-(?:\d|10)$/.test(path) ? [path] : []))

const range = (length: number) => Array.from({ length }, (_, at) => at)

/** Returns a generator of numbers from 0 to below 1: Tommy Ettinger's mulberry32. */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    const mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    const twice = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((twice ^ (twice >>> 14)) >>> 0) / 4_294_967_296
  }
}
