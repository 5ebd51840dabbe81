import { expect, test } from 'vitest'
import type { PageSource } from '../../../src/contracts/crawl-ports.ts'
import { doubtfulEnding } from '../../../src/engine/crawl/scope/crawl-scope.ts'
import { said, scoped } from './scoped.ts'

const at = (path: string) => `https://example.com${path}`

test.each([
  'logo.png',
  'photo.JPEG',
  'icon.svg',
  'a.webp',
  'a.heic',
  'a.psd',
  'a.zip',
  'a.tar.gz',
  'a.7z',
  'a.tgz',
  'sitemap.xml.gz',
  'a.tar.xz',
  'a.deb',
  'a.dmg',
  'setup.exe',
  'a.apk',
  'style.css',
  'style.scss',
  'app.js',
  'app.min.mjs',
  'app.js.map',
  'a.wasm',
  'a.woff2',
  'a.ttf',
  'a.eot',
  'a.mp3',
  'a.flac',
  'a.ogg',
  'a.mp4',
  'a.mkv',
  'a.m3u8',
  'a.swf',
  'a.iso',
  'a.bin',
  'a.jar',
  'old.doc',
  'a.mobi',
  'a.sqlite',
  'a.png;v=1',
  'a%2Epng',
  'a.png?size=2',
  'a.png#x',
])('a link to %s is doubtful, and a page of the crawl all the same', async (name) => {
  const { judge } = await scoped({})
  expect(doubtfulEnding(new URL(at(`/files/${name}`)).pathname)).toBeTruthy()
  expect(said(judge(at(`/files/${name}`), 1, 'link'))).toBe('page')
  expect(said(judge(at(`/files/${name}`), 0, 'start'))).toBe('page')
})

test.each([
  'a',
  'a.html',
  'a.php',
  'a.aspx',
  'a.jsp;jsessionid=1',
  'a.pl',
  'a.cgi',
  'a.do',
  'a.pdf',
  'A.PDF',
  'a.docx',
  'a.xlsx',
  'a.pptx',
  'a.odt',
  'a.epub',
  'a.rtf',
  'a.csv',
  'a.tsv',
  'a.txt',
  'a.json',
  'a.jsonl',
  'a.xml',
  'feed.rss',
  'feed.atom',
  'README.md',
  'main.py',
  'a.yaml',
  'v1.2',
  'example.com',
  'example.ai',
  'example.so',
  'jane.smith',
  'a.',
  '.well-known',
  'a.png/',
  'a.css/b',
  'a?file=x.png',
  'a%',
  'constructor',
  'x.constructor',
])('a link to %s may be a document', async (name) => {
  expect(said((await scoped({})).judge(at(`/files/${name}`), 1, 'link'))).toBe('page')
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
])('%j is no address of a page', async (url) => {
  const { judge } = await scoped({ allowExternalLinks: true })
  for (const source of ['start', 'sitemap', 'link', 'given'] as const)
    expect(said(judge(url, 0, source))).toBe('invalid')
})

test('an address of more than 2,000 characters is a trap, unless it was asked for', async () => {
  const { judge } = await scoped({})
  const [longest, tooLong] = [2_000, 2_001].map((length) => at('/').padEnd(length, 'x')) as [string, string]
  expect(said(judge(longest, 1, 'link'))).toBe('page')
  expect(said(judge(tooLong, 1, 'link'))).toBe('trap')
  expect(said(judge(tooLong, 0, 'start'))).toBe('page')
  expect(said(judge(tooLong, 0, 'given'))).toBe('page')
})

test('of several reasons the first one is told', async () => {
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
  ].map((url) => said(judge(url, 2, 'link')))
  expect(reasons).toEqual(['invalid', 'outOfScope', 'excluded', 'notIncluded', 'trap', 'depth'])
  expect(said(judge(at('/docs/in/a/a'), 1, 'link'))).toBe('page')
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
])('a page by %s at depth %i, where %s is allowed: %s', async (source, depth, maxDiscoveryDepth, expected) => {
  const verdict = (await scoped({ maxDiscoveryDepth })).judge(at('/x'), depth, source)
  expect('page' in verdict ? verdict.page.depth : verdict.skipped).toBe(expected)
})

test('the start address may lie elsewhere than its bases; what a sitemap lists may not', async () => {
  const { judge } = await scoped({ bases: [at('/docs/')] })
  expect(said(judge('https://example.org/x', 0, 'start'))).toBe('page')
  expect(said(judge('https://example.org/x', 0, 'sitemap'))).toBe('outOfScope')
  expect(said(judge(at('/docs/x'), 0, 'sitemap'))).toBe('page')
})

test('given addresses are held to no rule', async () => {
  const { judge } = await scoped({ bases: [at('/docs/')], includePaths: ['^/none$'], maxDiscoveryDepth: 0 })
  expect(said(judge('https://example.org/a/a/a/x.png', 0, 'given'))).toBe('page')
})
