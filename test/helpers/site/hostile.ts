import { file, html, type Routes } from './route.ts'

const big = `<p>${'word '.repeat(200)}</p>`.repeat(50_000)

/** Hostile pages. */
export const hostileRoutes: Routes = {
  '/hostile/endless-script': html(
    '<title>Endless</title><p>Before the end.</p><script>for (;;);</script><p>After it.</p>',
  ),
  '/hostile/endless-later': html(
    '<title>Endless</title><p>Before the end.</p><script>setTimeout(() => { for (;;); }, 100)</script>',
  ),
  '/hostile/endless-promise': html(
    '<title>Endless</title><p>Before the end.</p><script>(async () => { for (;;) await null })()</script>',
  ),
  '/hostile/alerts': html('<title>Alerts</title><p>Before the alerts.</p><script>for (;;) alert(1)</script>'),
  '/hostile/reload': html(
    '<title>Reload</title><p>Here again.</p><script>setTimeout(() => location.reload(), 100)</script>',
  ),
  '/hostile/debugger': html(
    '<title>Debugger</title><p>Never stopped.</p><script>setInterval(() => { debugger }, 1); debugger</script>',
  ),
  '/hostile/writing': html(
    `<title>Writing</title><p>Written.</p><script>setInterval(() => { document.open(); document.write('<p>Written.</p>'); document.close() }, 20)</script>`,
  ),
  '/hostile/growing': html(
    `<title>Growing</title><p>Growing.</p><script>setInterval(() => document.body.append('More and more words, without any end to them. '.repeat(5)), 10)</script>`,
  ),
  '/hostile/huge': file('text/html', `<title>Huge</title><h1>Huge page</h1>${big}`),
  '/hostile/deep': html(`<title>Deep</title>${'<div>'.repeat(5000)}<p>Deep down.</p>`),
  '/hostile/overrides': html(`<title>Overrides</title><p>The truth.</p><script>
    JSON.stringify = () => '"lie"'; Array.from = Array.prototype.some = Array.prototype.map = () => []
    Object.defineProperty(Element.prototype, 'outerHTML', { get: () => '<p>lie</p>' })
    Object.defineProperty(Document.prototype, 'documentElement', { get: () => null })
    document.querySelectorAll = () => { throw new Error('lie') }
    performance.now = Date.now = () => 0; globalThis.setTimeout = globalThis.requestAnimationFrame = () => 0
    </script>`),
  '/hostile/memory': html(
    '<title>Memory</title><p>Eating.</p><script>const all = []; for (;;) all.push(new Array(1e6).fill(all.length))</script>',
  ),
  '/hostile/redirects/*': ({ url, response }) =>
    void response
      .writeHead(302, { location: `/hostile/redirects/${Number(url.pathname.split('/').at(-1)) + 1}` })
      .end(),
  '/hostile/script-redirects': html(
    `<title>Redirects</title><p>On.</p><script>location.href = '/hostile/script-redirects?' + Math.random()</script>`,
  ),
  '/hostile/cookies': html(
    `<title>Cookies</title><p>Sweet.</p><script>for (let at = 0; at < 500; at++) document.cookie = at + '=' + 'x'.repeat(3000)</script>`,
  ),
  '/hostile/fullscreen': html(`<title>Prompts</title><p>Asked for everything.</p><input type="file"><script>
    navigator.geolocation.getCurrentPosition(() => {}, () => {}); Notification?.requestPermission(); navigator.mediaDevices?.getUserMedia({ audio: true, video: true }).catch(() => {})
    print(); document.querySelector('input').click()
    </script>`),
  /** Tries every way to reach the URL in its query. */
  '/hostile/doors': html(`<title>Doors</title><p>Knocking at every door there is.</p><body><script>
    const to = new URLSearchParams(location.search).get('to')
    const http = (path) => 'http://' + to + '/' + path
    const tag = (name, attributes) => document.body.append(Object.assign(document.createElement(name), attributes))
    const tries = {
      image: () => { new Image().src = http('image') },
      fetch: () => fetch(http('fetch'), { mode: 'no-cors' }),
      post: () => fetch(http('post'), { method: 'POST', mode: 'no-cors', body: 'x' }),
      beacon: () => navigator.sendBeacon(http('beacon'), 'x'),
      script: () => tag('script', { src: http('script') }),
      style: () => tag('link', { rel: 'stylesheet', href: http('style') }),
      icon: () => document.head.append(Object.assign(document.createElement('link'), { rel: 'icon', href: http('icon') })),
      preconnect: () => ['preconnect', 'dns-prefetch', 'preload', 'prefetch', 'modulepreload', 'manifest'].map((rel) => document.head.append(Object.assign(document.createElement('link'), { rel, href: http(rel), as: 'fetch', crossOrigin: 'anonymous' }))),
      css: () => { const style = document.createElement('style'); style.textContent = '@import url(' + http('import') + '); @font-face { font-family: f; src: url(' + http('font') + ') } body { background: url(' + http('css') + '); font-family: f }'; document.head.append(style) },
      frame: () => tag('iframe', { src: http('frame') }),
      object: () => { tag('object', { data: http('object') }); tag('embed', { src: http('embed') }) },
      media: () => { tag('video', { src: http('video'), autoplay: true, muted: true }); tag('audio', { src: http('audio') }) },
      socket: () => new WebSocket('ws://' + to + '/socket'),
      events: () => new EventSource(http('events')),
      worker: () => new Worker(URL.createObjectURL(new Blob(['fetch("' + http('worker') + '", { mode: "no-cors" }); new WebSocket("ws://' + to + '/worker-socket")']))),
      shared: () => new SharedWorker('/hostile/knock.js?to=' + to),
      service: () => navigator.serviceWorker.register('/hostile/knock.js?to=' + to),
      form: () => { const form = document.createElement('form'); Object.assign(form, { action: http('form'), method: 'post', target: 'hidden' }); tag('iframe', { name: 'hidden' }); document.body.append(form); form.submit() },
      popup: () => { open(http('popup')); open(http('popup2'), '_blank', 'noopener') },
      redirect: () => { new Image().src = '/hostile/away?to=' + encodeURIComponent(http('redirected')); tag('iframe', { src: '/hostile/away?to=' + encodeURIComponent(http('redirected-frame')) }) },
      file: () => { tag('iframe', { src: 'file:///etc/passwd' }); open('file:///etc/passwd'); open('chrome://version'); open('view-source:' + http('view')) },
      transport: () => new WebTransport('https://' + to + '/transport'),
      rtc: async () => {
        const peer = new RTCPeerConnection({ iceServers: [{ urls: 'stun:' + to }, { urls: 'turn:' + to + '?transport=tcp', username: 'a', credential: 'b' }] })
        peer.createDataChannel('x')
        await peer.setLocalDescription(await peer.createOffer())
        await peer.setRemoteDescription({ type: 'answer', sdp: peer.localDescription.sdp.replace('a=setup:actpass', 'a=setup:active') }).catch(() => {})
        await peer.addIceCandidate({ candidate: 'candidate:1 1 tcp 1518280447 ' + to.replace(':', ' ') + ' typ host tcptype passive', sdpMid: '0' }).catch(() => {})
      },
    }
    const done = []
    Promise.allSettled(Object.entries(tries).map(async ([name, knock]) => { try { await Promise.race([knock(), new Promise((late) => setTimeout(late, 1500))]) } catch {} done.push(name) }))
      .then(() => { document.querySelector('p').textContent = 'Knocked: ' + done.sort().join(' ') })
    </script>`),
  '/hostile/knock.js': ({ url, response }) => {
    const to = url.searchParams.get('to') ?? ''
    response
      .writeHead(200, { 'content-type': 'text/javascript' })
      .end(`fetch('http://${to}/from-worker', { mode: 'no-cors' }); fetch('/seen/knocking')`)
  },
  '/hostile/away': ({ url, response }) =>
    void response.writeHead(302, { location: url.searchParams.get('to') ?? '' }).end(),
  '/hostile/go': html(({ url }) => {
    const to = JSON.stringify(url.searchParams.get('to'))
    return `<title>Go</title><p>Leaving this page for another place.</p><script>setTimeout(() => { location.href = ${to} }, 50)</script>`
  }),
}
