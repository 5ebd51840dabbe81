import { setTimeout as sleep } from 'node:timers/promises'
import { answer, type Exchange, file, html, type Routes } from './route.ts'

/** Text that every page below `/rest/` finally contains. */
export const restContent = 'All of the content has come.'
const filler = 'A sentence that any page of the site has in its head or its foot, and nobody came for. '.repeat(3)
const done = `document.querySelector('main').textContent = ${JSON.stringify(restContent)}`

const page = (main: string, script = '', head = '') =>
  html(
    `<!doctype html><title>Rest</title>${head}<header>${filler}</header><main>${main}</main><script>${script}</script>`,
  )

/** Pages that load their content in different ways. */
export const restRoutes: Routes = {
  '/rest/static': html(`<!doctype html><title>Rest</title><header>${filler}</header><main>${restContent}</main>`),
  '/rest/refresh': html(
    '<!doctype html><title>Rest</title><meta http-equiv="Refresh" content="0;url=/rest/static"><p>Moved',
  ),
  '/rest/refresh-header': ({ response }) => {
    response.writeHead(200, { 'content-type': 'text/html', refresh: '0;url=/rest/static' })
    response.end('<!doctype html><title>Rest</title><p>Moved')
  },
  '/rest/handler': html(
    `<!doctype html><title>Rest</title><body onload="${done.replaceAll('"', '&quot;')}"><main></main><img src="/after/60">`,
  ),
  '/rest/late-answer': page('', `fetch('/after/700').then(() => { ${done} })`),
  '/rest/late-timer': html(
    `<!doctype html><title>Rest</title><main></main><script>setTimeout(() => { ${done} }, 1200)</script>`,
  ),
  '/rest/polling': page('', `setInterval(() => fetch('/after/0'), 100); fetch('/after/500').then(() => { ${done} })`),
  '/rest/long-poll': page('', `fetch('/hang'); fetch('/after/500').then(() => { ${done} })`),
  '/rest/skeleton': page('<div class="skeleton">&nbsp;</div>', `setTimeout(() => { ${done} }, 900)`),
  '/rest/slow-image': page(restContent + '<img src="/after/4000">'),
  '/rest/animation': page(
    restContent + '<p id="clock" class="spin">0</p>',
    `let at = 0; setInterval(() => { document.querySelector('#clock').textContent = ++at }, 16)`,
    '<style>@keyframes spin { to { rotate: 1turn } } .spin { animation: spin 1s infinite }</style>',
  ),
  '/rest/streamed': async ({ response }) => {
    response.writeHead(200, { 'content-type': 'text/html' })
    response.write(`<!doctype html><title>Rest</title><header>${filler}</header>`)
    for (let part = 0; part < 3; part++) {
      await sleep(500)
      response.write(`<p>Part ${part}</p>`)
    }
    response.end(`<main>${restContent}</main>`)
  },
}

