import type { FidelityCase } from './fidelity-cases.ts'

/** Words, marks, links and escapes in the forms that are easy to get wrong. */
export const textCases: readonly FidelityCase[] = [
  [
    'readings of characters',
    '<p><ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp>字<rp>(</rp><rt>じ</rt><rp>)</rp></ruby>と<ruby>明日<rt>あした</rt></ruby></p>',
    '漢(かん)字(じ)と明日(あした)',
  ],
  [
    'inline elements of all kinds',
    '<p><abbr title="HyperText Markup Language">HTML</abbr> press <kbd>Ctrl</kbd>+<kbd>C</kbd> <mark>hot</mark> <ins>new</ins> <del>old</del> <samp>out_put</samp> <var>x</var> <tt>tt_x</tt> <q>quoted</q> <u>u</u> <small>sm</small> <dfn>def</dfn> <cite>Cite</cite> <time datetime="2020-01-01">Jan 1</time> <span style="font-variant:small-caps">Small</span></p>',
    'HTML press `Ctrl`+`C` hot new ~~old~~ `out_put` x `tt_x` "quoted" u sm def Cite Jan 1 Small',
  ],
  [
    'a poem',
    '<p>Roses are red,<br>\nViolets are blue,<br><br>\n&nbsp;&nbsp;Indented<br></p><br><br><p>after</p>',
    `Roses are red,  
Violets are blue,

Indented

after`,
  ],
  [
    'lines that an inline style keeps',
    '<div style="white-space: pre-wrap">\nFirst verse,\n<b>line</b> two.\n\nSecond verse.\n</div><p><span style="white-space:pre-wrap">One </span><span style="white-space:pre-wrap">more</span></p><pre style="white-space: pre-wrap">a\n b</pre>',
    `First verse,  
**line** two.

Second verse.

One more

\`\`\`
a
 b
\`\`\``,
  ],
  [
    'headings with links, code, images and anchors',
    '<h2><a href="/a">L</a> and <code>c()</code> <img src="/i.png" alt="i"></h2><h3><a href="/all">Text link</a></h3><h2 id="q">Q<a class="headerlink" href="#q" title="Permalink to this heading">¶</a></h2><h2>H <a aria-label="Direct link to H" class="hash-link" href="#h">\u200B</a></h2><h2><a id="x" class="anchor" aria-hidden="true" href="#x"><svg></svg></a>Y</h2><div class="markdown-heading"><h2>Z</h2><a id="user-content-z" class="anchor" aria-label="Permalink: Z" href="#z"><svg></svg></a></div><h2><a href="#w">Whole heading link</a></h2><h4>Q <small>sub</small></h4>',
    '## [L](https://ex.com/a) and `c()` ![i](https://ex.com/i.png)\n\n### [Text link](https://ex.com/all)\n\n## Q\n\n## H\n\n## Y\n\n## Z\n\n## [Whole heading link](https://ex.com/docs/page#w)\n\n#### Q sub',
  ],
  [
    'addresses of all kinds',
    '<p><a href="//cdn.ex.com/x">pr</a> <a href="/a b/c d.pdf">sp</a> <a href="/x(1)/[y]">par</a> <a href="/é/日本">uni</a> <a href="tel:+1-555">t</a> <a href="mailto:a@x.org?subject=Hi there">m</a> <a href="data:text/plain,hi">d</a> <a href=" javascript:alert(1)">j</a> <a href="#">top</a> <a href="/q?a=1&amp;b=&lt;2&gt;">q</a> <a href="https://x.org/a_b_c*d*">u</a> <a href="https://x.org">https://x.org/with_under_score</a> <a href="/t" title="a&quot;b">ti</a> <a href="java\nscript:alert(1)">jj</a> <a href="http://[bad">bad</a> <a href="vbscript:x">vb</a> <a href="sms:+1">s</a> <a href="blob:https://x/1">b</a></p>',
    '[pr](https://cdn.ex.com/x) [sp](https://ex.com/a%20b/c%20d.pdf) [par](https://ex.com/x\\(1\\)/[y]) [uni](https://ex.com/%C3%A9/%E6%97%A5%E6%9C%AC) [t](tel:+1-555) [m](mailto:a@x.org?subject=Hi%20there) d j [top](https://ex.com/docs/page#) [q](https://ex.com/q?a=1&b=%3C2%3E) [u](https://x.org/a_b_c*d*) [https://x.org/with_under_score](https://x.org/) [ti](https://ex.com/t "a\\"b") jj [bad](http://[bad) vb [s](sms:+1) b',
  ],
  [
    'soft hyphens, joiners and text from right to left',
    '<p>co&shy;opera&shy;tion a&nbsp;&nbsp;b zero&#8203;width &#x200e;ltr</p><p dir="rtl">שלום <b>עולם</b> (123)</p><p>emoji 👩‍👩‍👧‍👦 ❤️ 🏳️‍🌈 1️⃣ می‌خواهم</p>',
    `cooperation a  b zerowidth ltr

שלום **עולם** (123)

emoji 👩‍👩‍👧‍👦 ❤️ 🏳️‍🌈 1️⃣ می‌خواهم`,
  ],
  [
    'emphasis beside characters without spaces',
    '<p>这是<strong>重点。</strong>后面<em>强调</em>文字，<b>「引用」</b>です。<strong>（注）</strong>文<del>旧。</del>新</p><p>foo<b>(bar)</b>baz <b>x:</b>y <b>"q"</b>z a<i>.b</i>c</p>',
    `这是**重点**。后面*强调*文字，**「引用**」です。**（注**）文~~旧~~。新

foo(**bar**)baz **x**:y **"q**"z a.*b*c`,
  ],
  [
    'lines that begin like blocks',
    '<p>1. one</p><p>+ x</p><p>- y</p><p># h</p><p>&gt; q</p><p>=== </p><p>= a</p><p>-- x</p><p>- - -</p><p>***</p><p>* a</p><p>~~~js</p><p>+1 to that</p><p>-</p><p>1)</p><p>#tag</p><p>#</p><p>| a | b |</p><p>a<br>---</p><p>a<br>===</p><p>a | b<br>--- | ---</p><p>: def</p><p>[^1]: note</p><p>[x]: http://a</p><p>&lt;div&gt;</p><p>&lt;b&gt;x&lt;/b&gt; &amp;amp; &amp;copy; a&lt;b</p><p>_ _ _</p><p>– dash</p><p>• bullet</p>',
    '1\\. one\n\n\\+ x\n\n\\- y\n\n\\# h\n\n\\> q\n\n\\===\n\n= a\n\n-- x\n\n\\- - -\n\n\\***\n\n\\* a\n\n\\~~~js\n\n+1 to that\n\n\\-\n\n1\\)\n\n#tag\n\n\\#\n\n\\| a | b |\n\na  \n\\---\n\na  \n\\===\n\na | b  \n\\--- | ---\n\n\\: def\n\n\\[^1]: note\n\n\\[x]: http://a\n\n\\<div>\n\n\\<b>x\\</b> \\&amp; \\&copy; a<b\n\n\\_ _ _\n\n– dash\n\n• bullet',
  ],
  [
    'what needs an escape and what needs none',
    '<p>snake_case 3*4=12 a*b [x] array[0] f(x)[1] http://x.org/a_b_(c) __init__ 50% $5 and $6 ~5 ~~x~~ `tick` C:\\dir\\file *args **kwargs a~b~c !bang ![img] & < > _private x_ 2 * 3 a\\_b</p>',
    'snake_case 3\\*4=12 a\\*b [x] array[0] f(x)[1] http://x.org/a_b_(c) \\_\\_init\\_\\_ 50% $5 and $6 \\~5 \\~\\~x\\~\\~ \\`tick\\` C:\\dir\\file \\*args \\*\\*kwargs a\\~b\\~c !bang ![img] & < > \\_private x\\_ 2 * 3 a\\\\\\_b',
  ],
  [
    'text that looks like links, tags and entities',
    '<p>Wow!<a href="/x">link</a> and [text](http://a.b/c) and &lt;b&gt; &amp;lt; it</p>',
    'Wow\\![link](https://ex.com/x) and [text\\](http://a.b/c) and \\<b> \\&lt; it',
  ],
  [
    'blocks in inline elements',
    '<p>text<div>block</div>tail</p><span><p>in span</p></span><b><h2>Bold head</h2></b><em>a<p>b</p>c</em><a href="/x"><h2>Link head</h2></a><h2><b>Bold</b></h2><h1><p>p in h</p></h1><button>Btn</button><label>Lab</label><p>a<wbr>b</p><center>c</center><font color="red">f</font>',
    `text

block

tail

in span

## **Bold head**

_a_

_b_

_c_

## [Link head](https://ex.com/x)

## **Bold**

# p in h

Btn Lab

ab

c

f`,
  ],
  [
    'indices and powers',
    '<p>CO<sub>2</sub> x<sub>i</sub> x<sub>i+1</sub> log<sub>10</sub> e<sup>-x</sup> a<sup>n+1</sup> x<sup>2</sup><sub>1</sub> 1<sup>st</sup> M<sup>lle</sup> [<sup>a</sup>] 10<sup>−3</sup> (a+b)<sup>2</sup> word<sup>1</sup> TM<sup>®</sup></p>',
    'CO2 x_i x_(i+1) log10 e^(-x) a^(n+1) x^2_1 1st Mlle [a] 10^−3 (a+b)^2 word^1 TM®',
  ],
  [
    'no hidden text beside a link to nowhere',
    '<ul><li><a href="#">Top</a></li></ul><div><p>Shown.</p><div style="display:none">Hidden words.</div></div>',
    '- [Top](https://ex.com/docs/page#)\n\nShown.',
  ],
  [
    'answers that a script unfolds',
    '<div class="q" onclick="t(1)">Can I wash it?</div><div style="display:none"><p>Never in a machine, only by hand in cold water.</p></div><h3 onclick="t(2)">Can I return it?</h3><div hidden><p>Yes, within thirty days, if the soles are clean.</p></div>',
    'Can I wash it?\n\nNever in a machine, only by hand in cold water.\n\n### Can I return it?\n\nYes, within thirty days, if the soles are clean.',
  ],
  [
    'text for screen readers and the author of a quote apart from the words beside them',
    '<ul><li><span class="sr-only">Directory</span>src/</li><li>Large<span class="visually-hidden">Sold out</span></li><li>Price<span class="sr-only">:</span> 3</li></ul><blockquote><cite>pia wrote:</cite>Epoxy.</blockquote>',
    '- Directory src/\n- Large Sold out\n- Price: 3\n\n> pia wrote: Epoxy.',
  ],
  [
    'what browsers show of a CDATA section in HTML',
    '<p><![CDATA[a <b>bold</b> word]]> here</p><p>Plain <![CDATA[hidden]]> end</p><p>Last <![CDATA[ open <em>em</em> rest</p>',
    'bold word]]> here\n\nPlain end\n\nLast em rest',
  ],
  [
    'lists by role, two prices, and notes that repeat their mark',
    '<div role="list"><div role="listitem">Smoker</div><div role="listitem"><span>Veil</span> and gloves</div></div><p>Now <del>€20</del><ins>€15</ins> only. <a href="#n3">[3]</a></p><p id="n3">[3] In the dark.</p>',
    '- Smoker\n- Veil and gloves\n\nNow ~~€20~~ €15 only. [^3]\n\n[^3]: In the dark.',
  ],
  [
    'links side by side apart',
    '<p>Tags: <a href="/w">wool</a><a href="/k">knit</a></p><p>See <a href="/w">wool</a><a href="/k">works</a>.</p>',
    'Tags: [wool](https://ex.com/w) [knit](https://ex.com/k)\n\nSee [wool](https://ex.com/w)[works](https://ex.com/k).',
  ],
  [
    'ticks and crosses of icon fonts in cells',
    '<table><tr><th></th><th>A</th><th>B</th></tr><tr><td>Wash</td><td><i class="fa fa-check" aria-hidden="true"></i></td><td><i class="bi bi-x-circle"></i></td></tr><tr><td>Dry</td><td><svg class="icon"><use href="#icon-check"></use></svg></td><td><span class="icon icon-no"></span></td></tr><tr><td>Iron</td><td><i class="fa fa-check"></i> 30 °C</td><td><i class="fa fa-times"></i><span class="sr-only">No</span></td></tr><tr><td>Edit</td><td class="no"></td><td><a href="/x"><i class="fa fa-times"></i></a></td></tr></table>',
    '|  | A | B |\n| --- | --- | --- |\n| Wash | ✓ | ✗ |\n| Dry | ✓ | ✗ |\n| Iron | 30 °C | No |\n| Edit |  |  |',
  ],
  [
    'answers with an unknown control, if there are several alike, and text that moves in',
    '<div class="i"><div class="t">Can I wash it?</div><div class="c" style="display: none">Never in a machine, only by hand in cold water.</div></div><div class="i"><div class="t">Can I return it?</div><div class="c" style="display: none">Yes, within thirty days, if the soles are clean.</div></div><p>One.</p><div style="display:none">A single hidden text is not an answer to anything here.</div><p style="opacity:0;transform:translateY(20px);transition:all 1s">Moves in.</p><p style="opacity:0;transform:translateY(20px)">Never moves.</p><p style="opacity:0">Never seen.</p>',
    'Can I wash it?\n\nNever in a machine, only by hand in cold water.\n\nCan I return it?\n\nYes, within thirty days, if the soles are clean.\n\nOne.\n\nMoves in.',
  ],
  [
    'text that moves in with several similar boxes, text before the button that unfolds it, and read-only fields',
    '<p style="opacity:0;transform:none translateY(9px)">A.</p><p style="opacity:0;transform:none translateY(9px)">B.</p><p>Start. <span style="display:none">The rest of the text.</span><button aria-expanded="false">More</button></p><textarea readonly>a\nb</textarea><textarea>own</textarea><iframe data-src="https://player.vimeo.com/video/1" title="V"></iframe><svg role="img" aria-labelledby="t"><title id="t">Tides</title></svg>',
    'A.\n\nB.\n\nStart. The rest of the text. More\n\n```\na\nb\n```\n\n[V](https://player.vimeo.com/video/1)\n\nTides',
  ],
  [
    'heads that only the cells of a table name',
    '<table><tr><td data-label="Boat">Tern</td><td data-label="Fee">5</td></tr><tr><td data-label="Boat">Auk</td><td data-label="Fee">6</td></tr></table>',
    '| Boat | Fee |\n| --- | --- |\n| Tern | 5 |\n| Auk | 6 |',
  ],
]
