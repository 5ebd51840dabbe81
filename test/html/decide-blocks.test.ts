import { expect, it } from 'vitest'
import { decide } from '../../src/engine/html/main-content/decide-blocks.ts'
import { measure } from '../../src/engine/html/main-content/measure.ts'
import { blocksOf } from '../../src/engine/html/main-content/page-blocks.ts'
import { isHeading } from '../../src/engine/html/main-content/text-block.ts'
import { parsePage } from '../../src/engine/html/parse/parse-html.ts'

/** Returns the texts that stay if headings are likely and everything else is slightly too unlikely. */
function keptTexts(html: string): string[] {
  const { body } = parsePage(html)
  const blocks = blocksOf(body, measure(body), () => 0, 'ex.com')
  const chances = Float32Array.from(blocks, ({ tag }) => (isHeading(tag) ? 1 : 0.4))
  const keep = decide({ blocks, chances, certain: new Set(), isReference: false }, 0.45)
  return blocks.filter((_, i) => keep[i]).map(({ text, images }) => text || `${images} picture`)
}

const heading = '<h2>Reports about bees</h2>'
const links = '<p><a href="/1">Bees in large towns</a></p><div><p><a href="/2">Wax and honey</a></p></div>'
const picture = '<p><a href="/p"><img src="/p.jpg" alt="Hive"></a></p>'
const menu = '<nav><p><a href="/m">All reports</a></p></nav>'
const form = '<form><p><a href="/t">Terms</a></p><p><button>Load more</button></p></form>'

it.each([
  ['menus and forms', `${heading}${links}${picture}${menu}${form}`],
  ['buttons after the box of the heading', `<div>${heading}</div>${links}${picture}<p><button>Load more</button></p>`],
])('a likely section of links stays without %s', (_, section) => {
  expect(keptTexts(`<section>${section}</section>`)).toEqual([
    'Reports about bees',
    'Bees in large towns',
    'Wax and honey',
    '1 picture',
  ])
})
