import { setTimeout as sleep } from 'node:timers/promises'
import { answer, type Exchange, file, gone, html, type Routes } from './route.ts'

const page = (title: string, body: string) =>
  `<!doctype html><html><head><title>${title}</title></head><body>
  <form action="/search"><input name="q" value="heat pumps"><input type="submit"></form>
  <nav>${'<a href="/elsewhere">All</a> <a href="/images">Images</a> <a href="/news">News</a> '.repeat(4)}</nav>${body}</body></html>`

const wrapped = (target: string) => `//duckduckgo.com/l/?uddg=${encodeURIComponent(target)}&amp;rut=0a1b2c`
const duckResult = (target: string, title: string, more = '', kind = '') => `
  <div class="result results_links results_links_deep web-result ${kind}"><div class="links_main links_deep result__body">
  <h2 class="result__title"><a rel="nofollow" class="result__a" href="${target}">${title}</a></h2>
  <div class="result__extras"><div class="result__extras__url"><span class="result__icon"></span>
  <a class="result__url" href="${target}">shown.example</a>${more}</div></div>
  <a class="result__snippet" href="${target}">About <b>${title}</b> &amp; what   it costs.</a></div></div>`
const duckList = [
  duckResult(
    '//duckduckgo.com/y.js?ad_domain=shop.example&amp;ad_provider=bing',
    'Buy now',
    '',
    'result--ad result--ad--small',
  ),
  duckResult(
    wrapped('https://one.example/a?b=c&d=e#part'),
    'First <b>pump</b>',
    '<span>&nbsp; &nbsp; 2026-03-14T00:00:00.0000000</span>',
  ),
  duckResult('//duckduckgo.com/y.js?ad_domain=sly.example', 'An advertisement without the mark'),
  duckResult('https://two.example/plain', 'Second'),
  duckResult(wrapped('javascript:alert(1)'), 'No page'),
  duckResult(wrapped('https://two.example/plain'), 'Second once more'),
  duckResult(wrapped('https://www.example.org/übersicht'), 'Third'),
].join('')
const duck = (list: string) =>
  page('heat pumps at DuckDuckGo', `<div class="serp__results"><div id="links" class="results">${list}</div></div>`)

const mojeek = (list: string) => page('heat pumps - Mojeek Search', `<div class="results">${list}</div>`)
const mojeekItem = (href: string, title: string) =>
  `<li class="r1"><a class="ob" title="${href}" href="${href}"><p class="i"><span class="url">${href}</span></p></a>
  <h2><a class="title" href="${href}">${title}</a></h2><p class="s">What <strong>${title}</strong> says.</p></li>`

const brave = (list: string) => page('heat pumps - Brave Search', `<main><div id="results">${list}</div></main>`)
const braveItem = (href: string, title: string, kind = 'web') =>
  `<div class="snippet svelte-1" data-pos="1" data-type="${kind}"><div class="result-wrapper"><div class="result-content">
  <a href="${href}" class="svelte-2 l1"><div class="site-name-wrapper">shown.example</div><div class="title search-snippet-title" title="${title}">${title}</div></a>
  <div class="generic-snippet"><div class="content desktop-default-regular"><span class="t-secondary">March 3, 2026 -</span> About ${title}.</div></div></div></div></div>`

const coded = (target: string) =>
  `https://www.bing.com/ck/a?!&amp;&amp;p=0123&amp;ptn=3&amp;u=a1${Buffer.from(target).toString('base64url')}&amp;ntb=1`
const bing = (list: string) =>
  page(
    'heat pumps - Search',
    `<main><ol id="b_results"><li class="b_ad"><h2><a href="https://www.bing.com/aclk?ld=e8">Ad</a></h2></li>
  ${list}<li class="b_pag"></li></ol></main>`,
  )
const bingItem = (href: string, title: string) =>
  `<li class="b_algo" data-id><div class="b_tpcn"><a href="${href}">shown.example</a></div><h2><a href="${href}" h="ID=SERP">${title}</a></h2>
  <div class="b_caption"><p class="b_lineclamp2"><span class="algoSlug_icon" data-priority="2">WEB</span><span class="news_dt">2 days ago</span>&nbsp;· About ${title}.</p></div></li>`

