import { expect, test } from 'vitest'
import type { PageSource } from '../../../src/contracts/crawl-ports.ts'
import { doubtfulEnding } from '../../../src/engine/crawl/scope/file-names.ts'
import { outcomeOf, scoped } from './scoped.ts'

const at = (path: string) => `https://example.com${path}`

test.each(
  'logo.png icon.svg a.zip a.tar.gz a.tgz sitemap.xml.gz setup.exe style.css app.js app.js.map a.wasm a.ttf a.mp3 a.mp4 a.m3u8 a.iso a.jar old.doc a.sqlite a.png;v=1 a%2Epng a.png?size=2 a.png#x'.split(
    ' ',
  ),
)('a link to %s may lead to a file, but is crawled', async (name) => {
  const { judge } = await scoped({})
  expect(doubtfulEnding(new URL(at(`/files/${name}`)).pathname)).toBeTruthy()
  expect(outcomeOf(judge(at(`/files/${name}`), 1, 'link'))).toBe('page')
  expect(outcomeOf(judge(at(`/files/${name}`), 0, 'start'))).toBe('page')
})

test.each(
  'a a.html a.php a.jsp;jsessionid=1 a.pdf a.docx a.pptx a.epub a.csv a.txt a.jsonl a.xml feed.rss README.md v1.2 example.com jane.smith a. .well-known a.png/ a?file=x.png a% constructor x.constructor'.split(
    ' ',
  ),
)('a link to %s may lead to a document', async (name) => {
  expect(outcomeOf((await scoped({})).judge(at(`/files/${name}`), 1, 'link'))).toBe('page')
})

test.each([
  'mailto:a@example.com',
  'javascript:void(0)',
  'ftp://example.com/x',
  'data:text/html,x',
  'about:blank',
  'tel:1',
  '',
  'not a url',
  '/relative',
  '//example.com/x',
  'http://',
  'https://exa mple.com/',
  'http://example.com:99999/',
  `data:text/plain,${'x'.repeat(5_000)}`,
])('%j is not the address of a page', async (url) => {
  const { judge } = await scoped({ allowExternalLinks: true })
  for (const source of ['start', 'sitemap', 'link', 'given'] as const)
    expect(outcomeOf(judge(url, 0, source))).toBe('invalid')
})

test('the first of several reasons is reported', async () => {
  const { judge } = await scoped({
    bases: [at('/docs/')],
    excludePaths: ['/x/'],
    includePaths: ['/docs/in/', '/else/in/', '/x/'],
    maxDiscoveryDepth: 1,
  })
  const reasons = [
    'ftp://else.example/x/a/a/a.png',
    at('/else/x/a/a/a'),
    at('/docs/x/a/a/a'),
    at('/docs/out/a/a/a'),
    at('/docs/in/a/a/a'),
    at('/docs/in/a/a'),
  ].map((url) => outcomeOf(judge(url, 2, 'link')))
  expect(reasons).toEqual(['invalid', 'outOfScope', 'excluded', 'notIncluded', 'trap', 'depth'])
  expect(outcomeOf(judge(at('/docs/in/a/a'), 1, 'link'))).toBe('page')
})

test.each<[PageSource, number, number | undefined, number | 'depth']>([
  ['link', 1, undefined, 1],
  ['link', 99, undefined, 99],
  ['link', 1, 0, 'depth'],
  ['link', 2, 2, 2],
  ['link', 3, 2, 'depth'],
  ['sitemap', 5, 0, 0],
  ['start', 0, 0, 0],
  ['given', 3, 0, 0],
])('a page by %s at depth %i, with %s allowed: %s', async (source, depth, maxDiscoveryDepth, expected) => {
  const verdict = (await scoped({ maxDiscoveryDepth })).judge(at('/x'), depth, source)
  expect('page' in verdict ? verdict.page.depth : verdict.skipped).toBe(expected)
})

test('the start address may be outside its bases; sitemap URLs may not', async () => {
  const { judge } = await scoped({ bases: [at('/docs/')] })
  expect(outcomeOf(judge('https://example.org/x', 0, 'start'))).toBe('page')
  expect(outcomeOf(judge('https://example.org/x', 0, 'sitemap'))).toBe('outOfScope')
  expect(outcomeOf(judge(at('/docs/x'), 0, 'sitemap'))).toBe('page')
})
