import { enoughText, html, type Routes } from './route.ts'

const page = (body: string) =>
  html(`<!doctype html><html lang="en"><meta charset="utf-8"><title>Widgets</title>${body}<p id="told"></p>${enoughText}<script>
  const tell = (text) => { told.textContent = text }
  document.addEventListener('change', ({ target }) => tell(target.id + ' ' + (target.type === 'checkbox' ? target.checked : target.value)))</script>`)

const clipped = 'position: absolute; width: 1px; height: 1px; overflow: hidden; clip: rect(0 0 0 0)'
const toldFiles = "async (files) => tell((await Promise.all([...files].map((each) => each.text()))).join(' + '))"

/** An input with a list of the options that contain its text; the list opens only on typing. */
const filtered = `<input role="combobox" id="town" aria-label="Town" aria-controls="towns" aria-expanded="false" value="Oslo"><ul role="listbox" id="towns"></ul>
  <script>const show = () => { towns.innerHTML = ['Rome', 'Oslo', 'Paris'].filter((each) => each.includes(town.value)).map((each) => '<li role="option">' + each + '</li>').join('') }
  town.oninput = show; towns.onclick = ({ target }) => { town.value = target.textContent; tell('town ' + town.value); towns.innerHTML = '' }</script>`

const listButton = `<button id="plan" aria-haspopup="listbox" aria-expanded="false">Free plan</button><div role="listbox" id="plans" hidden><div role="option">Free plan</div><div role="option">Team plan</div></div>
  <script>plan.onclick = () => { plans.hidden = false }; plans.onclick = ({ target }) => { plan.textContent = target.textContent; plans.hidden = true; tell('plan ' + plan.textContent) }</script>`

const slider = `<div id="heat" role="slider" tabindex="0" aria-label="Heat" aria-valuemin="10" aria-valuemax="30" aria-valuenow="20" style="width: 100px; height: 20px">o</div>
  <script>heat.onkeydown = ({ key }) => { const now = Number(heat.ariaValueNow); const next = { Home: 10, End: 30, ArrowRight: now + 2, ArrowLeft: now - 2 }[key] ?? now
    heat.ariaValueNow = Math.min(30, Math.max(10, next)); tell('heat ' + heat.ariaValueNow) }</script>`

/** Custom elements that state role, name and state by `ElementInternals` alone, one of them in a closed shadow root. */
const internals = `<x-box>Confetti</x-box><label><x-box></x-box> Balloons</label><x-shelf></x-shelf><x-plain>Just text</x-plain>
  <div tabindex="0"></div><div aria-hidden="true"><div role="listbox" style="display: none"><div role="option">Cup</div></div></div><div role="group" aria-label="Extras">Two cups</div><script>
  customElements.define('x-box', class extends HTMLElement {
    static formAssociated = true; internals = this.attachInternals()
    constructor() { super(); this.internals.role = 'checkbox'; this.internals.ariaChecked = 'false'
      this.addEventListener('click', () => { this.internals.ariaChecked = String(this.internals.ariaChecked !== 'true'); tell((this.textContent || 'box') + ' ' + this.internals.ariaChecked) }) } })
  customElements.define('x-shelf', class extends HTMLElement { constructor() { super(); this.attachShadow({ mode: 'closed' }).innerHTML = '<x-icon>★</x-icon>' } })
  customElements.define('x-icon', class extends HTMLElement { internals = this.attachInternals()
    constructor() { super(); Object.assign(this.internals, { role: 'button', ariaLabel: 'Add star', ariaPressed: 'false' }); this.onclick = () => { this.internals.ariaPressed = 'true'; tell('starred') } } })
  customElements.define('x-plain', class extends HTMLElement {})</script>`

/** Pages with widgets as built by component libraries. */
export const widgetRoutes: Routes = {
  '/widget/internals': page(internals),
  '/widget/shadow': page(`<my-button>Save all</my-button><div id="plain"></div><script>
    const slotted = document.querySelector('my-button'); slotted.attachShadow({ mode: 'open' }).innerHTML = '<button><slot></slot></button>'; slotted.onclick = () => tell('saved')
    const closed = plain.attachShadow({ mode: 'closed' }); closed.innerHTML = '<label>Coupon <input></label><button>Apply</button>'
    closed.querySelector('button').onclick = () => tell('coupon ' + closed.querySelector('input').value + ' ' + (plain.n = (plain.n ?? 0) + 1))</script>`),
  '/widget/labels':
    page(`<p><input type="checkbox" id="rules" style="display: none"><label for="rules"><a href="/act/home">The long rules of the house</a> are fine</label></p>
    <p><label>I agree to <a href="/act/home">all of the terms</a> <input type="checkbox" id="terms" style="${clipped}"></label></p>`),
  '/widget/choosers':
    page(`<button id="add">Add papers</button><label id="photo" style="border: 1px solid">Photo<input type="file" hidden></label>
    <div id="zone" style="width: 200px; height: 80px; border: 1px dashed">Drop papers here</div><script>
    const read = ${toldFiles}
    add.onclick = () => { const field = document.createElement('input'); field.type = 'file'; field.onchange = () => read(field.files); field.click() }
    photo.control.onchange = () => { read([...photo.control.files]); photo.control.value = '' }
    zone.ondragover = (event) => event.preventDefault(); zone.ondrop = (event) => { event.preventDefault(); read(event.dataTransfer.files) }</script>`),
  '/widget/opener': page(
    `<button onclick="open('/widget/closer', 'p', 'width=300,height=300')">Log in</button><button id="next" onclick="tell(told.textContent + ', then next')">Next</button><script>onmessage = ({ data }) => tell('token ' + data)</script>`,
  ),
  '/widget/closer': html(
    "<!doctype html><title>Closer</title><button onclick=\"opener.postMessage('7', '*'); window.close()\">Allow</button>",
  ),
  '/widget/lists': page(`${filtered}${listButton}<label>Country <input id="country" list="countries"></label>
    <datalist id="countries"><option value="France"><option value="Finland"></datalist>
    <label>Size <select id="size"><option>Small</option><option>Extra large</option><option disabled>Huge</option></select></label>`),
  '/widget/rows':
    page(`<div id="list" style="height: 200px; overflow: auto"><div id="rows" style="position: relative; height: 8000px"></div></div><script>
    const draw = () => { const first = Math.floor(list.scrollTop / 40)
      rows.innerHTML = Array.from({ length: 6 }, (_, at) => '<p style="position: absolute; margin: 0; top: ' + (first + at) * 40 + 'px">Row ' + (first + at) + '</p>').join('') }
    list.onscroll = draw; draw()</script>`),
  '/widget/fields':
    page(`<label>Day <input type="date" id="day" value="2020-01-01"></label><label>Time <input type="time" id="time"></label>
    <label>Price <input type="number" step="any" id="price" value="5"></label><label>Story <textarea rows="4">once</textarea></label>${slider}`),
}
