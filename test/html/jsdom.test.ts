import { JSDOM } from 'jsdom'
import { describe, expect, it } from 'vitest'
import { parsePage } from '../../src/engine/html/parse/parse-html.ts'
import { blocksCases } from './fidelity-blocks.ts'
import { fidelityCases } from './fidelity-cases.ts'
import { codeCases } from './fidelity-code.ts'
import { footnotesCases } from './fidelity-footnotes.ts'
import { softwareCases } from './fidelity-software.ts'
import { textCases } from './fidelity-text.ts'

/**
 * The words of the body in order, scripts and styles left out. The two differ, and we leave it so, in text before the html
 * element, which comes last here, and in CDATA in drawings, which is dropped.
 */
const words = (body: { textContent: string | null }) => (body.textContent ?? '').split(/\s+/).filter(Boolean)

function bodies(html: string) {
  const { window } = new JSDOM(html)
  for (const machinery of window.document.querySelectorAll('script,style,template,noscript,title')) machinery.remove()
  const ours = parsePage(html).body
  for (const element of ours.descendants())
    if (/^(?:script|style|template|noscript|title)$/.test(element.localName)) element.remove()
  return { ours: words(ours), theirs: words(window.document.body) }
}

const soup: readonly (readonly [string, string])[] = [
  ['paragraphs without ends', '<p>one<p>two<p>three'],
  ['list items without ends', '<ul><li>one<li>two<ul><li>three</ul><li>four</ul>'],
  ['cells without ends', '<table><tr><td>one<td>two<tr><td>three</table>'],
  ['definition lists without ends', '<dl><dt>one<dd>two<dt>three<dd>four</dl>'],
  ['crossed tags', '<b>one<i>two</b>three</i>four'],
  ['unknown elements', '<x-card><y-title>one</y-title>two</x-card>three'],
  ['stray end tags', 'one</div></p></span>two'],
  ['text after the end', '<html><body>one</body></html>two'],
  ['content in the head', '<head><title>t</title><div>one</div></head><body>two'],
  ['comments of every kind', 'one<!-- x -->two<!-->three<!--- y -->four<? z ?>five<!doctype a>six'],
  ['entities', '&lt;one&gt; &amp;two&eacute; &#x41;&#66; &notanentity; &copy three'],
  ['attributes of every kind', '<a href=x title=\'a>b\' data-c="d" e f=>one</a>two'],
  ['void elements with ends', 'one<br></br>two<hr/>three<img src=x></img>four'],
  ['self-closed containers', '<div/>one<span/>two'],
  ['a plain less-than sign', 'one < two and 3<4 three'],
  ['text areas', '<textarea><b>one</b></textarea>two'],
]

describe('the words of a page', () => {
  it.each(soup)('are the same as in jsdom: %s', (_, html) => {
    const { ours, theirs } = bodies(html)
    expect(ours.join('')).toBe(theirs.join(''))
  })

  it.each(
    [...fidelityCases, ...codeCases, ...softwareCases, ...footnotesCases, ...blocksCases, ...textCases].map(
      ([name, html]) => [name, html] as const,
    ),
  )('are the same in the case of %s', (_, html) => {
    const { ours, theirs } = bodies(`<article>${html}</article>`)
    expect(ours).toEqual(theirs)
  })
})
