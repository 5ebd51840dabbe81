import { answer, enoughText, file, html, numberIn, type Routes } from './route.ts'

const head = '<!doctype html><meta charset="utf-8"><title>Reach</title>'
/** A list that grows by ten entries after this many ms whenever its end becomes visible, up to a maximum. */
const growing = (ms: number, most: number) => `<script>let n = 0
  const end = document.getElementById('end')
  const more = () => { for (let i = 0; i < 10; i++) { const row = document.createElement('p')
    row.style.height = '90px'; row.textContent = 'Entry ' + ++n + ' of the log'; end.before(row) } }
  const watch = new IntersectionObserver(async ([seen]) => { if (!seen.isIntersecting || n >= ${most}) return
    watch.disconnect(); await fetch('/reach/slow/${ms}'); more(); watch.observe(end) })
  more(); watch.observe(end)</script>`
const lazy = (ms: number, most: number) =>
  `${head}<h1>Log</h1><div id="end" style="height: 20px">.</div>${growing(ms, most)}`

/** Pages with targets that are hard to reach: by a text, or loaded only by scrolling. */
export const reachRoutes: Routes = {
  '/reach/words': html(`${head}<h1>Words</h1><p>The page of an old message.</p><p>Age does not count.</p>
    <h2>Tides</h2><p>Gauges at rock nine tell the tide.</p><p>The harbour has a gauge.</p><p>Open at <b>high</b> tide only.</p>
    <table><tr><th>Item</th><th>Price</th></tr><tr><td>Rope</td><td>4 €</td></tr><tr><td>Total</td><td>44 €</td></tr></table>
    <p>Delivery: <span>3 days</span></p><button>Save</button>`),
  /** One document that changes its content on clicks. */
  '/reach/app':
    html(`${head}<nav><button id="more">More</button> <button id="all">All</button></nav><main id="main"><h1>Harbour</h1>
    ${Array.from({ length: 12 }, (_, n) => `<p>Quay ${n} is free.</p>`).join('')}</main><script>
    more.onclick = () => main.insertAdjacentHTML('beforeend', '<p>The crane is <b>busy</b>.</p><button>Wait</button>')
    all.onclick = () => { main.innerHTML = '<h1>Boats</h1>' + Array.from({ length: 60 }, (_, n) =>
      '<p>Boat number ' + n + ' lies at the outer quay, ready to sail <button>Board ' + n + '</button></p>').join('') }</script>`),
  '/reach/short': html(`${head}<h1>Short</h1>`),
  '/reach/long': html(`${head}<h1>Long</h1><div style="height: 4000px"></div><p>The end</p>`),
  '/reach/lazy': html(lazy(200, 60)),
  '/reach/box': html(
    `${head}<h1>Box</h1><div style="height: 300px; overflow: auto"><div id="end" style="height: 20px">.</div></div>${growing(100, 40)}`,
  ),
  /** A page without more to scroll, next to a bar with much more. */
  '/reach/sidebar': html(
    `${head}<div aria-label="Bar" role="region" style="position: fixed; left: 0; top: 0; width: 200px; height: 300px; overflow: auto"><h2>Bar</h2><div style="height: 3000px"></div></div><h1 style="margin-left: 300px">Side</h1>`,
  ),
  '/reach/unspoken':
    html(`${head}<div aria-hidden="true"><button>Accept all</button><p>We use cookies</p></div><i aria-hidden="true">★</i>
    <p><span style="position: absolute; left: -999px">12.99 euros</span><span aria-hidden="true">12<sup>99</sup></span></p>
    <div role="dialog" aria-modal="true" style="position: fixed; inset: 0 auto auto 0; width: 1px; height: 1px"></div>`),
  '/reach/picture.svg': file('image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"/>'),
  '/reach/opener': html(`${head}<button onclick="window.open('/reach/closer')">Log in</button><p id="told"></p>`),
  '/reach/closer':
    html(`${head}<button onclick="setTimeout(() => { opener.told.textContent = 'logged in'; window.close() }, 400)">
    Allow</button>`),
  '/reach/plain': html(`${head}<p>No files here</p>`),
  '/reach/tall': html(`${head}<div role="img" aria-label="Tower" style="width: 100px; height: 30000px"></div>`),
  /** Contains only the visible ones of 500 rows. */
  '/reach/virtual': html(`${head}<h1>Rows</h1><div id="room" style="height: 25000px; position: relative"></div><script>
    const draw = () => { const from = Math.max(0, Math.floor((scrollY - 80) / 50)); room.innerHTML = ''
      for (let i = from; i < Math.min(500, from + 18); i++) room.insertAdjacentHTML('beforeend', '<p style="position: absolute; margin: 0; top: ' + i * 50 + 'px">Row number ' + i + '</p>') }
    addEventListener('scroll', draw); draw()</script>`),
  '/reach/slow/*': ({ response, url }) => {
    const timer = setTimeout(() => response.end('ok'), numberIn(url))
    response.once('close', () => clearTimeout(timer))
  },
  '/reach/data': answer(500, { 'content-type': 'application/json' }, '{"reason": "no stock of rope"}'),
  '/reach/fetches':
    html(`${head}<h1>Fetches</h1>${enoughText}<button id="buy">Buy</button><button id="other">Other</button><p id="out"></p><div role="img" aria-label="Card" style="width: 200px; height: 100px; background: red"></div><div style="height: 3000px"></div><script>
    const call = async (url, options) => { out.textContent = (await fetch(url, options).catch(() => ({ status: 'none' }))).status }
    buy.onclick = () => { console.log('buying', 2, 'ropes'); console.warn('low stock'); call('/reach/data', { method: 'POST', body: '{"rope": 2}' }) }
    other.onclick = () => call('http://127.0.0.1:1/x')</script>`),
  '/reach/status/*': ({ response, url }) => {
    response.writeHead(numberIn(url), { 'content-type': 'text/html' }).end(`${head}<h1>Sorry</h1>`)
  },
}
