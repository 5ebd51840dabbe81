import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

/** Ends the text of the finished page, and is not in its source. */
export const kindMarker = 'kindendqua'

const content = `<h1>Tides</h1>${'<p>The water comes and goes twice a day, a little later each time.</p>'.repeat(30)}`
const fetched = (ms: number) => `fetch('/kind/data?ms=${ms}').then((answer) => answer.text())`
const show = `(html) => { document.getElementById('app').innerHTML = html }`
const scripted = (code: string, inside = '') => page(`<main id="app">${inside}</main><script>${code}</script>`)
const page = (body: string) => `<!doctype html><html><head><title>Tides</title></head><body>${body}</body></html>`
const whole = `${content}<p>${kindMarker}</p>`
/** In base64, so only a page whose script has run contains the words. */
const inline = `decodeURIComponent(escape(atob('${Buffer.from(whole).toString('base64')}')))`

/** Ways in which pages get their content. */
export const kinds: Readonly<Record<string, string>> = {
  static: page(whole),
  'script at once': scripted(`(${show})(${inline})`),
  'fetch, 300 ms': scripted(`${fetched(300)}.then(${show})`),
  'three fetches in a row, 250 ms each': scripted(
    `${fetched(250)}.then(() => ${fetched(250)}).then(() => ${fetched(250)}).then(${show})`,
    '<div class="spinner">Loading…</div>',
  ),
  'timer, 800 ms': scripted(`setTimeout(() => (${show})(${inline}), 800)`),
  polling: scripted(`${fetched(300)}.then(${show}); setInterval(() => fetch('/kind/data?ms=0'), 300)`),
  'long poll': scripted(`${fetched(300)}.then(${show}); fetch('/kind/data?ms=20000')`),
  'picture, 3 s': scripted(`${fetched(300)}.then(${show})`, '<img src="/kind/picture?ms=3000">'),
  clock: scripted(
    `${fetched(300)}.then(${show}); setInterval(() => { document.title = Date.now(); document.getElementById('clock').textContent = Date.now() }, 100)`,
  ).replace('<main', '<p id="clock">0</p><main'),
}

/** `/kind/NAME` is a page of that kind; `/kind/data?ms=N` returns its content after N ms. */
export async function answerKind(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://localhost')
  const name = decodeURIComponent(url.pathname.slice('/kind/'.length))
  await sleep(Number(url.searchParams.get('ms') ?? 0), undefined, { ref: false })
  const type = name === 'picture' ? 'image/png' : 'text/html; charset=utf-8'
  response.writeHead(200, { 'content-type': type, 'cache-control': 'no-store' }).end(kinds[name] ?? whole)
}
