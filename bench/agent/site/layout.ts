/** Navigation around the content of every page, about as much as a small shop has. */
const menu = ['Boats', 'Sails', 'Engines', 'Safety', 'Charts', 'Clothing', 'Winter storage', 'Sale']
const topics = ['Opening hours', 'Delivery', 'Returns', 'Workshop', 'Moorings', 'Weather station']
const legal = ['Imprint', 'Privacy', 'Terms', 'Contact', 'Press', 'Careers']

const addressOf = (name: string) => `/${name.toLowerCase().replaceAll(' ', '-')}`
const links = (names: readonly string[]) =>
  names.map((name) => `<li><a href="${addressOf(name)}">${name}</a></li>`).join('')

export const page = (title: string, main: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title} · Quay Street Chandlers</title><link rel="icon" href="data:,">
<style>body{font:16px/1.5 sans-serif;margin:0}header,footer{background:#eef;padding:8px 24px}nav ul,footer ul{display:flex;gap:16px;list-style:none;padding:0}
main{float:left;width:68%;padding:0 24px}aside{float:right;width:22%}footer{clear:both}label{display:block;margin:6px 0}td,th{padding:2px 10px}pre{background:#f4f4f4;padding:8px}</style></head>
<body><header><a href="/">Quay Street Chandlers</a><nav aria-label="Main"><ul>${links(menu)}</ul></nav><a href="/basket">Basket (0)</a></header>
<main>${main}</main><aside><h2>Good to know</h2><ul>${links(topics)}</ul><p>Call us on weekdays from 9 to 17: 0431 555 01.</p></aside>
<footer><ul>${links(legal)}</ul><p>© Quay Street Chandlers, 12 Quay Street. All prices with tax.</p></footer></body></html>
`

/** A document without the frame, such as one in an iframe. */
export const bare = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title></head><body>${body}</body></html>\n`

export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

export const times = (count: number, make: (number: number) => string): string =>
  Array.from({ length: count }, (_, index) => make(index + 1)).join('')