/** Pages with oddities that a browser handles. */
const oddRoutes: Routes = {
  '/dialogs': html(`<!doctype html><title>Dialogs</title><p id="told"></p><script>
    onbeforeunload = (event) => event.preventDefault()
    alert('first')
    document.querySelector('#told').textContent = JSON.stringify([confirm('sure?'), prompt('name?', 'Ann')])
    print()
    </script><a href="/plain">on</a>`),
  '/popups': html(`<!doctype html><title>Popups</title><p>Here all the same.</p>
    <a id="blank" target="_blank" href="/popped">in a new window</a><script>
    for (let at = 0; at < 1000; at++) open('/popped/' + at, '_blank', at % 2 ? 'noopener' : '')
    </script>`),
  '/frames': html(({ url }) => {
    const other = url.searchParams.get('other') ?? ''
    return `<!doctype html><title>Frames</title><p>Around it.</p>
      <iframe src="/frame/inner" width="600" height="400"></iframe>
      <iframe srcdoc="<p>Written in place.</p>"></iframe>
      <iframe src="${other}/frame/inner?of=other" width="600" height="400"></iframe>
      <iframe src="${other}/frame/inner?of=pixel" width="1" height="1"></iframe>`
  }),
  '/frame/inner': html(({ url }) => {
    const of = url.searchParams.get('of') ?? 'same'
    return `<!doctype html><title>Inner</title><p>Inside the ${of} frame.</p><a href="next">next</a>
      <script>document.querySelector('p').attachShadow({ mode: 'open' }).innerHTML = '<i>deep</i> <slot></slot>'</script>`
  }),
  '/shadow': html(`<!doctype html><title>Shadow</title><my-card><b>Ann</b><i slot="note">of old</i></my-card>
    <template id="t"><p>kept</p></template><script>
    window.made = 0
    customElements.define('my-card', class extends HTMLElement {
      constructor() { super(); made++; this.attachShadow({ mode: 'open' }).innerHTML = '<p>Card of <slot></slot>, <slot name="note"></slot>.<slot name="none">nothing else</slot></p>' }
    })
    const closed = document.createElement('div')
    closed.attachShadow({ mode: 'closed' }).innerHTML = 'from a ' + 'closed root'
    document.body.append(closed)
    </script>`),
  '/js-redirect': html(`<!doctype html><p>Wait.</p><script>location.replace('/plain')</script>`),
  '/late-redirect': html(
    `<!doctype html><p>Wait.</p><script>setTimeout(() => { location.href = '/plain' }, 400)</script>`,
  ),
  '/chain': answer(302, { location: '/chain/2' }),
  '/chain/2': answer(301, { location: '/js-redirect' }),
  '/push-state': html(
    `<!doctype html><title>State</title><p>At rest.</p><script>history.pushState({}, '', '/pushed?x=1')</script>`,
  ),
  '/no-content': answer(204, {}),
  '/worker':
    html(`<!doctype html><title>Worker</title><p>waiting for the worker, which takes its time to answer</p><script>
    new Worker('/worker.js')
    navigator.serviceWorker?.register('/service.js')
      .then(() => new Promise((claimed) => { navigator.serviceWorker.controller ? claimed() : navigator.serviceWorker.addEventListener('controllerchange', claimed) }))
      .then(() => fetch('/from-service?')).then((answer) => answer.text())
      .then((text) => { document.querySelector('p').textContent = text })
    </script>`),
  '/worker.js': file('text/javascript', `fetch('/seen/worker')`),
  '/service.js': file(
    'text/javascript',
    `addEventListener('install', () => skipWaiting()); addEventListener('activate', (event) => event.waitUntil(clients.claim()))
    addEventListener('fetch', (event) => {
      if (event.request.url.includes('/from-service')) event.respondWith(fetch('/seen/service').then(() => new Response('The service worker answered.')))
    })`,
  ),
  '/seen/*': answer(200, {}, 'seen'),
  '/after/*': async ({ url, response }: Exchange) => {
    await sleep(Number(url.pathname.split('/').at(-1)))
    response.writeHead(200, { 'content-type': 'text/plain' }).end('late')
  },
  '/lazy': html(
    `<!doctype html><title>Lazy</title><style>img { display: block; width: 100px; height: 60px; margin-bottom: 400px; background: #eee }</style>` +
      Array.from({ length: 30 }, (_, at) =>
        at % 2 ? `<img loading="lazy" src="/dot/${at}.svg">` : `<img data-src="/dot/${at}.svg">`,
      ).join('') +
      `<script>
      const seen = new IntersectionObserver((entries) => {
        for (const { isIntersecting, target } of entries) if (isIntersecting) target.src = target.dataset.src
      })
      for (const image of document.querySelectorAll('[data-src]')) seen.observe(image)
      </script>`,
  ),
  '/dot/*': file(
    'image/svg+xml',
    '<svg xmlns="http://www.w3.org/2000/svg" width="100" height="60"><rect width="100" height="60" fill="#00f"/></svg>',
  ),
  '/boxes': html(
    `<!doctype html><title>Boxes</title><meta name="viewport" content="width=device-width"><style>body { margin: 0; background: #fff }
    div { height: 1000px; background: #c00 } div + div { background: #0a0 } header { position: fixed; inset: 0 0 auto; height: 20px; background: #00c }</style>
    <header></header><div></div><div></div>`,
  ),
  '/very-tall': html('<!doctype html><title>Very tall</title><div style="height: 30000px">tall</div>'),
  '/file.zip': file('application/zip', 'PK of a zip'),
  '/attached': answer(
    200,
    { 'content-type': 'text/html', 'content-disposition': 'attachment; filename="a.html"' },
    '<p>saved',
  ),
  '/file.json': file('application/json', '{"a":1}'),
  '/file.pdf': file('application/pdf', '%PDF-1.4 of no pages'),
}

/** A page whose scripts request its content and change its URL. */
const appRoutes: Routes = {
  '/app': html(`<!doctype html><title>App</title><div id="app">Loading…</div><script>
    const views = { '/app': 'home', '/app/items': 'items' }
    async function show(path) {
      const data = await (await fetch('/app-data/' + views[path])).json()
      document.title = data.title
      app.innerHTML = '<h1>' + data.title + '</h1><p>' + data.text + '</p><a href="/app/items">Items</a>'
    }
    document.addEventListener('click', (event) => {
      const link = event.target.closest('a')
      if (!link) return
      event.preventDefault()
      history.pushState({}, '', link.href)
      show(location.pathname)
    })
    show('/app')
    </script>`),
  '/app-data/home': file(
    'application/json',
    JSON.stringify({ title: 'Home', text: 'Welcome to the app, which came by itself.' }),
  ),
  '/app-data/items': file('application/json', JSON.stringify({ title: 'Items', text: 'Twelve of them.' })),
}

export const browserRoutes: Routes = { ...restRoutes, ...oddRoutes, ...appRoutes }
