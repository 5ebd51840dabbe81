import { createProse } from '../../lib/prose.ts'
import { alarmTest, code, entries, gauge, goods, members, orders, premium } from '../facts.ts'
import { bare, escaped, page, times } from './layout.ts'

export const loginPage = (complaint = ''): string =>
  page(
    'Log in',
    `<h1>Log in</h1>${complaint && `<p role="alert">${complaint}</p>`}<form method="post" action="/login"><label>User name <input name="user"></label>
<label>Password <input name="password" type="password"></label><label><input type="checkbox" name="stay"> Stay logged in</label><button>Log in</button></form><p><a href="/forgotten">Forgotten your password?</a></p>`,
  )

export const ordersPage = (): string =>
  page(
    'Your orders',
    `<h1>Your orders</h1><p>Hello Ann, these are your orders.</p><table><thead><tr><th>Order</th><th>Goods</th><th>Total</th><th>State</th><th></th></tr></thead><tbody>
${orders.map(({ id, goods: what, total, state }) => `<tr><td>${id}</td><td>${what}</td><td>${total}</td><td>${state}</td><td><a href="/orders/${id}">Details</a></td></tr>`).join('\n')}</tbody></table>`,
  )

/** The goods arrive from `/goods`, a while after the search. */
export const shopPage = (): string =>
  page(
    'Shop',
    `<h1>Find what your boat needs</h1><form role="search" id="search"><input type="search" name="q" placeholder="Search for goods" aria-label="Search for goods"><button>Search</button></form><div id="found"></div>
<script>search.onsubmit = async (event) => { event.preventDefault(); found.innerHTML = '<p>Searching …</p>'
const all = await (await fetch('/goods?q=' + encodeURIComponent(search.q.value))).json()
found.innerHTML = '<h2>' + all.length + ' results</h2><ul>' + all.map(([name, price]) => '<li><a href="/item">' + name + '</a> <b>' + price.toFixed(2) + ' €</b> <span>in stock</span> <button>Add to basket</button></li>').join('') + '</ul>' }</script>`,
  )

export const goodsLike = (words: string): (typeof goods)[number][] => {
  const sought = words.toLowerCase().split(/\s+/)
  return goods.filter(([name]) => sought.every((word) => name.toLowerCase().includes(word)))
}

const pageLink = (to: number, name: string) => `<a href="/members?page=${to}">${name}</a>`
const pageSize = 10
const lastPage = members.length / pageSize

export function membersPage(number: number): string {
  const rows = members
    .slice((number - 1) * pageSize, number * pageSize)
    .map(
      (member) =>
        `<tr><td>${member.number}</td><td><a href="/members/${member.number}">${member.name}</a></td><td>${member.since}</td></tr>`,
    )
  const pages = times(lastPage, (to) =>
    to === number ? `<b aria-current="page">${to}</b> ` : `${pageLink(to, `${to}`)} `,
  )
  const ends = [number > 1 && pageLink(number - 1, 'Previous'), number < lastPage && pageLink(number + 1, 'Next')]
  return page(
    'Members',
    `<h1>Members of the club</h1><p>Page ${number} of ${lastPage}</p><table><thead><tr><th>No.</th><th>Name</th><th>Since</th></tr></thead><tbody>${rows.join('')}</tbody></table>
<nav aria-label="Pages">${pages}${ends.filter(Boolean).join(' ')}</nav>`,
  )
}

/** Loads twenty more entries a while after its end is reached. */
export const logPage = (): string =>
  page(
    'Log book',
    `<h1>Log book of the harbour</h1><div id="entries"></div><p id="more">Loading …</p><script>const all = ${JSON.stringify(entries)}; let shown = 0
const add = () => { for (const entry of all.slice(shown, shown += 20)) { const line = document.createElement('article'); line.style = 'padding: 18px; border-bottom: 1px solid #ccc'; line.textContent = entry; entries.append(line) }
if (shown >= all.length) more.remove() }
new IntersectionObserver(([{ isIntersecting }]) => isIntersecting && shown < all.length && setTimeout(add, 150)).observe(more); add()</script>`,
  )

export const insurancePage = (): string =>
  page(
    'Insurance',
    '<h1>Insure your boat</h1><p>Three short steps to your offer.</p><iframe title="Questions" src="/insurance/1" style="width: 100%; height: 320px"></iframe>',
  )