const challenge = page(
  'DuckDuckGo',
  `<form id="challenge-form" action="//duckduckgo.com/anomaly.js" method="POST"><div class="anomaly-modal__mask"><div class="anomaly-modal">
  <div class="anomaly-modal__title">Unfortunately, bots use DuckDuckGo too.</div><p>Select all squares containing a duck.</p></div></div></form>`,
)

/** Inserts the results by a script, 800 ms after the page. */
const late = (list: string) =>
  duck('<p>Some words of the page itself that stand there from the start and keep it from looking empty.</p>').replace(
    '</body>',
    `<script>setTimeout(() => { links.innerHTML = ${JSON.stringify(list).replaceAll('</', '<\\/')} }, 800)</script></body>`,
  )

const endless =
  (start: string) =>
  async ({ response }: Exchange): Promise<void> => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).write(start)
    while (!response.closed) {
      response.write('<!-- more -->')
      await sleep(100)
    }
  }

/** Results pages as search engines write them, each kind at its own path. The URLs of the results are not requested. */
export const resultsPageRoutes: Routes = {
  '/serp/duckduckgo': html(duck(duckList)),
  '/serp/mojeek': html(
    mojeek(
      `<ul class="results-standard">${mojeekItem('https://one.example/', 'First')}${mojeekItem('https://two.example/b', 'Second')}</ul>`,
    ),
  ),
  '/serp/brave': html(
    brave(
      braveItem('https://shop.example/', 'Buy now', 'ad') +
        braveItem('https://one.example/', 'First') +
        braveItem('https://two.example/b', 'Second'),
    ),
  ),
  '/serp/bing': html(
    bing(
      bingItem(coded('https://one.example/ü?a=1&b=2'), 'First') +
        bingItem('https://two.example/b', 'Second') +
        bingItem('https://www.bing.com/aclk?ld=e9', 'Another ad'),
    ),
  ),
  '/serp/late': html(late(duckList)),
  '/serp/challenge': html(challenge),
  '/serp/challenge-202': answer(202, { 'content-type': 'text/html; charset=utf-8' }, challenge),
  '/serp/too-many': answer(
    429,
    { 'content-type': 'text/html; charset=utf-8' },
    page('Brave Search', '<p>Too many requests</p>'),
  ),
  '/serp/captcha': html(page('Brave Search', '<p>Confirm you’re a human being</p><button>I am</button>')),
  '/serp/none/duckduckgo': html(duck('<div class="no-results">No results found for <b>heat pumps</b>.</div>')),
  '/serp/none/mojeek': html(mojeek('<p>No pages found matching: heat pumps</p>')),
  '/serp/none/brave': html(brave('<div id="no-results">Nothing here.</div>')),
  '/serp/none/bing': html(
    bing('<li class="b_no"><h1>There are no results for <strong>heat pumps</strong></h1></li>').replace('b_ad', 'x'),
  ),
  '/serp/none/elsewhere': html('<!doctype html><title>News</title><p>No results found in the election yet.</p>'),
  '/serp/only-ads': html(duck(duckResult('//duckduckgo.com/y.js?ad=1', 'Buy now', '', 'result--ad'))),
  '/serp/talks-of-captchas': html(
    duck(duckResult(wrapped('https://one.example/'), 'Too many requests, captchas and what to do')),
  ),
  '/serp/junk': html(
    `<!doctype html><title>Portal</title><h1>Welcome</h1>${'<p>All the news of the day, and nothing that was asked for.</p>'.repeat(9)}`,
  ),
  '/serp/empty-body': html(''),
  '/serp/file': file('application/zip', 'PK of a zip'),
  '/serp/refuses': answer(403, { 'content-type': 'text/html; charset=utf-8' }, page('No', '<p>No.</p>')),
  '/serp/broken': answer(500, { 'content-type': 'text/html; charset=utf-8' }, page('Oh', '<p>Broken.</p>')),
  '/serp/hangs': ({ response }) => gone(response),
  '/serp/never-ends': endless(duck(duckList).replace('</body></html>', '')),
  '/serp/locks-up': html(duck('').replace('</body>', '<script>setTimeout(() => { for (;;); }, 50)</script></body>')),
  '/serp/lies': html(
    duck(duckList).replace('</body>', '<script>Array.from = () => [{ href: 7 }]; JSON.parse = null</script></body>'),
  ),
}
