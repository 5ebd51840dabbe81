import { createProse, type Prose } from '../lib/prose.ts'

/** Words that a page contains once each; the server never sends those of a script-rendered page as text. */
export const markersOf = (path: string): string[] => {
  const name = path.replaceAll('/', '')
  return ['start', 'middle', 'end'].map((place) => `${place}qua${name}`)
}

/** Three of four pages are written by the server and one by a script. */
export const pathOf = (at: number): string => `/${at % 4 === 3 ? 'script' : 'static'}/${at}`
export const isScripted = (path: string): boolean => path.startsWith('/script/')

const pageBytes = 60_000
const pictures = 20

/** A page of 60 kB with a style sheet, a font and twenty pictures. */
export function staticPage(path: string): string {
  const prose = createProse(seedOf(path))
  return document(prose, '', `<main id="app">${contentOf(prose, path)}</main>`)
}

/** An empty page whose script fetches its content as JSON and inserts it. */
export function scriptedPage(path: string): string {
  const prose = createProse(seedOf(path))
  return document(prose, '<script type="module" src="/app.js"></script>', '<main id="app"></main>')
}

/** Data requested by the script of such a page, at `/data` plus the path of the page. */
export function dataOf(path: string): string {
  const pagePath = path.slice('/data'.length)
  return JSON.stringify({ html: contentOf(createProse(seedOf(pagePath)), pagePath) })
}

export const appScript = `const answer = await fetch('/data' + location.pathname)
const { html } = await answer.json()
document.getElementById('app').innerHTML = html
`

const seedOf = (path: string) => Number(/\d+/.exec(path)?.[0] ?? 0) + 1

function contentOf(prose: Prose, path: string): string {
  const [start = '', middle = '', end = ''] = markersOf(path)
  const half = () => filler(prose, pageBytes / 2)
  return `<h1>${prose.heading()}</h1><p>It opens with ${start}.</p>${half()}<p>Then comes ${middle}.</p>${half()}<p>It closes with <span id="done">${end}</span>.</p>`
}

function filler(prose: Prose, bytes: number): string {
  let text = ''
  for (let at = 0; text.length < bytes; at++)
    text += `${at % 6 === 0 ? picture(prose) : ''}<p>${prose.paragraph()}</p>\n`
  return text
}

const picture = (prose: Prose) =>
  `<h2>${prose.heading()}</h2><img src="/picture/${prose.pick(pictures)}.png" width="64" height="64" alt="">`

function document(prose: Prose, head: string, body: string): string {
  const menu = Array.from({ length: 12 }, () => `<li><a href="/static/${prose.pick(999)}">${prose.words(2)}</a></li>`)
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${prose.heading()}</title>
<link rel="stylesheet" href="/site.css">${head}</head><body><nav><ul>${menu.join('')}</ul></nav>${body}
<footer>${Array.from({ length: pictures }, (_, at) => `<img src="/picture/${at}.png" width="16" height="16" alt="">`).join('')}</footer></body></html>`
}
