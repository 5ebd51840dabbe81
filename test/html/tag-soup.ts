/** Random pieces of HTML as people write it: the same seed gives the same piece. */
export type Dice = (sides: number) => number

/** Mulberry32 (Tommy Ettinger): one 32-bit state. */
export function diceOf(seed: number): Dice {
  let state = Math.imul(seed + 1, 0x9e3779b9)
  return (sides) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % sides
  }
}

const pick = <Item>(dice: Dice, items: readonly Item[]): Item => items[dice(items.length)] as Item

const blocks = ['div', 'section', 'article', 'blockquote', 'main', 'form', 'center', 'x-card']
const inline = ['a', 'b', 'i', 'em', 'span', 'code', 'label', 'font']
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

/** Elements in each other as the standard allows, with end tags left out where it allows that (13.1.2.4). */
export function soundPiece(dice: Dice, depth = 0): string {
  const inner = () => (depth > 1 ? phrase(dice) : soundPiece(dice, depth + 1))
  const end = (name: string) => (dice(2) === 0 ? `</${name}>` : '')
  const items = (name: string, content: () => string) =>
    Array.from({ length: 1 + dice(3) }, () => `<${name}>${content()}${end(name)}`).join('')
  const kinds = [
    () => `<p>${phrase(dice)}</p>`,
    () =>
      `<p>${phrase(dice)}<${pick(dice, ['div', 'ul', 'h2', 'table', 'section', 'hr', 'pre', 'p'])}>`.replace(
        /<(\w+)>$/,
        closed,
      ),
    () => `<ul>${items('li', inner)}</ul>`,
    () => `<dl>${items('dt', () => phrase(dice))}${items('dd', inner)}</dl>`,
    () => `<table>${items('tr', () => items('td', inner))}</table>`,
    () =>
      `<table><thead><tr><th>${phrase(dice)}<th>${phrase(dice)}</thead><tbody>${items('tr', () => items('td', inner))}</table>`,
    () => `<select>${items('option', () => 'choice')}</select>`,
    () => `<ruby>${pick(dice, ['漢', '字'])}<rt>kan</ruby>`,
    () => phrase(dice),
    () => pick(dice, odd.slice(0, -2)),
  ]
  const block = pick(dice, blocks)
  const parts = Array.from({ length: 1 + dice(3) }, () => pick(dice, kinds)())
  return block === 'form' ? parts.join('\n') : `<${block}>${parts.join('\n')}</${block}>`
}

const closed = (_: string, name: string) =>
  name === 'hr' ? '<hr>' : name === 'table' ? '<table><tr><td>cell</table>' : `<${name}>next</${name}>`

function phrase(dice: Dice): string {
  const name = pick(dice, inline)
  const text = pick(dice, texts)
  return dice(2) === 0 ? text : `${text} <${name}>${pick(dice, texts)}</${name}>`
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

/** Tags that open and close as they come. */
export function soup(dice: Dice): string {
  const parts = Array.from({ length: 4 + dice(24) }, () => {
    const kind = dice(10)
    if (kind < 4) return pick(dice, texts)
    if (kind === 4) return pick(dice, odd)
    const name = dice(6) === 0 ? pick(dice, soupTags).toUpperCase() : pick(dice, soupTags)
    return kind < 8 ? `<${name}${dice(3) === 0 ? ` id="n${dice(9)}" class='a  b'` : ''}>` : `</${name}>`
  })
  return parts.join(dice(2) === 0 ? '' : ' ')
}
