import { html, type Routes } from './route.ts'

const lorem =
  'Every morning the team opens one list and sees what changed overnight, who is waiting for an answer and what can be left for later.'

/** Pages with a distinct design, one of each common kind. No font is loaded, because only names matter here. */
export const brandRoutes: Routes = { '/brands/saas': html(saas()), '/brands/corporate': html(corporate()) }

function card(title: string): string {
  return `<div class="card"><svg class="lucide lucide-inbox" width="24" height="24" viewBox="0 0 24 24"><path d="M4 4h16v16H4z"/></svg><h3>${title}</h3><p>${lorem}</p><a class="more" href="/tour">Take the tour</a></div>`
}

function page(lang: string, head: string, body: string): string {
  return `<!doctype html><html lang="${lang}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">${head}</head><body>${body}</body></html>`
}

/**
 * Light landing page: violet call to action, utility classes, oklch colours, an svg logo painted by the style sheet.
 */
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

/** Japanese company: colours in style variables, one of them composed of parts, an image as logo, a blue band. */
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
