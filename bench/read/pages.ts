/** Pages that each cost as much time or memory as possible, in one way. */
const times = (part: string, count: number) => part.repeat(count)
const counted = (count: number, part: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => part(i)).join('')
const words = 'lorem ipsum dolor sit amet, consectetur adipiscing elit sed do '

export const hardPages: Readonly<Record<string, () => string>> = {
  '3,000 nested boxes': () => times('<div>', 3000) + times('deep ', 100),
  '100,000 nested boxes': () => times('<div>', 100_000) + times('deep ', 100),
  'table of 20,000 rows': () => `<table>${times(`<tr>${times('<td>c d</td>', 4)}</tr>`, 20_000)}</table>`,
  '500 nested tables': () => `${times('<table><tr><td>x', 500)}inmost`,
  'list of 50,000 links': () => `<ol>${times('<li>item <a href="/x">l</a></li>', 50_000)}</ol>`,
  '20 MB in one paragraph': () => `<p>${times(words, 325_000)}</p>`,
  '20 MB in 200,000 paragraphs': () => times(`<p>${words}${words.slice(0, 35)}</p>`, 200_000),
  '50 MB of text': () => times(`<p>${times(words, 50)}</p>`, 15_700),
  '50 MB of tags': () => times('<p>x', 12_500_000),
  '50 MB of brackets': () => times('<', 50_000_000),
  '50 MB of attributes': () => `<p ${counted(5_000_000, (i) => `a${i} `)}>hello`,
  '100,000 attributes of one tag': () => `<p ${counted(100_000, (i) => `a${i}=1 `)}>hello`,
  '100,000 names of attributes': () => counted(100_000, (i) => `<i a${i}=1>x</i>`),
  '100,000 classes': () => `<div class="${counted(100_000, (i) => `c${i} `)}">hello</div>`,
  '50 MB of ampersands': () => `<p>${times('&', 50_000_000)}`,
  '500,000 odd entities': () => `<p>${times('&#xFFFFFF', 500_000)}`,
  '100,000 tags that stay open': () => times('<b>x', 100_000),
  'comment of 10 MB': () => `<p>hello</p><!--${times('x - ', 2_500_000)}-->`,
  'script of 5 MB in one line': () => `<script>${times('if(a<b&&c>d){x="</p>"}', 220_000)}</script><p>hello</p>`,
  'inline marks 40,000 deep': () => `${times('<b>w <i>v ', 20_000)}hello`,
  '5,000 nested links': () => times('<a href="/x">w ', 5000),
  '100,000 links': () => counted(100_000, (i) => `<a href="/p/${i}?q=${i}">link ${i}</a> `),
  '100,000 first headings': () => counted(100_000, (i) => `<h1>head ${i}</h1>`),
  '10 MB of pictures in the page': () => times(`<img src="data:image/png;base64,${times('iVBORw0KGgo', 90_000)}">`, 10),
  'srcset of 200,000 pictures': () => `<img srcset="${counted(200_000, (i) => `/a${i}.png ${i}w, `)}">hello`,
  'style of 2 MB of space': () => `<div style="display${times(' ', 2_000_000)}x">hello</div>`,
  'style of 2 MB of semicolons': () => `<div style="${times(';', 2_000_000)}">hello</div>`,
  'class of 2 MB of hyphens': () => `<div class="${times('a-', 1_000_000)}">hello</div>`,
  '2 MB of NUL': () => `${times('\0', 2_000_000)}hello`,
}
