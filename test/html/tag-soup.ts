import type { Random } from './made-page.ts'

const blocks = 'div section article blockquote main form center x-card'.split(' ')
const inline = 'a b i em span code label font'.split(' ')
const texts = [
  'one',
  'two &amp; three',
  'a&nbsp;b',
  '&lt;p&gt;',
  '5 < 6',
  'é&eacute;&#233;',
  '&copy',
  'x &unknown; y',
  '日本',
]
const odd = [
  '<!-- a <p> comment -->',
  '<!---->',
  '<br>',
  '<br/>',
  '<hr>',
  '<img src=x alt="a > b">',
  '<script>if (a < b) document.write("<p>no</p>")</script>',
  '<style>p > a { color: red }</style>',
  '<textarea><b>field</textarea>',
  '<template><p>later</p></template>',
  '<svg viewBox="0 0 1 1"><path d="M0 0"/><g><circle r=1 /></g></svg>',
  '<input value=1 disabled>',
  '<p/>',
  '<a href=x CLASS="A b">link</a>',
]

/** Returns elements nested as the HTML standard allows, without some of the end tags that are optional (13.1.2.4). */
export function soundPiece(random: Random, depth = 0): string {
  const inner = () => (depth > 1 ? phrase(random) : soundPiece(random, depth + 1))
  const end = (name: string) => (random.below(2) === 0 ? `</${name}>` : '')
  const items = (name: string, content: () => string) =>
    Array.from({ length: 1 + random.below(3) }, () => `<${name}>${content()}${end(name)}`).join('')
  const kinds = [
    () => `<p>${phrase(random)}</p>`,
    () =>
      `<p>${phrase(random)}<${random.pick(['div', 'ul', 'h2', 'table', 'section', 'hr', 'pre', 'p'])}>`.replace(
        /<(\w+)>$/,
        closed,
      ),
    () => `<ul>${items('li', inner)}</ul>`,
    () => `<dl>${items('dt', () => phrase(random))}${items('dd', inner)}</dl>`,
    () => `<table>${items('tr', () => items('td', inner))}</table>`,
    () =>
      `<table><thead><tr><th>${phrase(random)}<th>${phrase(random)}</thead><tbody>${items('tr', () => items('td', inner))}</table>`,
    () => `<select>${items('option', () => 'choice')}</select>`,
    () => `<ruby>${random.pick(['漢', '字'])}<rt>kan</ruby>`,
    () => phrase(random),
    () => random.pick(odd.slice(0, -2)),
  ]
  const block = random.pick(blocks)
  const parts = Array.from({ length: 1 + random.below(3) }, () => random.pick(kinds)())
  return block === 'form' ? parts.join('\n') : `<${block}>${parts.join('\n')}</${block}>`
}

const closed = (_: string, name: string) =>
  name === 'hr' ? '<hr>' : name === 'table' ? '<table><tr><td>cell</table>' : `<${name}>next</${name}>`

function phrase(random: Random): string {
  const name = random.pick(inline)
  const text = random.pick(texts)
  return random.below(2) === 0 ? text : `${text} <${name}>${random.pick(texts)}</${name}>`
}

const soupTags = [
  ...blocks,
  ...inline,
  'p',
  'li',
  'ul',
  'h1',
  'h3',
  'pre',
  'dd',
  'dt',
  'dl',
  'option',
  'button',
  'nope',
]

/** Returns tags that open and close at random. */
export function soup(random: Random): string {
  const parts = Array.from({ length: 4 + random.below(24) }, () => {
    const kind = random.below(10)
    if (kind < 4) return random.pick(texts)
    if (kind === 4) return random.pick(odd)
    const name = random.below(6) === 0 ? random.pick(soupTags).toUpperCase() : random.pick(soupTags)
    return kind < 8 ? `<${name}${random.below(3) === 0 ? ` id="n${random.below(9)}" class='a  b'` : ''}>` : `</${name}>`
  })
  return parts.join(random.below(2) === 0 ? '' : ' ')
}
