import type { SessionAction } from '../../../src/contracts/render-port.ts'
import type { Routes } from '../../helpers/site/route.ts'

export type Hosts = { shop: string; pay: string; bank: string }
type FramePage = {
  /** The body of the page, at shop. */
  page(hosts: Hosts): string
  acts: readonly SessionAction[]
  /** Expected text of the result. */
  says: string | RegExp
  mayFail?: true
  /** Text that a later snapshot contains, and text that it does not contain. */
  shows?: string | RegExp
  hides?: string
}

/** Returns the URL of a document with this body. */
const doc = (host: string, body: string) => `${host}/frames/any?body=${encodeURIComponent(body)}`
const frame = (src: string, more = 'width="400" height="200"') => `<iframe ${more} src="${src}"></iframe>`
/** A field, and a button that displays its value. */
const form = `<label>Town <input id="town"></label><button onclick="out.textContent = 'To ' + town.value">Go</button><p id="out"></p>`
const fill: readonly SessionAction[] = [
  { type: 'fill', target: 'Town', value: 'Kiel' },
  { type: 'click', target: 'Go' },
]
const go: readonly SessionAction[] = [{ type: 'click', target: 'Go' }]
/** A page whose form can be filled in and sent. */
const filled = (page: FramePage['page']): FramePage => ({ page, acts: fill, says: 'To Kiel' })
/** A page that shows a text after a click on `Go`. */
const clicked = (page: FramePage['page'], says: string, more?: Pick<FramePage, 'shows' | 'hides'>): FramePage => ({
  page,
  acts: go,
  says,
  ...more,
})
const button = (script: string) => `<button onclick="${script}">Go</button>`

/** Frames in the process of the page: nested, written by scripts, laid out in all ways. */
const nested: Record<string, FramePage> = {
  'three frames in one another': filled(({ shop }) => frame(doc(shop, frame(doc(shop, frame(doc(shop, form))))))),
  'a blank frame that a script writes': filled(
    () =>
      `<iframe id="box" width="400" height="200"></iframe><script>box.contentDocument.body.innerHTML = ${JSON.stringify(form)}</script>`,
  ),
  'a frame in a shadow root of a frame': filled(({ shop }) =>
    frame(doc(shop, `<div><template shadowrootmode="open">${frame(doc(shop, form), '')}</template></div>`)),
  ),
  'a field far down in a frame': filled(({ shop }) => frame(doc(shop, `<div style="height: 2500px"></div>${form}`))),
  'a file in a nested frame': {
    page: ({ shop }) =>
      frame(
        doc(
          shop,
          frame(
            doc(
              shop,
              '<input type="file" aria-label="Photo" onchange="out.textContent = this.files[0].name"><p id="out"></p>',
            ),
          ),
        ),
      ),
    acts: [{ type: 'upload', target: 'Photo', files: [{ name: 'gull.txt', base64: 'YQ==' }] }],
    says: '+ gull.txt',
  },
  'a frame that is not shown': clicked(
    ({ shop }) => `<p>Page</p>${frame(doc(shop, '<p>Unseen</p>'), 'hidden')}<button>Go</button>`,
    'Nothing on the page changed.',
    { shows: 'Page', hides: 'Unseen' },
  ),
}

/** Acts that a sandbox forbids fail, and all others are performed. */
const sandboxed: Record<string, FramePage> = {
  'a sandbox of the same origin': filled(({ shop }) =>
    frame(doc(shop, form), 'sandbox="allow-scripts allow-same-origin"'),
  ),
  'a sandbox whose scripts do not run': {
    page: ({ shop }) => frame(doc(shop, form), 'sandbox'),
    acts: [{ type: 'fill', target: 'Town', value: 'Kiel' }],
    says: /[~+] +textbox "Town" e\d+ = "Kiel"/,
  },
  'a sandbox that may not send its form': clicked(
    ({ shop, pay }) =>
      frame(doc(shop, `<form action="${pay}/frames/plain"><button>Go</button></form>`), 'sandbox="allow-scripts"'),
    'Nothing on the page changed.',
  ),
}

const gone = `parent.postMessage('gone', '*')`
const removing = (src: string) =>
  `<p>Page</p>${frame(src, 'id="box" width="400" height="200"')}<script>onmessage = () => box.remove()</script>`
