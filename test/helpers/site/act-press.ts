import { html, numberIn, type Routes } from './route.ts'

/** Records the id of each clicked element, and counts clicks. */
const page = (body: string) =>
  html(`<!doctype html><meta charset="utf-8"><title>Press</title>${body}<p id="told"></p><script>
  const counts = {}
  addEventListener('click', ({ target }) => { const id = target.id || target.localName
    if (target.closest('a')) event.preventDefault()
    counts[id] = (counts[id] ?? 0) + 1; told.textContent = 'clicked ' + id + ' ' + counts[id] }, true)</script>`)

const refuse = `<script>for (const each of document.querySelectorAll('[data-refuse]'))
  each.addEventListener('pointerdown', (event) => event.preventDefault())</script>`
const cancelled = `<button id="cart" data-refuse>Add to cart</button>${refuse}`

/** Draws numbers from a seed (mulberry32). */
function drawer(seed: number) {
  let state = seed
  const draw = (most: number) => {
    state = (state + 0x6d2b79f5) | 0
    const mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    return Math.abs(Math.imul(mixed ^ (mixed >>> 7), 61 | mixed) ^ mixed) % most
  }
  return { draw, one: <T>(...all: T[]) => all[draw(all.length)]! }
}

/**
 * An act on a button that counts its presses, on a page with random handlers; `presses` are those of a successful act.
 */
export function randomPress(seed: number) {
  const { draw, one } = drawer(seed)
  const type = () => one('pointerdown', 'mousedown', 'mouseup', 'click')
  const does = () => one('event.preventDefault()', 'event.stopPropagation()', 'event.stopImmediatePropagation()')
  const act = one('click', 'click', 'doubleClick', 'hover', 'drag')
  // A cancelled pointerdown keeps the browser from sending a mousedown, and a drag ends elsewhere.
  const counted = act === 'drag' ? 'pointerdown' : one('pointerdown', 'click')
  const after = one(
    '',
    'place.innerHTML = place.innerHTML',
    "place.querySelector('button').disabled = true",
    'place.remove()',
  )
  const others = Array.from({ length: draw(4) }, () => {
    const at = one('document', 'place')
    return `${at}.addEventListener('${type()}', (event) => ${does()}, ${at === 'place'})`
  })
  const events = one('none', 'none', 'none', 'auto')
  const cover = one('', '', `<div style="position: fixed; inset: 0; pointer-events: ${events}">Veil</div>`)
  const body = `<div id="place"><button>Goal</button></div><p>Elsewhere</p>${cover}<p id="told">presses 0</p><script>
    let presses = 0
    addEventListener('${counted}', (event) => { if (!event.target.closest('button')) return
      told.textContent = 'presses ' + ++presses; ${after} }, true)
    ${others.join(';\n')}</script>`
  const isFramed = draw(3) === 0
  const presses = { click: [1], doubleClick: after === '' ? [2] : [1, 2], hover: [0], drag: [1] }[act]
  return {
    act,
    presses,
    page: isFramed ? `<iframe width="400" height="200" srcdoc="${body.replaceAll('"', '&quot;')}"></iframe>` : body,
  }
}

const names =
  'Save|save|Save as|Save all|Saved|Mail|Send mail|Send|All|Select all|Birth|Date of birth|Button|Link'.split('|')
const kinds = [
  (name: string) => `<button data-name="${name}">${name}</button>`,
  (name: string) => `<a href="#" data-name="${name}">${name}</a>`,
  (name: string) => `<div role="button" tabindex="0" data-name="${name}"><b>${name}</b></div>`,
  (name: string) => `<button data-name="${name}" aria-label="${name}">x</button>`,
  (name: string) => `<input type="button" data-name="${name}" value="${name}">`,
  (name: string) => `<p data-name="${name}">${name}</p>`,
  (name: string) => `<div data-name="box"><span data-name="${name}">${name}</span></div>`,
]

/** Returns a page of controls with overlapping names that shows which one was pressed, and the name of one of them. */
export function randomNames(seed: number): { target: string; page: string } {
  const { draw, one } = drawer(seed)
  const chosen = Array.from({ length: 3 + draw(8) }, () => one(...names))
  const body = chosen.map((name) => one(...kinds)(name)).join('\n')
  const told = `<p id="told" data-name="told"></p><script>addEventListener('pointerdown', ({ target }) => {
    told.textContent = 'pressed [' + target.closest('[data-name]')?.dataset.name + ']' }, true)</script>`
  return { target: one(...chosen), page: body + told }
}

