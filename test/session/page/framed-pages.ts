import type { Routes } from '../../helpers/site/route.ts'

const form = `<form onsubmit="event.preventDefault(); out.textContent =
  ['Paid with', card.value, network.value, keep.checked, receipt.files[0]?.name].join(' ')">
  <p><label>Card number <input id="card"></label></p>
  <p><label>Network <select id="network"><option>Visa</option><option>Maestro</option></select></label></p>
  <p><label><input id="keep" type="checkbox"> Keep this card</label></p>
  <p><input id="receipt" type="file" aria-label="Receipt"></p><p><button>Pay now</button></p><p id="out"></p></form>`
const size = 'width="500" height="330"'
/** Escapes text for an attribute in double quotes. */
const quoted = (markup: string) => markup.replaceAll('&', '&amp;').replaceAll('"', '&quot;')

type Hosts = { pay: string; bank: string; shop: string }

/** Placements of a payment form on a page, by the hosts of its frames. */
export const placings: Record<string, (hosts: Hosts) => string> = {
  'a frame of another site': ({ pay }) => `<iframe ${size} src="${pay}/frames/form"></iframe>`,
  'a frame of the same site on another port or host name': ({ bank }) =>
    `<iframe ${size} src="${bank}/frames/form"></iframe>`,
  'below the window': ({ pay }) =>
    `<div style="height: 3000px"></div><iframe ${size} src="${pay}/frames/form"></iframe>`,
  'in a box that is scrolled': ({ pay }) =>
    `<div style="height: 400px; overflow: auto"><div style="height: 900px"></div><iframe ${size} src="${pay}/frames/form"></iframe></div>`,
  'in a frame of a third site': ({ bank, pay }) =>
    `<iframe width="620" height="450" src="${bank}/frames/around?of=${pay}/frames/form"></iframe>`,
  'in a frame of the page’s origin, in one of another site': ({ shop, pay }) =>
    `<iframe width="620" height="450" src="${pay}/frames/around?of=${shop}/frames/form"></iframe>`,
  'in a sandbox': ({ shop }) =>
    `<iframe sandbox="allow-scripts allow-forms" ${size} src="${shop}/frames/form"></iframe>`,
  'in a sandbox, written in place': () =>
    `<iframe sandbox="allow-scripts allow-forms" ${size} srcdoc="${quoted(form)}"></iframe>`,
  'in a shadow root': ({ pay }) =>
    `<div><template shadowrootmode="open"><iframe ${size} src="${pay}/frames/form"></iframe></template></div>`,
  'in a frame with borders that is drawn smaller': ({ pay }) =>
    `<iframe ${size} style="border: 20px solid; padding: 30px; transform: scale(0.7); transform-origin: 200px 0" src="${pay}/frames/form"></iframe>`,
  'in a modal dialog': ({ pay }) =>
    `<dialog id="box"><iframe ${size} src="${pay}/frames/form"></iframe></dialog><script>box.showModal()</script>`,
  'in a frame that is added later': ({ pay }) =>
    `<div id="here"></div><script>setTimeout(() => { here.innerHTML = '<iframe ${size} src="${pay}/frames/form"></iframe>' }, 700)</script>`,
  'in a frame that was blank, and then of this origin': ({ shop, pay }) =>
    `<iframe id="later" ${size}></iframe><script>setTimeout(() => { later.src = '${shop}/frames/plain' }, 200)
      setTimeout(() => { later.src = '${pay}/frames/form' }, 700)</script>`,
}

export const frameRoutes: Routes = {
  '/frames/form': ({ response, url }) => {
    const above = `<div style="height: ${Number(url.searchParams.get('above'))}px"></div>`
    respond(
      response,
      `<title>Form</title>${above}${form}<a href="/frames/terms">Terms</a> <a href="http://shop.test:${url.port || response.req.socket.localPort}/frames/plain">Home</a>`,
    )
  },
  '/frames/around': ({ response, url }) => {
    const frames = ['of', 'and'].flatMap((name) => url.searchParams.getAll(name))
    respond(
      response,
      `<title>Around</title><p>Around</p>${frames.map((src) => `<iframe ${size} src="${src}"></iframe>`).join('')}`,
    )
  },
  '/frames/plain': ({ response }) => respond(response, '<title>Plain</title><p>Of this origin</p>'),
  '/frames/go': ({ response, url }) =>
    respond(response, `<title>Go</title><a href="${url.searchParams.get('to')}/frames/form">Go on</a>`),
  '/frames/close': ({ response }) =>
    respond(response, '<label>Other <input></label><button onclick="parent.postMessage(1, \'*\')">Done</button>'),
  '/frames/slow': ({ response }) =>
    respond(
      response,
      '<p id="text"></p><script>for (const [ms, say] of [[1500, "It is there"], [3000, ""]]) setTimeout(() => { text.textContent = say }, ms)</script>',
    ),
  '/frames/check': ({ response }) =>
    respond(
      response,
      '<button onclick="fetch(\'/frames/late\').then(() => { text.textContent = \'It is valid\' })">Check</button><p id="text"></p>',
    ),
  '/frames/late': ({ response }) => void setTimeout(() => response.end('ok'), 600),
  '/frames/hung': ({ response }) =>
    respond(response, '<title>Hung</title><script>setTimeout(() => { for (;;); }, 100)</script>'),
}

function respond(
  response: { setHeader(name: string, value: string): unknown; end(body: string): unknown },
  body: string,
) {
  response.setHeader('content-type', 'text/html; charset=utf-8')
  response.end(`<!doctype html>${body}`)
}
