import { html, type Routes } from './route.ts'

/** Each page writes down what was clicked, by its id, and counts it. */
const page = (body: string) =>
  html(`<!doctype html><meta charset="utf-8"><title>Press</title>${body}<p id="told"></p><script>
  const counts = {}
  addEventListener('click', ({ target }) => { const id = target.id || target.localName
    if (target.closest('a')) event.preventDefault()
    counts[id] = (counts[id] ?? 0) + 1; told.textContent = 'clicked ' + id + ' ' + counts[id] }, true)</script>`)

const refuse = `<script>for (const each of document.querySelectorAll('[data-refuse]'))
  each.addEventListener('pointerdown', (event) => event.preventDefault())</script>`
const cancelled = `<button id="cart" data-refuse>Add to cart</button>${refuse}`

/** Pages on which a press goes astray, and pages with names that can be mistaken. */
export const pressRoutes: Routes = {
  '/press/cancelled': page(cancelled),
  '/press/swallowed': page(`<button id="pay">Pay</button><script>
    for (const type of ['pointerdown', 'mousedown']) addEventListener(type, (event) => event.stopImmediatePropagation(), true)</script>`),
  '/press/framed': page('<iframe src="/press/inside" width="300" height="100"></iframe>'),
  '/press/inside': html(`<!doctype html>${cancelled}<script>
    let n = 0; cart.onclick = () => { parent.told.textContent = 'clicked cart ' + ++n }</script>`),
  /** A box comes under the mouse as soon as it is over the button. */
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
  '/press/box': page(
    '<div id="box" tabindex="-1" style="width: 200px"><p id="one">One</p><p id="two">Two</p><p id="three">Three</p></div>',
  ),
}
