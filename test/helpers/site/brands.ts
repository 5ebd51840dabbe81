import { html, type Routes } from './route.ts'

const lorem =
  'Every morning the team opens one list and sees what changed overnight, who is waiting for an answer and what can be left for later.'

/** Pages with a look of their own, one of each common kind. No font is loaded: only names count here. */
export const brandRoutes: Routes = {
  '/brands/saas': html(saas()),
  '/brands/docs': html(docs()),
  '/brands/shop': html(shop()),
  '/brands/newspaper': html(newspaper()),
  '/brands/corporate': html(corporate()),
}

function card(title: string): string {
  return `<div class="card"><svg class="lucide lucide-inbox" width="24" height="24" viewBox="0 0 24 24"><path d="M4 4h16v16H4z"/></svg><h3>${title}</h3><p>${lorem}</p><a class="more" href="/tour">Take the tour</a></div>`
}

function item(name: string): string {
  return `<div class="item"><img src="/lamp.png" width="240" height="160" alt="${name}"><h3><a href="/p">${name}</a></h3><span class="badge badge-success">In stock</span><p class="price">€ 129.00</p><button class="cart">Add to cart</button></div>`
}

function story(title: string): string {
  return `<article><span class="kicker">Coast</span><h2><a href="/story">${title}</a></h2><p>${lorem} ${lorem}</p></article>`
}

function page(lang: string, head: string, body: string): string {
  return `<!doctype html><html lang="${lang}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">${head}</head><body>${body}</body></html>`
}

/** Light landing page: violet call to action, utility classes, oklch colours, an svg logo painted by the style sheet. */
function saas(): string {
  return page(
    'en',
    `<title>Tidemark</title><meta property="og:site_name" content="Tidemark"><meta property="og:image" content="/social.png">
<link rel="icon" href="/favicon-32.png" sizes="32x32" type="image/png"><link rel="icon" href="/favicon.svg" type="image/svg+xml"><link rel="apple-touch-icon" href="/touch.png" sizes="180x180">
<style>
*{box-sizing:border-box;margin:0}
body{font-family:__Inter_d65c78,__Inter_Fallback_d65c78,sans-serif;color:#0f172a;background:#fff;font-size:16px;line-height:1.5}
h1,h2,h3{font-family:"Sora",sans-serif;line-height:1.2;font-weight:700}
header{display:flex;align-items:center;gap:32px;height:72px;padding:0 48px;border-bottom:1px solid #e2e8f0}
header nav{display:flex;gap:24px;flex:1}
header nav a{color:#475569;text-decoration:none;font-weight:500}
.logo{color:oklch(0.5413 0.2466 293.01)}
.logo svg{display:block;fill:currentColor}
.btn{display:inline-flex;align-items:center;height:48px;padding:0 24px;border-radius:12px;font-weight:600;text-decoration:none;border:1px solid transparent;transition:background-color .15s ease-in-out}
.btn-primary{background:oklch(0.5413 0.2466 293.01);color:#fff}
.btn-ghost{border-color:#cbd5e1;color:#0f172a}
.hero{padding:96px 48px;text-align:center}
.hero h1{font-size:56px;margin-bottom:24px}
.hero p{font-size:20px;color:#475569;max-width:640px;margin:0 auto 32px}
.grid{display:grid;grid-template-columns:repeat(3,1fr);gap:24px;max-width:1152px;margin:0 auto;padding:0 24px}
.card{padding:24px;border:1px solid #e2e8f0;border-radius:12px}
.card h3{font-size:20px;margin:16px 0 8px}
.card p{margin-bottom:16px}
.card svg{fill:none;stroke:#7c3aed}
.more{color:#7c3aed}
h2{font-size:36px;margin:0 0 32px;text-align:center}
.band{background:#f8fafc;padding:64px 48px}
.band input{width:320px;height:48px;padding:0 16px;border:1px solid #cbd5e1;border-radius:12px;background:#fff;color:#0f172a;font:inherit}
footer{padding:48px;color:#64748b;border-top:1px solid #e2e8f0}
#cookie-consent{position:fixed;bottom:0;left:0;right:0;background:#222;color:#fff;padding:16px}
#cookie-consent button{background:#ff3300;color:#fff;padding:12px 32px;border:0;font-size:18px}
</style>`,
    `<header><a class="logo" href="/" aria-label="Tidemark"><svg width="120" height="28" viewBox="0 0 120 28"><title>Tidemark</title><path class="wave" d="M0 14q15-20 30 0t30 0v14H0z"/><rect x="70" y="8" width="50" height="12"/></svg></a>
<nav><a href="/product">Product</a><a href="/pricing">Pricing</a><a href="/blog">Blog</a></nav><a class="btn btn-ghost" href="/login">Log in</a><a class="btn btn-primary" href="/signup">Start free</a></header>
<main><section class="hero"><h1>Know what changed</h1><p>${lorem}</p><a class="btn btn-primary" href="/signup">Start free</a> <a class="btn btn-ghost" href="/demo">See a demo</a></section>
<section><h2>One list for the whole team</h2><div class="grid">${['Inbox', 'Reports', 'Handover'].map(card).join('')}</div></section>
<section class="band"><form><input type="email" placeholder="you@example.com"> <button class="btn btn-primary">Subscribe</button></form></section></main>
<footer>© Tidemark. <a href="/terms">Terms</a></footer>
<div id="cookie-consent">We use cookies. <button>Accept all</button></div>`,
  )
}

