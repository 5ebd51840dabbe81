import { expect, test } from 'vitest'
import { main, page } from './frame.ts'
import { keptPages, type LinkPage, removedPages } from './link-list-pages.ts'
import { markdownOf } from './read.ts'

const linksIn = ({ body, head, links }: LinkPage) => {
  const markdown = markdownOf(page(body, head), main)
  expect(markdown).toMatch(/^# /m)
  return links.filter((text) => markdown.includes(`[${text}](`))
}

test.each(keptPages)('link lists $name are kept', (given) => expect(linksIn(given)).toEqual(given.links))

test.each(removedPages)('link lists $name are removed', (given) => expect(linksIn(given)).toEqual([]))
