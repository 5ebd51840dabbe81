import { describe, expect, it } from 'vitest'
import { main, menu, prose } from './frame.ts'
import { markdownOf, read } from './read.ts'

const post = (text: string) => `<div class="post"><div class="user-info">Joined 2010</div><div>${text}</div></div>`

const frame = (content: string, head = '') => `<!doctype html><html><head><title>Page</title>${head}</head><body>
  <a class="skip-link" href="#main">Skip to content</a>
  <header class="site-header"><div class="logo">Brand</div><nav><ul>${menu(['Products', 'Pricing', 'Login'])}</ul></nav></header>
  <div class="breadcrumbs"><a href="/">Home</a> / <a href="/blog">Blog</a></div>
  ${content}
  <aside class="sidebar"><h3>Popular</h3><ul>${menu(['Sidebar-one', 'Sidebar-two', 'Sidebar-three'])}</ul></aside>
  <div id="onetrust-consent-sdk"><h2>Privacy Centre</h2><p>We use cookies to remember you.</p></div>
  <footer><p>Copyright Brand</p><ul>${menu(['Imprint', 'Careers'])}</ul></footer></body></html>`
const furniture = ['Skip to content', 'Pricing', 'Home', 'Sidebar-one', 'Privacy Centre', 'Copyright', 'Careers']

function expectContent(markdown: string, wanted: readonly string[], unwanted: readonly string[] = furniture): void {
  for (const text of wanted) expect(markdown).toContain(text)
  for (const text of unwanted) expect(markdown).not.toContain(text)
}