/** Dark documentation: sidebar, code, cyan links, translucent borders, admonitions. */
function docs(): string {
  return page(
    'en',
    `<title>Install | Basalt</title><link rel="icon" href="/icon.png" sizes="64x64">
<style>
:root{color-scheme:dark;--bg:#0b0f14;--text:#e6edf3}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--text);font:16px/1.75 "IBM Plex Sans",system-ui,sans-serif}
header{display:flex;align-items:center;justify-content:space-between;height:64px;padding:0 24px;border-bottom:1px solid rgba(255,255,255,.1);background:rgba(11,15,20,.9);position:sticky;top:0}
header img{display:block}
header button{background:rgba(255,255,255,.05);color:#8b98a5;border:1px solid rgba(255,255,255,.15);border-radius:6px;padding:8px 16px;font:inherit;font-size:14px;transition:all .2s}
.shell{display:flex}
aside{width:256px;padding:24px;border-right:1px solid rgba(255,255,255,.1);height:900px}
aside a{display:block;color:#8b98a5;text-decoration:none;font-size:14px;padding:4px 8px;border-radius:6px;transition:all .2s}
aside a.on{color:#22d3ee;background:rgba(34,211,238,.1)}
main{max-width:768px;padding:32px 48px}
h1{font-size:36px;line-height:1.25;margin:0 0 16px;font-weight:600}
h2{font-size:24px;line-height:1.25;margin:48px 0 16px;font-weight:600}
p{margin:0 0 16px}
main a{color:#22d3ee}
pre{background:#111820;border:1px solid rgba(255,255,255,.1);border-radius:6px;padding:16px;font:14px/1.6 "JetBrains Mono",monospace;color:#c9d1d9}
code{font-family:"JetBrains Mono",monospace}
.note{border-left:4px solid;border-radius:6px;padding:8px 16px;margin:0 0 16px}
.note.warning{border-color:#d29922;color:#d29922;background:rgba(210,153,34,.1)}
.note.danger{border-color:#f85149;color:#f85149;background:rgba(248,81,73,.1)}
.next{display:inline-block;background:#22d3ee;color:#0b0f14;font-weight:600;text-decoration:none;padding:8px 16px;border-radius:6px}
main a.next{color:#0b0f14}
</style>`,
    `<header><a href="/"><img src="/basalt-wordmark.svg" width="110" height="28" alt="Basalt"></a><button>Search the docs</button></header>
<div class="shell"><aside><a class="on" href="/docs/install">Install</a><a href="/docs/usage">Usage</a><a href="/docs/config">Configuration</a><a href="/docs/api">Reference</a></aside>
<main><h1>Install</h1><p>${lorem} Read <a href="/docs/usage">how it is used</a> next.</p><pre><code>npm install basalt
basalt init --yes</code></pre>
<div class="note warning">Back up your data before an upgrade.</div><div class="note danger">Never run it as root.</div>
<h2>Configure</h2><p>${lorem} <a href="/docs/config">All settings</a> are listed elsewhere.</p><p>${lorem}</p><a class="next" href="/docs/usage">Get started</a></main></div>`,
  )
}

