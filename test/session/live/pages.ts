import { html, type Routes } from '../../helpers/site/route.ts'

const page = (title: string, body: string) =>
  html(`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>
  <style>body { margin: 0; font: 18px sans-serif } body > * { position: absolute; margin: 0 } input, textarea, select, button { font: inherit; width: 300px; height: 40px }</style></head><body>${body}</body></html>`)
/** Style that places an element at a known position, because viewers click points. */
const at = (x: number, y: number) => `style="left:${x}px;top:${y}px"`

export const liveRoutes: Routes = {
  '/live/desk': page(
    'Desk',
    `<h1 ${at(40, 20)}>Harbour desk</h1>
    <button id="press" ${at(40, 100)}>Press</button>
    <input id="field" ${at(400, 100)} aria-label="Name">
    <textarea id="area" style="left:760px;top:100px;height:120px"></textarea>
    <select id="list" ${at(40, 200)}><option value="">Choose…</option><optgroup label="Boats"><option value="s">Sailing boat</option><option value="m">Motor boat</option></optgroup><option value="x" disabled>Raft</option><option value="d">Dinghy 小舟</option></select>
    <input id="date" type="date" ${at(400, 200)}>
    <input id="file" type="file" multiple ${at(40, 300)}>
    <div id="pad" style="left:400px;top:300px;width:300px;height:200px;background:#dde6f5"></div>
    <p ${at(760, 300)}><a id="link" href="/live/second" style="font-size:22px">Second page</a></p>
    <p ${at(760, 360)}><a href="/live/second" target="_blank" style="font-size:22px">New window</a></p>
    <p id="says" style="left:760px;top:420px;font-size:24px">Some words to copy</p>
    <script>window.seen = []; const note = (text) => seen.push(text);
    press.onclick = (event) => note('click ' + event.detail); press.ondblclick = () => note('double');
    list.onchange = () => note('list ' + list.value); date.onchange = () => note('date ' + date.value);
    pad.oncontextmenu = (event) => { event.preventDefault(); note('menu') };
    let from; pad.onmousedown = (event) => { from = event.offsetX }; pad.onmouseup = (event) => { if (event.offsetX - from > 50) note('drag') };
    file.onchange = async () => { for (const each of file.files) note(each.name + ' ' + each.size + ' ' + (await each.text()).slice(0, 20)) };
    field.onkeydown = (event) => note('key ' + event.key + (event.ctrlKey ? ' ctrl' : ''));</script>`,
  ),
  '/live/second': page('Second', `<h1 ${at(40, 20)}>The second page</h1>`),
  '/live/long': page('Long', `<div style="width:10px;height:5000px"></div><h1 ${at(40, 20)}>A long page</h1>`),
  '/live/ask': page(
    'Questions',
    `<button id="ask" ${at(40, 100)}>Ask</button><button id="sure" ${at(400, 100)}>Sure?</button>
    <script>window.seen = []; ask.onclick = () => seen.push('prompt ' + prompt('What is your <b>name</b>?', 'Ann')); sure.onclick = () => seen.push('confirm ' + confirm('Sail now?'))</script>`,
  ),
  '/live/drop': page(
    'Drop',
    `<div id="ware" draggable="true" style="left:100px;top:100px;width:100px;height:100px;background:#c55">Ware</div>
    <div id="hold" style="left:400px;top:100px;width:300px;height:200px;background:#ddd">Hold</div>
    <script>window.seen = []; ware.ondragstart = ({ dataTransfer }) => { dataTransfer.setData('text', 'rope'); seen.push('takes') };
    hold.ondragover = (event) => { event.preventDefault(); if (!seen.includes('over')) seen.push('over') }; hold.ondrop = (event) => { event.preventDefault(); seen.push('drop ' + event.dataTransfer.getData('text')) };
    hold.onclick = () => seen.push('click')</script>`,
  ),
  '/live/framed': page(
    'Framed',
    `<iframe id="frame" style="left:100px;top:60px;width:1100px;height:700px;border:10px solid"></iframe><script>frame.src = 'http://other.test:' + location.port + '/live/desk'</script>`,
  ),
  '/live/moving': page(
    'Moving',
    `<style>@keyframes turn { to { rotate: 360deg } } .box { left: 340px; top: 100px; width: 600px; height: 600px; background: conic-gradient(red, gold, green, blue, red); animation: turn 3s linear infinite }</style><div class="box"></div>`,
  ),
  '/live/counting': page(
    'Counting',
    `<h1 id="count" style="left:40px;top:20px;font-size:200px">0</h1><script>let n = 0; const next = () => { count.textContent = ++n; if (n < 120) requestAnimationFrame(next); else document.body.style.background = '#0a0' }; setTimeout(next, 300)</script>`,
  ),
}