describe('main content', () => {
  it('is the text of an article without its surroundings', () => {
    const article = `<article><h1>Bees</h1>${prose('bees')}<div class="share">Share this</div>${prose('honey')}
      <h2>Wax</h2>${prose('wax')}<div class="related-posts"><h3>Related</h3><ul>${menu(['Wasps'])}</ul></div></article>`
    const markdown = markdownOf(frame(article), main)
    expectContent(markdown, ['# Bees', 'about bees', 'about honey', '## Wax'], furniture)
  })

  it('keeps texts that a page repeats under different headings, or many times', () => {
    const days = ['Monday', 'Tuesday', 'Friday']
      .map((day) => `<section><h2>${day}</h2><div>${prose('soup')}</div></section>`)
      .join('')
    expect(
      markdownOf(frame(`<main><h1>Lunch</h1>${prose('lunch')}${days}</main>`), main).split('about soup'),
    ).toHaveLength(3 * 4 + 1)
    const log = `<main><h1>Log</h1>${`<div>${prose('a run')}</div>`.repeat(30)}</main>`
    expect(markdownOf(frame(log), main).split('about a run')).toHaveLength(30 * 4 + 1)
  })

  it('keeps a table of facts next to the text of an article', () => {
    const facts = [
      ['Location', '<a href="/c">Cape Orrin</a>'],
      ['Height', '41 m'],
      ['Range', '24 nmi'],
    ].map(([name, value]) => `<tr><th scope="row" class="infobox-label">${name}</th><td>${value}</td></tr>`)
    const box = `<aside><table class="infobox vcard"><caption class="infobox-title">Orrin Light</caption><tbody>${facts.join('')}</tbody></table></aside>`
    const text = `${prose('the light')}<h2>History</h2>${prose('the tower').repeat(3)}`
    const page = `<html><head><title>Orrin Light - Wikipedia</title></head><body><header><ul>${menu(['A', 'B'])}</ul></header><main id="content" class="mw-body"><h1>Orrin Light</h1><div id="bodyContent"><div class="mw-parser-output">${box}${text}</div></div></main><footer><p>Text</p></footer></body></html>`
    expectContent(markdownOf(page, main), ['| Height | 41 m |', 'about the tower'])
  })

  it('keeps all posts of a forum and drops quotes of them', () => {
    const question = 'Has anybody tried to keep bees on a balcony in the fourth floor of a house in the city?'
    const answer = `<blockquote class="quote">Anna said: ${question}</blockquote><p>Yes, and it works well when the wind is not strong.</p>`
    const thread = `<main><h1>Bees</h1>${post(`<p>${question}</p>`)}${post(answer)}${post(prose('balconies'))}</main>`
    const markdown = markdownOf(frame(thread), { ...main, url: 'https://forum.ex.com/threads/bees.1/' })
    expectContent(markdown, ['it works well', 'about balconies'], [...furniture, 'Joined 2010'])
    expect(markdown.split('balcony in the fourth floor')).toHaveLength(2)
  })

  it('contains a repeated box once', () => {
    const slide =
      '<div class="slide"><p>An offer that is shown in a row of slides, which the script copies to make it go round.</p></div>'
    const markdown = markdownOf(frame(`<main><h1>Offers</h1>${slide}${slide}${prose('offers')}</main>`), main)
    expect(markdown.split('row of slides')).toHaveLength(2)
  })

  it.each([
    [
      'a short page of its methods',
      '<main><h1>Log</h1><section><h3><a href="#a">close</a></h3><div><span>close</span>(force)</div><p>Ends it.</p></section></main>',
      ['### close', 'close(force)', 'Ends it.'],
    ],
    [
      'a title page of its links',
      '<main><h1>Gull</h1><p>One command.</p><div><a href="/start">Get started</a></div></main>',
      ['One command.', '[Get started]'],
    ],
    [
      'a question and its folded answer',
      '<main><h1>FAQ</h1><div><button aria-expanded="false">How?</button><div hidden><p>By bank.</p></div></div></main>',
      ['How?', 'By bank.'],
    ],
    [
      'short answers after buttons, with their lines',
      `<main><h1>FAQ</h1><button onclick="t()">How?</button><div hidden><p>By bank.</p></div><button onclick="t()">When?</button><div style="display:none;white-space:pre-line"><p>Today\nor later.</p></div></main>`,
      ['How?', 'By bank.', 'Today  \nor later.'],
    ],
    [
      'a short answer after long ones',
      `<main><h1>FAQ</h1>${['How', 'When'].map((word) => `<button>${word} is it?</button><div hidden>${prose(word)}</div>`).join('')}<button>Is it?</button><div hidden><p>Yes.</p></div></main>`,
      ['about When', 'Is it?', 'Yes.'],
    ],
    [
      'an article beside its title',
      `<main><h1>Contact</h1><article>${prose('ferries')}<div>Phone: 555 1234</div><div>Room 12</div><ul><li><a href="/f.pdf">Form A</a></li></ul>${prose('boats')}</article></main>`,
      ['Phone: 555 1234', 'Room 12', 'Form A'],
    ],
    [
      'the text after an article of the title',
      `<main><article class="page-header"><h1>Contact</h1></article><div>${prose('ferries')}<div>Phone: 555 1234</div>${prose('boats')}</div></main>`,
      ['about ferries', 'Phone: 555 1234'],
    ],
    [
      'a section of linked results',
      '<div><h1>Rowing league</h1><p>After round 9</p><table><tr><th>Club</th><th>Points</th></tr><tr><td>Hull</td><td>27</td></tr><tr><td>York</td><td>24</td></tr></table><h2>Results</h2><div><a href="/1">Hull <b>2:1</b> York</a><a href="/2">Leeds <b>4:1</b> Whitby</a></div></div>',
      ['After round 9', '## Results', '2:1', '4:1'],
    ],
    [
      'a hidden tab beside an open one',
      `<main><h1>Rope</h1><ul><li><a href="#d">About</a></li><li><a href="#s">Sizes</a></li></ul><div id="d">${prose('ropes')}</div><div id="s" style="display:none"><table><tr><th>Length</th><td>10 m</td></tr></table></div></main>`,
      ['| Length | 10 m |'],
    ],
    [
      'a figure in its text, and the author and date above',
      `<main><article><h1>Bees</h1><div>By <a rel="author" href="/a">Ann</a></div><time datetime="2026-05-01">1 May</time><figure><img src="/b.jpg" alt="A hive"><figcaption>A hive.</figcaption></figure>${prose('bees')}</article></main>`,
      ['![A hive]', 'A hive.', 'Ann', '1 May'],
    ],
    [
      'an indented row, as a quote',
      `<title>Show: tide clock</title><table><tr><td><img src="s.gif" width="0"></td><td>bo: ${prose('clocks')}</td></tr><tr><td><img src="s.gif" width="40"></td><td>ann: ${prose('gears')}</td></tr></table>`,
      ['> ann:'],
    ],
    [
      'rating labels, and adjacent prices separated by a space',
      `<main><h1>Ropes</h1>${prose('ropes')}<ul><li><h3><a href="/1">Tern Rope</a></h3><div aria-label="4.5 of 5"><span></span><span>(7)</span></div><div><del>€20.00</del><span>€15.00</span></div></li><li><h3><a href="/2">Gull Rope</a></h3><div>€9.00</div></li></ul></main>`,
      ['4.5 of 5 (7)', '~~€20.00~~ €15.00'],
    ],
  ])('keeps all of %s', (_, content, wanted) => {
    expectContent(markdownOf(frame(content), main), wanted, [])
  })

  it('leaves hidden menus, forms and messages after a button hidden', () => {
    const hidden =
      '<button>Copy</button><div hidden><p>Copied</p></div><button>Menu</button><ul hidden><li><a href="/x">Hidden link</a></li></ul><button>Copy</button><div hidden><p>Copied</p></div><button>Like</button><span class="t" hidden>Liked</span><button>Save</button><span class="t" hidden>Saved</span>'
    expectContent(
      markdownOf(frame(`<main><h1>Bees</h1>${prose('bees')}${hidden}</main>`)),
      [],
      ['Copied', 'Hidden link', 'Liked'],
    )
  })

  it('leaves out a notice with a button between the title and the text', () => {
    const notice = '<div class="cookie-notice">We use cookies here. <button>Accept</button></div>'
    expectContent(
      markdownOf(frame(`<div class="content"><h1>Bees</h1>${notice}${prose('bees')}</div>`), main),
      ['# Bees', 'about bees'],
      ['cookies'],
    )
  })

  it.each(['header', 'nav', 'footer'])('is found if the whole page is a %s', (name) => {
    const page = `<body><${name}><h1>Head</h1>${prose('headers')}</${name}></body>`
    expect(markdownOf(page, main)).toContain('about headers')
  })

  const posts = ['Tea', 'Rum'].map(
    (name) => `<div class="post"><header>On ${name}</header><p>${name} is hot.</p></div>`,
  )
  it.each([
    ['a quotation', '<blockquote><p>To be.</p><footer>Hamlet</footer></blockquote>', '> To be.\n>\n> Hamlet'],
    ['each post', posts.join(''), 'On Tea\n\nTea is hot.\n\nOn Rum\n\nRum is hot.'],
    [
      'a post with a title',
      '<div><header><h2>Tea</h2>1 May</header><p>It is hot.</p></div>',
      '## Tea\n\n1 May\n\nIt is hot.',
    ],
  ])('keeps the header or footer of %s on a short page', (_, body, markdown) => {
    expect(markdownOf(`<body><nav><a href="/a">Products</a></nav>${body}</body>`, main)).toBe(markdown)
  })

  const site = '<header>Acme <nav><a href="/a">Products</a></nav></header>'
  const legal = '<footer><section>All rights reserved <a href="/p">Privacy</a></section></footer>'
  it.each([
    ['with a main', `${site}<main><h1>Err</h1><p>broken</p></main>${legal}`, '# Err\n\nbroken'],
    ['without a main', `${site}<h1>Hi</h1><p>Hello there.</p>${legal}`, '# Hi\n\nHello there.'],
    ['of one word', `${site}<div>Pong</div>${legal}`, 'Pong'],
    ['with a header of its own', `<main><header>By Ann</header><p>Text.</p></main>${legal}`, 'By Ann\n\nText.'],
    ['inside a header', `<header>Acme <main><p>Text.</p></main></header>${legal}`, 'Text.'],
    [
      'with its title in the header',
      `<header><nav><a href="/">Acme</a></nav><h1>Title</h1></header><p>Text.</p>${legal}`,
      '# Title\n\nText.',
    ],
  ])("of a short page %s excludes the site's header, menu and footer", (_, body, markdown) => {
    expect(markdownOf(`<body>${body}</body>`, main)).toBe(markdown)
  })

  it('excludes a footer that only a copyright sign marks', () => {
    const text = '<h1>Opening hours</h1><p>Monday to Friday: nine to five.</p><p>Saturday: ten to two.</p>'
    const end = '<div><p>Join our newsletter</p></div><div><a href="/i">Imprint</a></div><p>© 2026 Acme</p>'
    const body = `<div><a href="/">Acme</a></div><div>${text}</div><div>${end}</div>`
    expect(markdownOf(body, main)).toMatch(/^# Opening hours\n\n.*five\.\n\n.*two\.$/)
  })

  it('keeps a line with a copyright sign in its text', () => {
    const body = `<div><h1>Harbour</h1><img src="/a.jpg" alt="Quay"><p>© Ann Lee</p>${prose('the quay')}</div>`
    expect(markdownOf(body, main)).toContain('© Ann Lee')
  })

  it('keeps a copyright sign in the box of the title', () => {
    const text = '<h1>Contact</h1>Call 555-0100, open 9 to 5.<br>© 2020 Foo <a href=mailto:x@foo.example>Mail</a>'
    const markdown = markdownOf(`<body><div id=page>${text}</div><div><a href=/a>A</a></div></body>`, main)
    expect(markdown).toMatch(/^# Contact\n\nCall 555-0100/)
  })

  it('is the whole body without onlyMainContent', () => {
    expectContent(markdownOf(frame(prose('all'))), ['about all', 'Pricing', 'Copyright'], [])
  })
})

describe('html', () => {
  const article = `<article><h1>Bees</h1>${prose('bees')}<p><a href="/x#y">x</a> <img src="i.png"> <img src="data:image/png;base64,AA=="></p>
    <script>track()</script><style>p{}</style><!-- note --><p hidden>secret</p></article>`

  it('has the same main content with absolute addresses, and keeps images', () => {
    const { html = '' } = read(frame(article), ['html', 'markdown'], main)
    expectContent(
      html,
      ['<h1>Bees</h1>', 'href="https://ex.com/x#y"', 'src="https://ex.com/docs/i.png"', 'data:image/png;base64,AA=='],
      [...furniture, 'track()', 'p{}', 'note', 'secret'],
    )
  })

  it('has no link whose scheme contains invisible characters, even in an uploaded file', () => {
    const body = '<p>a <a href="java\u200Bscript:x()">b</a></p>'
    expect(markdownOf(body, { url: 'file:///upload.html' })).toBe('a b')
    expect(read(body, ['html'], { url: 'file:///upload.html' }).html).toBe('<p>a b</p>')
  })

  it('runs no scripts', () => {
    const { html } = read('<p onclick="x()">a <a href="javascript:x()" OnFocus="x()">b</a></p>', ['html'])
    expect(html).toBe('<p>a b</p>')
    const map = '<map><area href="/m"><area href="javascript:x()" alt="JavaScript: all"></map>'
    const odd = '<math><mi xlink:href="java\nscript:x()">c</mi></math>'
    expect(read(map + odd, ['html']).html).toBe(
      '<map><area href="https://ex.com/m"><area alt="JavaScript: all"></map><math><mi>c</mi></math>',
    )
  })

  it.each([
    ['a control before the scheme', '<math><mi href="&#1;javascript:x()">c</mi></math>', '<math><mi>c</mi></math>'],
    ['an invisible character in the scheme', '<q cite="java&#x200B;script:x()">c</q>', '<q>c</q>'],
    ['an animated address', '<math><set to="javascript:x()"></set></math>', '<math><set></set></math>'],
    ['animated addresses', '<math><set values="#;javascript:x()"></set></math>', '<math><set></set></math>'],
    ['an invisible character in a handler', '<p o\u200Bnclick="x()" o\u0001nfocus="x()">c</p>', '<p>c</p>'],
    ['a line separator before a handler', '<p a\u2028onclick="x()">c</p>', '<p>c</p>'],
    ['an invisible character in a tag', '<p>c <scr\u200Bipt src="/x.js">d</scr\u200Bipt></p>', '<p>c d</p>'],
    [
      'an invisible character in an end tag',
      '<xmp>c<\u200B/xmp><script>d</b></xmp>',
      '<xmp>c< /xmp><script>d</b></xmp>',
    ],
    ['documents in the page', '<iframe src="data:text/html,x"></iframe><object data="data:text/html,x">a</object>', ''],
    ['a drawing', '<svg><a href="&#1;javascript:x()"><set attributeName="href" to="javascript:x()"/></a></svg>', ''],
  ])('runs no script in %s', (_, page, html) => expect(read(page, ['html']).html).toBe(html))
})
