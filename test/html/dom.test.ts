import { describe, expect, it } from 'vitest'
import { createElement, createText } from '../../src/engine/html/dom/tree-node.ts'
import { innerHtml } from '../../src/engine/html/dom/dom-tree.ts'
import { attributesOf } from '../../src/engine/html/page/selectors.ts'
import { parseFragment, parsePage } from '../../src/engine/html/parse/parse-html.ts'

const bodyOf = (html: string) => parsePage(html).body
const idsOf = (html: string, selector: string) =>
  attributesOf(parsePage(html), [{ selector, attribute: 'id' }], '')[0]?.values

describe('moving nodes', () => {
  it('keeps the links at both ends', () => {
    const box = createElement('div')
    const [one, two, three] = [createText('1'), createElement('b'), createText('3')]
    box.append(three)
    box.prepend(one, two)
    expect(box.childNodes).toEqual([one, two, three])
    two.append('2')
    two.after(one)
    expect([box.firstChild, two.previousSibling, one.previousSibling, three.previousSibling]).toEqual([
      two,
      null,
      two,
      one,
    ])
    three.replaceWith(two, 'end')
    expect([box.textContent, box.lastChild?.textContent, three.parentNode]).toEqual(['12end', 'end', null])
    box.insertBefore(one, one)
    expect(box.textContent).toBe('12end')
    box.textContent = ''
    expect([box.firstChild, box.lastChild, one.nextSibling]).toEqual([null, null, null])
  })

  it('copies deep trees without recursion, and only what is inside', () => {
    const root = createElement('div')
    let inner = root
    for (let depth = 0; depth < 50_000; depth++) {
      const next = createElement('i')
      inner.append(next, 'x')
      inner = next
    }
    createElement('p').append(root, 'after')
    const copy = root.cloneNode()
    expect(copy.descendants()).toHaveLength(50_000)
    expect([copy.textContent.length, copy.nextSibling, copy.parentNode]).toEqual([50_000, null, null])
  })
})

describe('attributes', () => {
  it('have names in lower case, the first of a name, and values verbatim', () => {
    const [image] = bodyOf(`<IMG srcSet="a 1x" SRC=b src=c CLASS=" x  y " data-A='"&lt;' alt>`).children
    expect(image?.getAttributeNames()).toEqual(['srcset', 'src', 'class', 'data-a', 'alt'])
    const values = ['srcset', 'src', 'class', 'data-a', 'alt', 'title'].map((name) => image?.getAttribute(name))
    expect(values).toEqual(['a 1x', 'b', ' x  y ', '"<', '', null])
  })

  it('are read once each, however many a tag has', () => {
    const names = Array.from({ length: 300 }, (_, at) => `n${at % 150}=${at}`)
    const [box] = bodyOf(`<p ${names.join(' ')}>`).children
    expect(box?.getAttributeNames()).toHaveLength(150)
    expect(box?.getAttribute('n149')).toBe('149')
  })
})

it('elements within svg accept a slash as an end, elements after them do not', () => {
  const html = '<svg/><div/>a<svg><g/><path/>b<desc><p/>c</desc></svg><div/>d'
  expect(innerHtml(bodyOf(html))).toBe(
    '<svg></svg><div>a<svg><g></g><path></path>b<desc><p>c</p></desc></svg><div>d</div></div>',
  )
})

it('written HTML has escaped text and attributes, and unchanged scripts', () => {
  const html = '<p title="a &amp;amp; &quot;b&quot;">1 &lt; 2 &amp; &nbsp;3<br><script>a < b && c</script></p>'
  expect(innerHtml(parseFragment(html))).toBe(html)
})

describe('selectors', () => {
  const html = '<main id=m><p id=a class="x y">1<p id=b lang=EN>2</main><ul id=u><li id=l><a id=k HREF="/z">t</a></ul>'

  it.each([
    ['p', 'a b'],
    ['P.x', 'a'],
    ['.x.y, [lang=en i]', 'a b'],
    ['main > p:last-child', 'b'],
    ['p + p', 'b'],
    ['ul a[href^="/"]', 'k'],
    ['[HREF]', 'k'],
    ['li:has(> a)', 'l'],
    ['p:not(.x):nth-of-type(2)', 'b'],
    ['main :nth-child(2n + 1), ul:nth-last-child(1)', 'a u'],
    ['p:nth-last-of-type(2), li:first-child:last-child', 'a l'],
    ['p:first-of-type, ul:only-of-type', 'a u'],
    ['p ~ p:last-of-type', 'b'],
    ['body > main:only-of-type', 'm'],
    [':scope > body > ul', 'u'],
    ['p:contains("1")', 'a'],
    ['dd', ''],
  ])('match: %s finds %s', (selector, found) => expect(idsOf(html, selector)?.join(' ')).toBe(found))
})

it.each(['p:nth-child(x)', 'p:nth-child', 'dd:nth-of-type(x)', 'p:first-of-type(2)', 'p:last-child(2)'])(
  'an invalid selector is refused: %s',
  (selector) => expect(() => idsOf('<p>x', selector)).toThrow(),
)
