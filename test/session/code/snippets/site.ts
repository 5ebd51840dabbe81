import type { IncomingMessage } from 'node:http'
import { bodyOf, serve } from '../../../helpers/listen.ts'

const main = (other: string) => `<!doctype html><html lang=en><head><title>Snippets</title>
<link rel=preload as=style href=/style.css><link rel=stylesheet href=/style.css></head><body>
<h1>Sign up</h1><h3>Sign up for news</h3>
<form id=form onsubmit="event.preventDefault(); out.textContent = new URLSearchParams(new FormData(this))">
<label>User name <input name=user></label><label>Password <input name=password type=password></label>
<input name=mail placeholder="name@example.com" id=search value=found>
<label><input type=checkbox name=news> Subscribe</label>
<label><input type=radio name=size value=s> Small</label><label><input type=radio name=size value=l checked> Large</label>
<label>Colors <select id=colors multiple><option value=red>Red<option value=green>Green<option value=blue>Blue</select></label>
<label>Country <select name=country><option value=de>Germany<option value=fr>France</select></label>
<label>Birthday <input type=date name=day></label><label>Volume <input type=range min=0 max=10 value=5></label>
<textarea aria-label=Comment></textarea><input aria-label=Fixed readonly value=fixed>
<button type=button disabled>Later</button><button data-testid=send class="primary main-container">Submit</button></form>
<p id=out></p><p hidden>Hidden words</p><div>Hello <span>world</span></div><div>Hello</div>
<ul aria-label=Fruit><li>apple</li><li>banana</li><li>orange <button title="Remove it">Remove</button></li></ul>
<table><tr><th>Name<th>Price</tr><tr><td>Pear<td>3</tr><tr><td>Plum<td>4</tr></table>
<img alt="Playwright logo" src=/logo.png width=20 height=20><span title="Issues count">25 issues</span>
<a href=/next>Next page</a> <a href=/next target=_blank>Open the popup</a> <a class=late href=#>Delayed</a>
<button id=menu aria-expanded=false onclick="this.setAttribute('aria-expanded','true')">Menu</button>
<button id=count onclick="this.dataset.clicks = +(this.dataset.clicks ?? 0) + 1">Count</button>
<button id=fetch onclick="fetch('/api/text').then(async (a) => { out.textContent = await a.text() })">Fetch</button>
<input type=file aria-label="Upload file" multiple onchange="out.textContent = [...this.files].map((f) => f.name + f.size)">
<div id=source draggable=true style="width:60px;height:30px;background:#ccc">Drag</div>
<div id=target style="width:60px;height:30px;background:#eee" ondragover="event.preventDefault()"
 ondrop="event.preventDefault(); out.textContent = 'dropped ' + event.dataTransfer.getData('text/plain')">Drop</div>
<canvas width=60 height=60 oncontextmenu="event.preventDefault(); out.textContent = [event.offsetX, event.offsetY, event.shiftKey]"></canvas>
<iframe name=embedded id=inner srcdoc="<title>Inner</title><button onclick='parent.out.textContent = 1 + 1'>Inside</button>"></iframe>
<iframe id=payment src="${other}/card"></iframe><div id=host></div>
<script>
host.attachShadow({ mode: 'open' }).innerHTML = '<button>In the shadow</button>'
document.querySelector('.late').onclick = () => setTimeout(() => { location.href = '/next' }, 100)
</script></body></html>`

const card = `<!doctype html><title>Card</title><form onsubmit="event.preventDefault(); document.title = 'Paid ' + number.value">
<label>Card number <input id=number></label><button>Pay</button></form>`
const html = 'text/html; charset=utf-8'
const dot = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

async function answer(
  request: IncomingMessage,
  other: string,
): Promise<[status: number, type: string, body: string | Buffer]> {
  const { pathname, search } = new URL(request.url!, 'http://site')
  switch (pathname) {
    case '/':
      return [200, html, main(other)]
    case '/next':
      return [200, html, '<title>Next</title><h1>Next page</h1>']
    case '/card':
      return [200, html, card]
    case '/api/text':
      return [200, 'text/plain', 'from the site']
    case '/api/echo':
      return [
        200,
        'application/json',
        JSON.stringify({ method: request.method, search, headers: request.headers, body: await bodyOf(request) }),
      ]
    case '/logo.png':
      return [200, 'image/png', dot]
    case '/style.css':
      return [200, 'text/css', 'body { margin: 8px }']
    default:
      return [404, html, '<title>Nothing</title>']
  }
}

/** Serves the page on which all snippets start. Its payment form is a frame of another site. */
export async function startSnippetSite() {
  const server = await serve(async (request, response) => {
    if (request.url === '/old') return void response.writeHead(302, { location: '/next' }).end()
    const [status, type, body] = await answer(request, `http://localhost:${server.port}`)
    response.writeHead(status, { 'content-type': type, 'set-cookie': 'seen=yes' }).end(body)
  })
  return { url: server.origin, close: server.close }
}