/** Shop: green header, orange "add to cart", square corners, a sale colour, status classes. */
function shop(): string {
  return page(
    'en',
    `<title>Fern &amp; Field</title><link rel="shortcut icon" href="/fav.ico"><meta name="theme-color" content="#14532d">
<script type="application/ld+json">{"@context":"https://schema.org","@graph":[{"@type":"Organization","name":"Fern & Field","logo":{"@type":"ImageObject","url":"/structured-logo.png"}}]}</script>
<style>
body{margin:0;background:#fffdf7;color:#292524;font:15px/1.6 Lato,Arial,sans-serif}
.site-header{background:#14532d;color:#fff;padding:20px 40px;display:flex;justify-content:space-between;align-items:center}
.site-header .name{color:#fff;font:700 26px/1 "Playfair Display",serif;text-decoration:none}
.site-header input{border:0;border-bottom:2px solid #86efac;background:#fff;color:#292524;padding:10px;width:220px;font:inherit}
.sale{background:linear-gradient(90deg,#f59e0b,#ea580c);color:#fff;text-align:center;padding:10px;font-weight:700}
main{max-width:1200px;margin:0 auto;padding:40px 20px}
h1{font:700 40px/1.2 "Playfair Display",serif;margin:0 0 20px}
h3{font:700 18px/1.2 Lato,sans-serif;margin:10px 0}
h3 a{color:#292524;text-decoration:none}
.items{display:grid;grid-template-columns:repeat(4,1fr);gap:20px}
.item{background:#fff;padding:10px}
.item img{display:block;background:#d6d3d1}
.price{font-weight:700;margin:10px 0}
.badge{font-size:12px;padding:2px 5px}
.badge-success{background:#dcfce7;color:#15803d}
.error-message{color:#b91c1c}
.cart{background:#ea580c;color:#fff;border:0;border-radius:0;padding:15px 30px;font:700 15px Lato;width:100%}
.more{display:inline-block;border:2px solid #14532d;color:#14532d;padding:13px 30px;text-decoration:none;margin-top:40px}
.site-footer{background:#14532d;color:#bbf7d0;padding:40px}
</style>`,
    `<div class="site-header"><a class="name" href="/">Fern &amp; Field</a><input type="search" placeholder="Search"></div><div class="sale">Autumn sale: 20 % off everything</div>
<main><h1>Lamps for every season</h1><p>Made of brass and hand-blown glass by people who have done so for forty years, and sent to you in a box without plastic.</p><div class="items">${['Storm', 'Harbour', 'Meadow', 'Orchard', 'Hill', 'Brook', 'Glen', 'Moor'].map(item).join('')}</div><p class="error-message">Two lamps are sold out.</p><a class="more" href="/all">Show all lamps</a></main><footer class="site-footer">Fern &amp; Field, Kirkwall</footer>`,
  )
}