/** Frames that leave, move or are replaced while something is done in them. */
const leaving: Record<string, FramePage> = {
  'a frame that leaves when its field is focused': {
    page: ({ pay }) => removing(doc(pay, `<label>Town <input onfocus="${gone}"></label>`)),
    acts: [{ type: 'fill', target: 'Town', value: 'Kiel' }],
    says: /The frame left the page while this was done in it|the field has left the page since/,
    mayFail: true,
    shows: 'Page',
  },
  'a frame of the page’s origin that leaves when it is clicked': clicked(
    ({ shop }) => removing(doc(shop, button(gone))),
    '- iframe',
  ),
  'a frame that later acts make leave': {
    page: ({ pay }) =>
      `${removing(doc(pay, button('this.textContent = 1')))}<button onclick="box.remove()">Drop</button><p id="late"></p><button onclick="setTimeout(() => late.textContent = 'Still here', 900)">Then</button>`,
    acts: [
      ...go,
      { type: 'click', target: 'Drop' },
      { type: 'click', target: 'Then' },
      { type: 'wait', text: 'Still here' },
    ],
    says: 'Still here',
    shows: 'Still here',
  },
  'a frame that is moved in the page, and loads again': {
    page: ({ pay }) =>
      `<button onclick="right.append(box)">Move</button>${frame(doc(pay, form), 'id="box" width="400" height="200"')}<div id="right"></div>`,
    acts: [{ type: 'click', target: 'Move' }, { type: 'wait', text: 'Town' }, ...fill],
    says: 'To Kiel',
  },
  'a frame that goes from the page’s origin to another': {
    page: ({ shop, pay }) => frame(doc(shop, `<a href="${doc(pay, form).replaceAll('"', '&quot;')}">Next</a>`)),
    acts: [{ type: 'click', target: 'Next' }, ...fill],
    says: 'To Kiel',
  },
  'a dialog that closes with the frame in it': clicked(
    ({ pay }) =>
      `<p>Page</p><dialog id="box">${frame(doc(pay, button(gone)))}</dialog><script>box.showModal(); onmessage = () => box.close()</script>`,
    '+ Page',
    { hides: '"Go"' },
  ),
}

const lists = `<label>Size <select><option>S</option><option>L</option></select></label>
  <label><input type="checkbox" onchange="out.textContent = 'sent ' + this.checked"> Send it</label><p id="out"></p>`

/** Frames of other origins, and what they do to the page and the browser around them. */
const foreign: Record<string, FramePage> = {
  'two forms of one site': {
    page: ({ pay }) => frame(doc(pay, form)) + frame(doc(pay, form.replace('Town', 'Port'))),
    acts: [
      { type: 'fill', target: 'Port', value: 'Oslo' },
      { type: 'fill', target: 'Town', value: 'Kiel' },
      { type: 'press', target: 'Town', key: 'Tab' },
      { type: 'press', key: 'Enter' },
    ],
    says: 'To Kiel',
  },
  'a frame that opens an alert': clicked(
    ({ pay }) => frame(doc(pay, button(`alert('Tide is low')`))),
    'Dialog alert "Tide is low" was accepted.',
  ),
  'a frame that opens a window': clicked(
    ({ shop, pay }) => frame(doc(pay, button(`window.open('${shop}/frames/plain')`))),
    'Of this origin',
  ),
  'a frame that navigates the page': clicked(
    ({ shop, pay }) => frame(doc(pay, `<a target="_top" href="${shop}/frames/plain">Go</a>`)),
    'Of this origin',
  ),
  'lists and boxes in a frame of a third site': {
    page: ({ pay, bank }) => frame(doc(bank, frame(doc(pay, lists))), 'width="500" height="350"'),
    acts: [
      { type: 'select', target: 'Size', options: ['L'] },
      { type: 'check', target: 'Send it' },
    ],
    says: '+ sent true',
    shows: /combobox "Size" e\d+ = "L"/,
  },
  'a menu in a frame that opens under the mouse': {
    page: ({ pay }) =>
      frame(
        doc(
          pay,
          `<style>ul { display: none } div:hover ul { display: block }</style><div><b>Ports</b><ul><li><a href="#kiel">Kiel</a></ul></div>`,
        ),
      ),
    acts: [
      { type: 'hover', target: 'Ports' },
      { type: 'click', target: 'link "Kiel"' },
    ],
    says: 'link "Kiel"',
  },
  'text in a frame that is extracted': {
    page: ({ pay }) => frame(doc(pay, '<p>Freight: <b>12 €</b></p>')),
    acts: [{ type: 'extract', target: 'Freight', as: 'text' }],
    says: 'Freight: 12 €',
  },
  'a frame that never ends loading': filled(({ pay }) => `${frame(`${pay}/frames/endless`)}${form}`),
}

export const framePages: Record<string, Record<string, FramePage>> = {
  'in the process of the page': nested,
  'in a sandbox': sandboxed,
  'that leave or move': leaving,
  'of other origins': foreign,
}

export const framePageRoutes: Routes = {
  '/frames/any': ({ response, url }) => {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(`<!doctype html><title>Any</title>${url.searchParams.get('body')}`)
  },
  '/frames/denied': ({ response }) => {
    response.writeHead(200, { 'content-type': 'text/html', 'x-frame-options': 'DENY' }).end('<p>Denied</p>')
  },
  '/frames/endless': ({ response }) => {
    response.writeHead(200, { 'content-type': 'text/html' }).write('<!doctype html><p>Begun</p>')
  },
}
