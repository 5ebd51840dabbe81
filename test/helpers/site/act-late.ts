import { html, type Routes } from './route.ts'

const page = (body: string) =>
  html(`<!doctype html><meta charset="utf-8"><title>Late</title>${body}<p id="told"></p><script>
  const tell = (text) => told.append(' [' + text + ']')
  const rows = (place, count) => { for (let left = count; left > 0; left--)
    place.insertAdjacentHTML('beforeend', '<p style="height: 60px">Item ' + (place.childElementCount + 1) + '</p>') }
  const started = window.start?.()</script>`)
/** Draws only the visible rows of 200 options. */
const drawOptions = `const draw = () => { const from = Math.floor(list.scrollTop / 20)
  list.innerHTML = '<div style="height: 4000px; position: relative">' + Array.from({ length: 7 }, (_, n) => '<div role="option" style="position: absolute; top: ' + (from + n) * 20 + 'px">Port ' + (from + n) + '</div>').join('') + '</div>' }
  list.onscroll = draw; list.onclick = ({ target }) => { port.textContent = target.textContent; list.hidden = true }`

/** Pages whose elements come late, are replaced, or leave again. */
export const lateRoutes: Routes = {
  '/late/button': page(`<button onclick="setTimeout(() => document.body.insertAdjacentHTML('beforeend',
    '<button onclick=&quot;tell(1)&quot;>Confirm</button>'), 1800)">Open</button>`),
  '/late/twin': page(`<div id="place"></div><script>
    const put = () => { place.innerHTML = '<button onclick="tell(++window.count)">Add</button>' }
    count = 0; put(); place.addEventListener('mouseover', put, { once: true })</script>`),
  '/late/options': page(`<label>City <select id="city" onchange="tell(city.value)"><option>Loading</select></label>
    <script>setTimeout(() => (city.innerHTML = '<option>Oslo<option>Rome'), 1500)</script>`),
  '/late/timer': page(`<div id="place"></div><script>start = () => { let isBusy = false
    rows(place, 20); onscroll = () => { if (isBusy || place.childElementCount > 60) return; isBusy = true
    setTimeout(() => { rows(place, 20); isBusy = false }, 700) } }</script>`),
  '/late/fetches': page(`<div id="place"></div><script>start = () => { let isBusy = false
    rows(place, 20); onscroll = async () => { if (isBusy || place.childElementCount > 140) return; isBusy = true
    await fetch('/reach/slow/500'); rows(place, 20); isBusy = false } }</script>`),
  '/late/pane': page(`<div id="list" style="height: 150px; overflow: auto"></div><button id="port" hidden></button>
    <script>${drawOptions}; draw()</script>`),
  '/late/select':
    page(`<button id="port" aria-haspopup="listbox" onclick="list.hidden = false; draw()">Pick a port</button>
    <div role="listbox" id="list" style="height: 100px; overflow: auto" hidden></div><script>${drawOptions}</script>`),
  '/late/day': page('<label>Day <input type="date"></label>'),
  '/late/keys': page(
    `<p>Keys</p><script>onkeydown = ({ key, code, keyCode }) => tell([key, code, keyCode].join())</script>`,
  ),
}