/** Newspaper: black on paper, serif, a wordmark in type, red marks, hardly a button. */
function newspaper(): string {
  return page(
    'en',
    `<title>The Harbour Courier</title><link rel="icon" href="/favicon.ico"><link rel="apple-touch-icon" href="/apple-touch-icon.png">
<style>
body{margin:0;background:#faf7f2;color:#1a1a1a;font:17px/1.55 "Source Serif 4",Georgia,serif}
.masthead{text-align:center;border-bottom:3px double #1a1a1a;padding:18px 0}
.masthead a{font:700 48px/1 "Chomsky",serif;color:#1a1a1a;text-decoration:none}
nav{border-bottom:1px solid #1a1a1a;padding:6px;text-align:center;font:600 13px/1.5 "Franklin Gothic",sans-serif}
nav a{color:#1a1a1a;text-decoration:none;margin:0 12px}
.subscribe{background:#1a1a1a;color:#fff;font:600 13px "Franklin Gothic",sans-serif;border:0;padding:12px 18px}
main{display:grid;grid-template-columns:2fr 1fr 1fr;gap:24px;max-width:1140px;margin:24px auto}
h2{font:700 28px/1.15 "Source Serif 4",serif;margin:0 0 12px}
h2 a{color:#1a1a1a;text-decoration:none}
p{margin:0 0 12px}
.kicker{color:#b3131b;font:600 13px "Franklin Gothic",sans-serif;text-transform:uppercase}
.byline{color:#6b6b6b;font-size:14px}
</style>`,
    `<div class="masthead"><a href="/">The Harbour Courier</a></div><nav><a href="/coast">Coast</a><a href="/town">Town</a><a href="/sport">Sport</a><button class="subscribe">Subscribe</button></nav>
<main>${['The lighthouse that learned to listen', 'Ferries return to the north quay', 'Herring prices fall again', 'Choir sings on the pier', 'A new roof for the library', 'Letters'].map(story).join('')}<p class="byline">Printed and posted by the friends of the paper, every Friday since the winter of 1921, from the old customs house.</p></main>`,
  )
}

/** Japanese company: colours in style variables, one of them in parts, a picture as logo, a blue band. */
function corporate(): string {
  return page(
    'ja',
    `<title>青葉工業株式会社</title><meta property="og:site_name" content="青葉工業"><link rel="icon" href="/favicon.ico" sizes="any">
<style>
:root{--color-primary:#0050a0;--color-secondary:#00a29a;--color-text:#333;--color-danger:#d7000f;--success:142 71% 45%;--color-warning:#f5a200;--color-primary-light:#cfe3f7;--radius:4px}
*{box-sizing:border-box}
body{margin:0;background:#fff;color:var(--color-text);font-family:"Noto Sans JP","Hiragino Kaku Gothic ProN",sans-serif;font-size:16px;line-height:1.8}
header{display:flex;justify-content:space-between;align-items:center;padding:16px 32px;height:88px}
header ul{display:flex;gap:24px;list-style:none;margin:0;padding:0}
header li a{color:#333;text-decoration:none;font-weight:500}
.contact{display:inline-block;background:var(--color-primary);color:#fff;padding:12px 24px;border-radius:var(--radius);text-decoration:none;font-weight:700}
.recruit{display:inline-block;background:var(--color-secondary);color:#fff;padding:12px 24px;border-radius:var(--radius);text-decoration:none;font-weight:700}
.visual{background:linear-gradient(135deg,#0050a0,#003a75);color:#fff;padding:96px 32px}
.visual h1{font-size:40px;line-height:1.4;margin:0;font-weight:700}
section{padding:64px 32px;max-width:1100px;margin:0 auto}
h2{font-size:28px;line-height:1.4;border-bottom:4px solid var(--color-primary);padding-bottom:8px;margin:0 0 32px;font-weight:700}
section p a{color:var(--color-primary)}
.date{color:#767676}
footer{background:#f2f5f8;padding:48px 32px;font-size:14px}
</style>`,
    `<header><a href="/ja/"><img class="logo" src="/img/logo.png" width="180" height="40" alt="青葉工業株式会社"></a><ul><li><a href="/company">企業情報</a></li><li><a href="/products">製品情報</a></li><li><a href="/ir">投資家情報</a></li></ul><div><a class="contact" href="/contact">お問い合わせ</a> <a class="recruit" href="/recruit">採用情報</a></div></header>
<div class="visual"><h1>ものづくりで、未来をひらく。</h1></div>
<section><h2>お知らせ</h2><p><span class="date">2026年11月20日、本社より全国の支社と工場に向けて発表しました。</span> 新しい工場の建設について、<a href="/news/1">詳しい資料を公開しました</a>。皆様のご理解とご協力をお願いいたします。</p><p>当社は創業以来、地域の皆様とともに歩んでまいりました。これからも品質と安全を第一に、社会に貢献してまいります。</p></section>
<section><h2>事業内容</h2><p>精密機械の設計、製造、保守を一貫して行い、国内外のお客様にお届けしています。環境への配慮も私たちの大切な仕事です。</p></section>
<footer>© 青葉工業株式会社</footer>`,
  )
}
