import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { indexElements } from '../../src/engine/html/dom/element-index.ts'
import { unfilledParts } from '../../src/engine/html/page/unfilled.ts'
import { parsePage } from '../../src/engine/html/parse/parse-html.ts'

/** A gzipped file of JSON lines {id, type, html}, such as the development split of WCXB. It is not part of this project. */
const contentSet = process.env['CONTENT_SET']

test.runIf(contentSet)('of real articles, the first 200 need no browser for a part of theirs', () => {
  const lines = gunzipSync(readFileSync(contentSet!)).toString().trim().split('\n')
  const rows = lines.map((line) => JSON.parse(line) as { id: string; type: string; html: string })
  const articles = rows.filter(({ type }) => type === 'article').slice(0, 200)
  const flagged = articles.flatMap(({ id, html }) => {
    const page = parsePage(html)
    const parts = unfilledParts(page, indexElements(page))
    return parts.length > 0 ? [{ id, parts }] : []
  })
  expect(articles.length).toBeGreaterThan(0)
  expect(flagged).toEqual([])
})
