import TurndownService from 'turndown'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readHtml } from '../../src/engine/html/page/read.ts'
import { type Site, startSite } from '../helpers/site.ts'

let site: Site
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site.close())

/** Every word and number, without markup and addresses. */
const words = (markdown: string) =>
  markdown
    .replace(/\]\((?:\\.|[^)\\])*\)/g, '] ')
    .replace(/^\d+\. /gm, '')
    .replace(/\\(?=[^\w\s])/g, '')
    .match(/[\p{L}\p{N}]+/gu) ?? []

const pages = ['/', '/article', '/docs', '/product', '/forum', '/listing']

it.each(pages)('%s: the markdown has the words that turndown finds in its HTML, in the same order', async (path) => {
  const page = await (await fetch(site.url(path))).text()
  const { html = '', markdown = '' } = readHtml({
    html: page,
    url: site.url(path),
    wanted: ['html', 'markdown'],
    attributes: [],
    onlyMainContent: true,
    includeTags: [],
    excludeTags: [],
    removeBase64Images: false,
    removeSmallImages: false,
  })
  const expected = words(new TurndownService({ headingStyle: 'atx', codeBlockStyle: 'fenced' }).turndown(html))
  expect(expected.length).toBeGreaterThan(20)
  expect(words(markdown)).toEqual(expected)
})