export const firstStep = (): string =>
  bare(
    'Boat',
    `<p>Step 1 of 3</p><form action="/insurance/2"><label>Length in metres <input name="length" type="number"></label> <label>Kind <select name="kind"><option>Motor boat</option><option>Sailing boat</option></select></label> <button>Next</button></form>`,
  )

export const secondStep = (given: URLSearchParams): string =>
  bare(
    'Start',
    `<p>Step 2 of 3</p><form action="/insurance/3">${times(2, (at) => `<input type="hidden" name="${at === 1 ? 'length' : 'kind'}" value="${escaped(given.get(at === 1 ? 'length' : 'kind') ?? '')}">`)}<label>First day <input name="start" type="date"></label> <button>Next</button></form>`,
  )

export const thirdStep = (given: URLSearchParams): string =>
  bare(
    'Offer',
    `<p>Step 3 of 3</p><p>Your offer is ready.</p><a href="/insurance/offer?${escaped(String(given))}" target="_blank">See the offer</a>`,
  )

export function offerPage(given: URLSearchParams): string {
  const [length, kind, start] = ['length', 'kind', 'start'].map((name) => given.get(name) ?? '') as [
    string,
    string,
    string,
  ]
  return page(
    'Your offer',
    `<h1>Your offer</h1><p>For a ${escaped(kind.toLowerCase())} of ${Number(length)} m from ${escaped(start)}: <b>${premium({ length: Number(length), kind, start })} €</b> a year.</p><button>Accept</button>`,
  )
}

const sections = [
  'Antennas',
  'Channels',
  'Squelch',
  'Distress calls',
  'Batteries',
  'Licences',
  'Logging',
  'Weather reports',
]

const block = (text: string) => `<pre><code>${escaped(text)}</code></pre>`

/** A page of a handbook, of some 40 kB. */
export function handbookPage(): string {
  const prose = createProse(7)
  const section = (title: string) =>
    `<h2 id="${title.toLowerCase()}">${title}</h2>${times(9, () => `<p>${prose.paragraph()}</p>`)}${title === 'Squelch' ? `<h3>Set the squelch</h3>${block(code)}` : block(`radio show ${title.toLowerCase()}\nradio help`)}<p>${prose.paragraph()}</p>`
  return page('Handbook of the radio', `<h1>Handbook of the radio</h1>${sections.map(section).join('')}`)
}

const chapters =
  'Anchors Antifouling Batteries Bilge Bollards Compass Cranes Deck Engine Fenders Flags Fuel Galley Heating Hull Lights Masts Mooring Pumps Radar Rigging Sails Stores Tides Winches'.split(
    ' ',
  )
const chapterPath = (title: string) => `/docs/${title.toLowerCase()}`

/** The start of 26 pages of docs. */
export const docsPage = (): string =>
  page(
    'Docs',
    `<h1>Docs of the harbour</h1><ul>${chapters.map((title) => `<li><a href="${chapterPath(title)}">${title}</a></li>`).join('')}</ul>`,
  )

/** The other 25 pages by path. One of them states when the alarm is tested; its title does not suggest that. */
export const chapterPages: ReadonlyMap<string, string> = new Map(
  chapters.map((title, index) => {
    const prose = createProse(100 + index)
    const fact = title === 'Pumps' ? `<p>The bilge alarm is tested ${alarmTest}, and logged.</p>` : ''
    const text = `<h1>${title}</h1><p>${prose.paragraph()}</p><h2>Care</h2><p>${prose.paragraph()}</p>${fact}<p>${prose.paragraph()}</p>`
    return [chapterPath(title), page(title, text)]
  }),
)

/** A page of ten million characters. */
export function almanacPage(): string {
  const prose = createProse(8)
  const filler = Array.from({ length: 40 }, () =>
    [prose.paragraph(), prose.paragraph()].join(' ').replaceAll(/<.*?>/g, ''),
  )
  const part = (number: number) =>
    `<section><h2>Station ${number}</h2>${times(8, (line) => `<p>${filler[(number * 7 + line * 3) % filler.length]}</p>`)}${number === 1231 ? `<p>The tide gauge at Rock 9 reads <b>${gauge}</b> at spring tide.</p>` : ''}</section>`
  const size = part(1).length
  return page('Almanac', `<h1>Almanac</h1>${times(Math.ceil(10_000_000 / size), part)}`)
}
