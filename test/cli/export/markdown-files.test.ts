import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createMarkdownFiles, folded, markdownFile, pathOf, quoted, withMark } from '../../../src/cli/export/outlets.ts'
import type { Document } from '../../../src/schema/scrape/document.ts'
import { folderForEach } from '../../helpers/for-all.ts'

const documentOf = (metadata: Partial<Document['metadata']>, more: Partial<Document> = {}): Document => ({
  markdown: '# Hello',
  metadata: {
    url: 'http://a.test/',
    sourceURL: 'http://a.test/',
    scrapeId: 'id-1',
    cacheState: 'miss',
    creditsUsed: 1,
    concurrencyLimited: false,
    ...metadata,
  },
  ...more,
})

const page = (url: string, scrapeId = url) => documentOf({ url, scrapeId })

describe('the path of a page', () => {
  test.each([
    ['http://a.test/', 'a.test/index.md'],
    ['http://a.test', 'a.test/index.md'],
    ['http://a.test:8080/x', 'a.test_8080/x.md'],
    ['http://[::1]:80/x', '[%3A%3A1]/x.md'],
    ['http://a.test/docs/', 'a.test/docs/index.md'],
    ['http://a.test/docs/intro', 'a.test/docs/intro.md'],
    ['http://a.test/docs/intro.html', 'a.test/docs/intro.html.md'],
    ['http://a.test/readme.md', 'a.test/readme.md'],
    ['http://a.test/list?page=2&sort=name#top', 'a.test/list--page=2&sort=name.md'],
    ['http://a.test/?page=2', 'a.test/index--page=2.md'],
    ['http://a.test/x?', 'a.test/x.md'],
    ['http://a.test/caf%C3%A9/%E6%BC%A2', 'a.test/café/漢.md'],
    ['http://a.test/cafe%CC%81', 'a.test/café.md'],
    ['http://bücher.test/', 'xn--bcher-kva.test/index.md'],
    ['http://a.test/%FF%FE', 'a.test/%25FF%25FE.md'],
    ['http://a.test/a//b', 'a.test/a/_/b.md'],
    ['http://a.test/../../etc/passwd', 'a.test/etc/passwd.md'],
    ['http://a.test/%2e%2e/%2e%2e/x', 'a.test/x.md'],
    ['http://a.test/..%2f..%2fx', 'a.test/%2E.%2F..%2Fx.md'],
    ['http://a.test/a%5C..%5Cb', 'a.test/a%5C..%5Cb.md'],
    ['http://a.test/...', 'a.test/%2E.%2E.md'],
    ['http://a.test/a%00b%0Ac%E2%80%AEd', 'a.test/a%00b%0Ac%E2%80%AEd.md'],
    ['http://a.test/a:b*c"d<e>f|g', 'a.test/a%3Ab%2Ac%22d%3Ce%3Ef%7Cg.md'],
    ['http://a.test/a%20b', 'a.test/a%20b.md'],
    ['http://a.test/dir./x%20/y', 'a.test/dir%2E/x%20/y.md'],
    ['http://a.test/.git/config', 'a.test/%2Egit/config.md'],
    ['http://a.test/con', 'a.test/_con.md'],
    ['http://a.test/NUL.txt', 'a.test/_NUL.txt.md'],
    ['http://a.test/aux/com1/lpt%C2%B9', 'a.test/_aux/_com1/_lpt¹.md'],
    ['http://a.test/console', 'a.test/console.md'],
    ['http://con.test/', '_con.test/index.md'],
    ['http://a.test/x.md/y', 'a.test/x.md_/y.md'],
    ['http://crawl.json/', '_crawl.json/index.md'],
  ])('for %s is %s', (url, path) => expect(pathOf(url)).toBe(path))

  test.each([
    `http://a.test/${'x'.repeat(5000)}`,
    `http://a.test/${'%E6%BC%A2'.repeat(500)}/${'%F0%9F%99%82'.repeat(90)}`,
    `http://a.test/q?${'k=v&'.repeat(900)}`,
    `http://a.test/${'deep/'.repeat(900)}end`,
    `http://a.test/${`${'l'.repeat(400)}/`.repeat(20)}`,
    `http://${'h'.repeat(60)}.${'i'.repeat(60)}.${'j'.repeat(60)}.test/`,
  ])('stays short: %.40s', (url) => {
    const path = pathOf(url)
    for (const part of path.split('/')) expect(Buffer.byteLength(part)).toBeLessThanOrEqual(120)
    expect(Buffer.byteLength(path)).toBeLessThan(500)
    expect(path).toMatch(/~[\da-f]{10}/)
    expect(path).toMatch(/\.md$/)
    expect(path.isWellFormed()).toBe(true)
  })

  test('accepts any address and never leaves its folder', () => {
    const characters = [...'ab./\\%:?*~ \u0000\u0007\u202eéΩ漢🙂"<>|&=;-_', '%2e', '%2F', '%5c', '%ff', 'con', 'nul.']
    for (let seed = 1; seed < 3000; seed += 1) {
      const text = Array.from(
        { length: 12 },
        (_, at) => characters[(seed * (at + 3) * 31 + at * at) % characters.length],
      )
      const path = pathOf(`http://a.test/${text.join('')}`)
      // oxlint-disable-next-line no-control-regex -- control characters must not appear
      expect(path).toMatch(/^a\.test(?:\/(?![. ~])[^\u0000-\u0020\u007f"*:<>?\\|]*[^. \u0000-\u001f])+\.md$/)
      expect(path.split('/')).not.toContain('')
    }
  })
})

test.each([
  ['A/b.md', 'a/B.md'],
  ['straße.md', 'STRASSE.md'],
  ['caf\u00e9.md', 'cafe\u0301.md'],
  ['ſ.md', 's.md'],
])('%s and %s may be the same file on some file systems', (one, other) => expect(folded(one)).toBe(folded(other)))

test('a path with a marker keeps its folder and its extension', () => {
  expect(withMark('a.test/b/c.md', 'http://a.test/b/C')).toMatch(/^a\.test\/b\/c~[\da-f]{10}\.md$/)
})

describe('the file of a page', () => {
  test('has the facts about the page before its markdown', () => {
    const metadata = {
      title: 'Home: "A"',
      description: 'It\nis',
      language: 'en',
      statusCode: 200,
      url: 'http://a.test/new',
      cachedAt: '2026-01-02T03:04:05.000Z',
    }
    expect(markdownFile(documentOf(metadata), 0)).toBe(`---
title: "Home: \\"A\\""
url: "http://a.test/new"
sourceURL: "http://a.test/"
statusCode: 200
description: "It\\nis"
language: "en"
fetched: "2026-01-02T03:04:05.000Z"
scrapeId: "id-1"
---

# Hello
`)
  })

  test.each([
    ['a quote', 'a"b', '"a\\"b"'],
    ['a backslash', 'a\\', '"a\\\\"'],
    ['the end of the facts', 'x\n---\ny: 1', '"x\\n---\\ny: 1"'],
    ['a tag, an anchor and a comment', '!!js &a # x', '"!!js &a # x"'],
    ['what looks like another type', 'yes', '"yes"'],
    ['line ends of other kinds', 'a\r\u0085\u2028\u2029b', '"a\\r\\u0085\\u2028\\u2029b"'],
    ['control characters', '\0\u001b\u007f\u009b', '"\\u0000\\u001b\\u007f\\u009b"'],
    ['half a character', 'a\ud800b', '"a\uFFFDb"'],
    ['a byte order mark', '\uFEFFa\uFFFF', '"\\ufeffa\\uffff"'],
    ['other scripts', '漢 🙂', '"漢 🙂"'],
  ])('a title cannot close its quotes: %s', (_, title, written) => {
    expect(quoted(title)).toBe(written)
    expect(JSON.parse(quoted(title))).toBe(title.toWellFormed())
  })
})

describe('markdown files', () => {
  const dir = folderForEach()
  const files = () => createMarkdownFiles(dir.path, () => 0)

  test('are in folders without other files', async () => {
    const { write } = files()
    expect(await write(page('http://a.test/docs/'))).toBe('a.test/docs/index.md')
    expect(await write(page('http://a.test/docs'))).toBe('a.test/docs.md')
    expect(readFileSync(join(dir.path, 'a.test', 'docs.md'), 'utf8')).toContain('url: "http://a.test/docs"')
    const all = readdirSync(dir.path, { recursive: true }).filter((path) =>
      statSync(join(dir.path, String(path))).isFile(),
    )
    expect(all.toSorted()).toEqual([join('a.test', 'docs', 'index.md'), join('a.test', 'docs.md')].toSorted())
  })

  test('with names that differ only in case are separate', async () => {
    const { write } = files()
    expect(await write(page('http://a.test/Read'))).toBe('a.test/Read.md')
    expect(await write(page('http://a.test/read'))).toMatch(/^a\.test\/read~[\da-f]{10}\.md$/)
    expect(await write(page('http://a.test/Docs/x'))).toBe('a.test/Docs/x.md')
    expect(await write(page('http://a.test/docs/x'))).toMatch(/^a\.test\/docs\/x~[\da-f]{10}\.md$/)
  })

  test('with the same address are separate, and one page stays one file', async () => {
    const { write } = files()
    const paths = await Promise.all(['1', '2', '3'].map((id) => write(page('http://a.test/', id))))
    expect(new Set(paths).size).toBe(3)
    expect(await write(page('http://a.test/', '1'))).toBe(paths[0])
    expect(await write(page('http://a.test/', '3'))).toBe(paths[2])
  })

  test('written by an earlier run keep their names', async () => {
    const { write, taken } = files()
    taken('a.test/x.md', 'earlier')
    expect(await write(page('http://a.test/x'))).toMatch(/x~[\da-f]{10}\.md$/)
    expect(await write(page('http://a.test/x', 'earlier'))).toBe('a.test/x.md')
  })
})