/** Pages on which a press misses its target, and pages with ambiguous names. */
export const pressRoutes: Routes = {
  '/press/cancelled': page(cancelled),
  '/press/swallowed': page(`<button id="pay">Pay</button><script>
    for (const type of ['pointerdown', 'mousedown']) addEventListener(type, (event) => event.stopImmediatePropagation(), true)</script>`),
  '/press/framed': page('<iframe src="/press/inside" width="300" height="100"></iframe>'),
  '/press/inside': html(`<!doctype html>${cancelled}<script>
    let n = 0; cart.onclick = () => { parent.told.textContent = 'clicked cart ' + ++n }</script>`),
  /** A box covers the button as soon as the mouse is over it. */
  '/press/taken':
    page(`<button id="goal">Goal</button><div id="veil" hidden style="position: fixed; inset: 0">Veil</div>
    <script>goal.onmouseenter = () => { veil.hidden = false }</script>`),
  '/press/recreated': page(`<div id="box"><button id="old">Again</button></div><script>
    box.onpointerdown = () => { box.innerHTML = '<button id="new">Again</button>'; told.textContent = 'pressed ' + (box.n = (box.n ?? 0) + 1) }</script>`),
  '/press/roles':
    page(`<button id="selectall">Select all</button> <label>All <select id="all"><option>x</select></label>
    <a id="account" href="#a">Account</a> <button id="link">Link account</button> <a id="contents" href="#c">Table of contents</a>
    <button id="issue">Issue #12</button> <label>Date of birth <input id="birth"></label> <label>Cell phone <input id="phone"></label>`),
  '/press/texts':
    page(`<p id="no">No</p><button id="notes">Notes</button><div id="ok">Ok</div><button id="okta">Okta login</button>
    <p>Rice <span id="one">+</span></p><p>Cake <span id="two">+</span></p><button id="plus">+1</button>
    <h2 id="title">Settings</h2><button id="settings">Settings</button><p id="spread">Go <b>right</b> now</p>
    <button id="save">Save</button><button hidden>Save</button><span style="position: absolute; left: -999px">Save</span>
    <a href="#b" style="position: absolute; left: -999px">Back</a><a id="back" href="#b"><span>Back</span></a>
    <button id="copy">Copy link</button><button id="mail">Send by mail</button><button id="post">Send by post</button>
    <table><caption>Prices</caption><tr><th>Item</th></tr><tr><td>Rope</td></tr></table>`),
  '/press/places': html(`<!doctype html><meta charset="utf-8"><title>Places</title><body style="margin: 0">
    <canvas id="board" aria-label="Board" width="400" height="300"></canvas><p id="told"></p><p id="picked"></p>
    <p>The quick <b>brown fox</b> jumps</p><div id="bare" style="width: 80px; height: 30px">Bare</div>
    <div id="bin" class="icon-bin" style="width: 24px; height: 24px; background: green"></div>
    <div id="box" style="position: absolute; left: 500px; top: 20px; width: 50px; height: 50px; background: red"></div>
    <button onclick="box.style.left = '600px'">Move</button><script>
    const path = []
    for (const type of ['pointerdown', 'pointermove', 'pointerup']) board.addEventListener(type, (event) => {
      if (event.buttons || type === 'pointerup') told.textContent = path.push(event.offsetX + ',' + event.offsetY) && path.join(' ') })
    for (const each of [bare, bin]) each.addEventListener('click', () => { told.textContent = each.id })
    document.addEventListener('selectionchange', () => { picked.textContent = 'selected ' + getSelection() })</script>`),
  '/press/random/*': html(({ url }) => `<!doctype html><title>Random</title>${randomPress(numberIn(url)).page}`),
  '/press/names/*': html(({ url }) => `<!doctype html><title>Names</title>${randomNames(numberIn(url)).page}`),
  '/press/box': page(
    '<div id="box" tabindex="-1" style="width: 200px"><p id="one">One</p><p id="two">Two</p><p id="three">Three</p></div>',
  ),
}
