import { answer, enoughText, html, type Routes } from './route.ts'

const page = (title: string, body: string) =>
  html(`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>
  <style>body { font: 16px sans-serif; margin: 20px } .sr { position: absolute; width: 1px; height: 1px; overflow: hidden; clip: rect(0 0 0 0) }</style></head><body>
  <header><a href="/act/home">Harbour Tools</a><nav aria-label="Main"><a href="/act/shop">Shop</a> <a href="/act/docs">Docs</a> <a href="/act/people">People</a></nav></header>
  <main>${body}</main><footer>${enoughText}<p>© Harbour Tools, 12 Quay Street. <a href="/act/imprint">Imprint</a></p></footer></body></html>`)

const times = (count: number, make: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => make(index + 1)).join('')

const products = [
  'Anchor 8 kg',
  'Brass bell',
  'Canvas sail',
  'Deck brush',
  'Echo sounder',
  'Fender set',
  'Galley stove',
  'Hand winch',
]

/** Pages that an agent must navigate. */
export const actRoutes: Routes = {
  '/act/home': page('Harbour Tools', '<h1>Welcome aboard</h1><p>Everything for small boats, since 1987.</p>'),
  '/act/form': page(
    'Register',
    `<h1>Register your boat</h1><form id="f" novalidate>
    <p><label for="email">Email</label> <input id="email" type="email" aria-describedby="email-error"><span id="email-error" role="alert"></span></p>
    <p><label>Boat name <input name="boat" required></label></p>
    <p><label for="kind">Kind</label> <select id="kind"><option value="">Choose…</option><option value="s">Sailing boat</option><option value="m">Motor boat</option></select></p>
    <fieldset><legend>Berth</legend><label><input type="radio" name="berth" value="a"> Inner harbour</label><label><input type="radio" name="berth" value="b"> Outer harbour</label></fieldset>
    <p><label><input type="checkbox" id="terms"> I agree to the <a href="/act/terms">terms</a></label></p>
    <button>Register</button></form><p id="done"></p>
    <script>f.onsubmit = (event) => { event.preventDefault();
      const bad = !/@.+\\./.test(email.value); email.setAttribute('aria-invalid', bad); document.getElementById('email-error').textContent = bad ? 'Enter an address such as ann@example.com' : '';
      if (!bad) { f.hidden = true; done.textContent = 'Thank you, your boat ' + f.elements.boat.value + ' is registered.' } }</script>`,
  ),
  '/act/native-form': page(
    'Native',
    `<form action="/act/home"><label>Name <input required></label><label>Age <input type="number" min="18"></label><button>Send</button></form>`,
  ),
  '/act/login': page(
    'Log in',
    `<h1>Log in</h1><form id="f"><p><label>User <input name="user"></label></p><p><label>Password <input name="pass" type="password"></label></p><button>Log in</button><p id="no" role="alert"></p></form>
    <script>f.onsubmit = (event) => { event.preventDefault(); if (f.pass.value === 'secret') location.href = '/act/orders'; else no.textContent = 'Wrong user or password.' }</script>`,
  ),
  '/act/orders': page(
    'Orders',
    `<h1>Your orders</h1><table><caption>Orders</caption><thead><tr><th>Order</th><th>Goods</th><th>Total</th><th></th></tr></thead><tbody>
    ${times(40, (n) => `<tr><td>A-${1000 + n}</td><td>${products[n % products.length]}</td><td>${(n * 7.5).toFixed(2)} €</td><td><a href="/act/order?n=${n}">Details</a></td></tr>`)}</tbody></table>`,
  ),
  '/act/shop': page(
    'Shop',
    `<h1>Shop</h1><form role="search" id="f"><input type="search" name="q" placeholder="Search goods"><button>Search</button></form><div id="found"></div>
    <script>f.onsubmit = (event) => { event.preventDefault(); found.innerHTML = '<p aria-busy="true">Searching…</p>';
      setTimeout(() => { found.innerHTML = '<h2>Results</h2><ul>' + ${JSON.stringify(products)}.filter((p) => p.toLowerCase().includes(f.q.value.toLowerCase())).map((p, i) => '<li><a href="/act/item?' + i + '">' + p + '</a> <b>' + (19.9 + i) + ' €</b> <button>Add to cart</button></li>').join('') + '</ul>' }, 200) }</script>`,
  ),
  '/act/pages': html(({ url }) => {
    const at = Number(url.searchParams.get('p') ?? 1)
    const rows = times(10, (n) => `<tr><td>${(at - 1) * 10 + n}</td><td>Member ${(at - 1) * 10 + n}</td></tr>`)
    const next = at < 3 ? `<a href="/act/pages?p=${at + 1}">Next</a>` : ''
    return `<!doctype html><title>Members ${at}</title><h1>Members</h1><table><tr><th>No</th><th>Name</th></tr>${rows}</table>${next}`
  }),
  '/act/endless': page(
    'Endless',
    `<h1>Log book</h1><ul id="list"></ul><div id="end" style="height: 1px"></div><script>let n = 0
    const more = () => { if (n >= 60) return; for (let i = 0; i < 20; i++) list.insertAdjacentHTML('beforeend', '<li style="height: 50px">Entry ' + ++n + '</li>') }
    new IntersectionObserver((seen) => { if (seen[0].isIntersecting) setTimeout(more, 50) }).observe(end); more()</script>`,
  ),
  '/act/wizard': page(
    'Wizard',
    `<h1>Insurance</h1><iframe title="Questions" src="/act/wizard-1" style="width: 600px; height: 260px"></iframe>`,
  ),
  '/act/wizard-1': html(
    '<!doctype html><title>1</title><p>Step 1 of 2</p><label>Length in m <input id="l"></label> <button onclick="location.href=\'/act/wizard-2?l=\' + l.value">Next</button>',
  ),
  '/act/wizard-2': html(
    '<!doctype html><title>2</title><p>Step 2 of 2</p><a href="/act/offer" target="_blank">See the offer</a>',
  ),
  '/act/offer': page('Offer', '<h1>Your offer</h1><p>The insurance is <b>184.20 €</b> a year.</p>'),
  '/act/docs': page(
    'Docs',
    `${times(30, (n) => `<h2>Chapter ${n}</h2>${times(4, (m) => `<p>Paragraph ${m} of chapter ${n} tells at some length how a boat is kept dry, clean and ready, whatever the weather brings.</p>`)}${n === 17 ? '<h3>Set up the radio</h3><pre><code>radio --channel 16\nradio --squelch 4\nradio listen</code></pre>' : ''}`)}`,
  ),
  '/act/people': page('People', '<h1>People</h1><p>Nobody is here.</p>'),
  '/act/combobox': page(
    'Combobox',
    `<h1>Fruit</h1><div id="box" role="combobox" tabindex="0" aria-expanded="false" aria-controls="list" aria-label="Fruit" style="border: 1px solid; width: 200px">Choose</div>
    <ul id="list" role="listbox" hidden>${['Apple', 'Banana', 'Cherry'].map((each) => `<li role="option">${each}</li>`).join('')}</ul>
    <script>const show = (on) => { list.hidden = !on; box.setAttribute('aria-expanded', on) }; box.onclick = () => show(list.hidden);
    list.onclick = ({ target }) => { box.textContent = target.textContent; show(false) }</script>`,
  ),
  '/act/dialog': page(
    'Dialogs',
    `<h1>Boats</h1>${times(6, (n) => `<p>Boat ${n} <a href="/act/boat?${n}">open</a></p>`)}<button onclick="d.showModal()">Delete all</button>
    <dialog id="d"><h2>Delete all boats?</h2><p>There is no way back.</p><button onclick="d.close(); document.getElementById('told').textContent = 'All deleted'">Yes, delete</button><button onclick="d.close()">Cancel</button></dialog><p id="told"></p>
    <button onclick="told.textContent = confirm('Leave the harbour?') ? 'left' : 'stayed'">Leave</button>
    <button onclick="alert('Tide is low'); told.textContent = 'warned'">Tide</button>
    <button onclick="told.textContent = 'name: ' + prompt('Name of the boat?', 'Ann')">Name</button>`,
  ),
  '/act/shadow': page(
    'Shadow',
    `<h1>Shadow</h1><x-card><template shadowrootmode="open"><h2><slot name="title"></slot></h2><label>Amount <input id="a"></label><button onclick="this.textContent = 'Paid'">Pay</button></template><span slot="title">Invoice 7</span></x-card>`,
  ),
  '/act/fields': page(
    'Fields',
    `<h1>Fields</h1><label>Day <input type="date"></label><label>Volume <input type="range" min="0" max="10"></label><label>Crew <input type="number"></label><label>Colour <input type="color"></label>
    <div contenteditable aria-label="Notes" style="border: 1px solid; min-height: 30px">old text</div><label>Story <textarea>once</textarea></label>
    <label>Extras <select multiple><option>Oars</option><option>Rope</option><option>Bucket</option></select></label>
    <label><input type="checkbox" style="opacity: 0; position: absolute"> <span>Drawn box</span></label>
    <label>Short <input maxlength="3"></label><label>Fixed <input readonly value="7"></label>
    <label>Phone <input id="phone"></label><script>phone.oninput = () => { phone.value = phone.value.replace(/\\D/g, '').replace(/^(\\d{3})(\\d)/, '$1-$2') }</script>
    <label>Photo <input type="file" id="file"></label>
    <label>Papers <input type="file" id="papers" multiple></label><p id="read"></p><script>
    papers.onchange = async () => { read.textContent = 'Papers say ' + (await Promise.all([...papers.files].map((each) => each.text()))) }
    file.onchange = async () => { read.textContent = 'File says ' + await file.files[0].text() }</script>`,
  ),
  '/act/troubles': page(
    'Troubles',
    `<h1>Troubles</h1><p id="told"></p><script>const tell = (text) => { told.textContent = text }</script>
    <div style="position: relative; width: 200px"><button onclick="tell('covered')">Covered</button><div id="banner" style="position: absolute; inset: 0; background: #ccc">We use cookies</div></div>
    <button style="position: relative" id="moving" onclick="tell('caught')">Moving</button><script>let x = 0; const go = setInterval(() => { moving.style.left = (x += 15) + 'px'; if (x > 300) clearInterval(go) }, 30)</script>
    <button disabled id="late" onclick="tell('late')">Late</button><script>setTimeout(() => { late.disabled = false }, 700)</script>
    <button disabled>Never</button><button>Nothing</button><button onclick="this.remove()">Gone</button><button onclick="console.error('broken engine'); throw new Error('no fuel')">Broken</button>
    <button onclick="const b = document.createElement('button'); b.textContent = 'Again'; this.replaceWith(b)">Again</button>
    <style>#menu ul { display: none } #menu:hover ul { display: block }</style><div id="menu"><span tabindex="0">Harbours</span><ul><li><a href="#kiel">Kiel</a></li><li><a href="#oslo">Oslo</a></li></ul></div>
    <a href="/act/file.bin" download>Chart</a> <div onclick="tell('plain')" style="cursor: pointer">Plain div</div>`,
  ),
  '/act/names': html(`<!doctype html><title>Names</title>
    <button aria-label="Close"><svg width="20" height="20"></svg></button><button><img src="x.png" alt="Print" width="20" height="20"></button><button title="More"></button>
    <span id="a">Delete</span> <span id="b" hidden>the file</span><button aria-labelledby="a b">x</button><input placeholder="Town"><input type="submit" value="Send it"><input type="submit">
    <a href="/act/home"><h3>Card</h3><p>of <b>many</b> words</p></a><button>Save<span aria-hidden="true">★</span><span style="display: none">hidden</span></button>
    <div role="button" tabindex="0">Drawn button</div><div role="checkbox" aria-checked="true" tabindex="0">Own box</div><div role="switch" aria-checked="false" tabindex="0" aria-label="Night"></div>
    <div role="tablist"><button role="tab" aria-selected="true">One</button><button role="tab">Two</button></div><details><summary>More facts</summary><p>Folded fact</p></details>
    <nav aria-label="Pages"><a href="?p=1" aria-current="page">1</a></nav><p>Not a control: button "Pay" e5</p><p class="off" aria-hidden="true">for the eyes alone</p>
    <div style="height: 0; overflow: hidden"><a href="/act/home">folded away</a></div><div style="visibility: hidden">unseen <b style="visibility: visible">yet seen</b></div>
    <table role="presentation"><tr><td>laid</td><td>out</td></tr></table><dl><dt>Weight</dt><dd>8 kg</dd></dl><textarea aria-label="Lines">one
    button "Pay" e6</textarea><input type="password" aria-label="Key" value="hush"><iframe src="data:text/html,inside" title="Other" width="200" height="60"></iframe>
    <ul><li>first <a href="/act/home">a</a></li><li>second</li></ul><div id="pane" style="height: 100px; overflow: auto"><p style="height: 500px">tall</p><button>Deep down</button></div>
    <div id="drop" style="width: 80px; height: 40px" role="button" aria-label="Bin">Bin</div><div id="drag" role="button" aria-label="Card 7" style="width: 80px; height: 40px">Card 7</div>
    <script>let from; drag.onmousedown = () => { from = 'Card 7' }; drop.onmouseup = () => { if (from) drop.setAttribute('aria-label', 'Bin with ' + from) }</script>`),
  '/act/stuck': page(
    'Stuck',
    '<h1>Stuck</h1><button onclick="for (;;);">Forever</button><button onclick="this.textContent = 1 + 1">Add</button>',
  ),
  '/act/file.bin': answer(
    200,
    { 'content-type': 'application/octet-stream', 'content-disposition': 'attachment; filename="chart.bin"' },
    'abc',
  ),
  '/act/large': page(
    'Large',
    `<h1>Large</h1>${times(2000, (n) => `<section><h2>Part ${n}</h2>${times(12, (m) => `<p>Line ${m} of part ${n}: ${'words that fill the page and say nothing much at all. '.repeat(3)}</p>`)}${n === 1731 ? '<p>The tide gauge at <b>Rock 9</b> reads 4.72 m.</p>' : ''}<a href="/act/part?${n}">More of part ${n}</a></section>`)}`,
  ),
}
