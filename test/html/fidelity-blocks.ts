import type { FidelityCase } from './fidelity-cases.ts'

/** Tables, lists and other blocks in the forms that are easy to get wrong. */
export const blocksCases: readonly FidelityCase[] = [
  [
    'a table in a cell',
    '<table><tr><th>Name</th><th>Details</th></tr><tr><td>A</td><td><table><tr><th>k</th><th>v</th></tr><tr><td>x</td><td>1</td></tr><tr><td>y</td><td>2</td></tr></table></td></tr></table>',
    '| Name | Details |\n| --- | --- |\n| A | k \\| v<br>x \\| 1<br>y \\| 2 |',
  ],
  [
    'definitions in definitions, and terms that share one',
    '<dl><dt>Outer</dt><dd>text<dl><dt>Inner</dt><dd>one</dd><dd>two</dd></dl></dd><dt>A</dt><dt>B</dt><dd>both</dd></dl>',
    `Outer
: text

  Inner
  : one
  : two

A
B
: both`,
  ],
  [
    'definitions that hold blocks',
    '<dl><dt><p>T</p></dt><dd><pre>x</pre></dd><dd><ul><li>a</li></ul></dd><dd></dd></dl><dl><dd>alone</dd></dl><dl><dt>only</dt></dl>',
    'T\n: ```\n  x\n  ```\n: - a\n: alone\n\nonly',
  ],
  [
    'nested details',
    '<details><summary><h3>Outer</h3></summary><p>a</p><details><summary>Inner <code>x</code></summary><ul><li>b</li></ul></details></details><ul><li><details><summary>S</summary>body text</details></li></ul>',
    '### Outer\n\na\n\nInner `x`\n\n- b\n\n- S\n\n  body text',
  ],
  [
    'a quote with its source',
    '<blockquote cite="https://x.org"><p>Words</p><footer>— <cite>Ann</cite></footer></blockquote>',
    `> Words
>
> — Ann`,
  ],
  [
    'blocks in cells',
    '<table><tr><th>A</th><th>B</th></tr><tr><td><dl><dt>k</dt><dd>v</dd></dl></td><td><ol><li>a<ul><li>b</li></ul></li><li>c</li></ol></td></tr><tr><td><pre>x = 1\n  y | z</pre></td><td><blockquote><p>q</p></blockquote></td></tr></table>',
    '| A | B |\n| --- | --- |\n| k<br>v | 1. a<br>• b<br>2. c |\n| `x = 1`<br>`  y \\| z` | q |',
  ],
  [
    'links around boxes',
    '<a href="/p1" class="card"><img src="/1.jpg" alt="One"><div class="t">Title one</div><p>Text</p><ul><li>x</li></ul></a><a href="/p2"><span>inline</span> card</a><a href="/p3"><img src="/3.jpg" alt="3"><img src="/4.jpg" alt="4"></a><a href="/q"><blockquote>Q</blockquote></a><a href="/f"><figure><img src="/g.png" alt="g"><figcaption>Capt</figcaption></figure></a>',
    `![One](https://ex.com/1.jpg)

[Title one](https://ex.com/p1)

Text

- x

[inline card](https://ex.com/p2)[![3](https://ex.com/3.jpg)![4](https://ex.com/4.jpg)](https://ex.com/p3)

> [Q](https://ex.com/q)

[![g](https://ex.com/g.png)](https://ex.com/f)

[Capt](https://ex.com/f)`,
  ],
  [
    'a head of two rows, a foot and a caption',
    '<table><caption>Cap <b>b</b></caption><colgroup><col align="right"><col style="text-align:center"></colgroup><thead><tr><th rowspan="2">A</th><th colspan="2">B</th></tr><tr><th>b1</th><th>b2</th></tr></thead><tfoot><tr><td>sum</td><td>1</td><td>2</td></tr></tfoot><tbody><tr><td>x\ny</td><td>1</td><td>2</td></tr></tbody></table>',
    `Cap **b**

| A | B |  |
| --- | --- | --- |
|  | b1 | b2 |
| x y | 1 | 2 |
| sum | 1 | 2 |`,
  ],
  [
    'layout tables in layout tables',
    '<table role="presentation"><tr><td><table><tr><td>a</td><td>b</td></tr><tr><td>1</td><td>2</td></tr></table></td><td>Side</td></tr></table><table><tr><td><table><tr><td><p>Inner one</p></td></tr></table></td></tr></table>',
    `|  |  |
| --- | --- |
| a | b |
| 1 | 2 |

Side

Inner one`,
  ],
  [
    'one column',
    '<table><thead><tr><th>Only</th></tr></thead><tbody><tr><td>a</td></tr><tr><td>b</td></tr></tbody></table><table><tr><td>one</td></tr></table>',
    `| Only |
| --- |
| a |
| b |

one`,
  ],
  [
    'no empty table',
    '<table><tr><td></td><td> </td></tr></table><p>x</p><table><thead><tr><th>A</th></tr></thead></table>',
    `x

| A |
| --- |`,
  ],
  [
    'headings by role',
    '<div role="heading" aria-level="3">Third <b>level</b></div><p>One</p><p><span role="heading">Second</span></p><p>Two</p><div role="heading" aria-level="2"><h4>Own level</h4></div>',
    `### Third **level**

One

## Second

Two

#### Own level`,
  ],
  [
    'pictures and folds in headings',
    '<h2><figure><img src="a.jpg" alt="Acme logo"><figcaption>Acme</figcaption></figure>Products</h2><h3><details><summary>More</summary></details></h3>',
    '## ![Acme logo](https://ex.com/docs/a.jpg) Acme Products\n\n### More',
  ],
  [
    'figures as items of a list by role',
    '<div role="list"><figure role="listitem"><img src="/a.jpg" alt="A"></figure><details role="listitem"><summary>B</summary></details></div>',
    '- ![A](https://ex.com/a.jpg)\n- B',
  ],
  [
    'kinds of items in an attribute (Quill)',
    '<ol><li data-list="bullet">One</li><li data-list="bullet">Two</li></ol><p>or</p><ol><li data-list="checked">Done</li><li data-list="unchecked">Open</li></ol><p>or</p><ol><li data-list="ordered">First</li></ol>',
    `- One
- Two

or

- [x] Done
- [ ] Open

or

1. First`,
  ],
  [
    'lists of all shapes',
    '<ul><li><p>a</p><ul><li>b</li></ul></li><li><h3>H</h3><p>x</p></li><li><img src="/i.png" alt="i"></li></ul><ol type="a"><li>x</li></ol><ol reversed start="3"><li>x</li><li>y</li></ol><ul><ul><li>deep</li></ul></ul><ul>text<li>a</li></ul><li>stray</li><menu><li>m</li></menu><ol><li>a</li><li><pre>code</pre></li></ol><ul><li>1. x</li><li># y</li><li>- z</li></ul><ul><li><b>k:</b> v<br>w</li></ul>',
    '- a\n  - b\n- ### H\n\n  x\n- ![i](https://ex.com/i.png)\n\n1. x\n\n3. x\n2. y\n\n- deep\n\ntext\n\n- a\n\n- stray\n\n- m\n\n1. a\n2. ```\n   code\n   ```\n\n- 1\\. x\n- \\# y\n- \\- z\n\n- **k:** v  \n  w',
  ],
]
