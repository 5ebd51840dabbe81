import { beforeEach, expect, test } from 'vitest'
import { serve } from '../helpers/listen.ts'
import { textOf } from './programs/rendering.ts'
import { sharedRenderer } from './programs/shared.ts'
import { forAll, leftOpen } from '../helpers/for-all.ts'

const page = `<!doctype html><title>Pictures</title><link rel="icon" href="/icon.ico">
<style>@font-face { font-family: F; src: url(/f.woff2) } body { font-family: F }</style>
<img id="a" src="/a.png" onerror="this.src='/stand-in.png'"><img id="b" src="/b.jpg?w=9"><img src="/picture/without-ending">
<video src="/film.mp4"></video><p>Text of a page with pictures.</p><script src="/s.js"></script>
<script>document.querySelector('#b').addEventListener('error', (event) => event.target.remove())</script>`

const requested: string[] = []
const site = forAll(() =>
  serve((request, answer) => {
    requested.push(request.url ?? '')
    if (request.url === '/s.js') return void answer.end(`document.body.append('and of its script')`)
    if (request.url !== '/') return void answer.writeHead(200, { 'content-type': 'image/png' }).end()
    answer.writeHead(200, { 'content-type': 'text/html' }).end(page)
  }),
)
const browser = forAll(sharedRenderer, leftOpen)
beforeEach(() => void requested.splice(0))

test('without a screenshot, images, fonts and media are not loaded, which the page does not notice', async () => {
  const html = textOf(await browser.render(site.origin))
  expect(html).toContain('and of its script')
  expect(html).toContain('src="/a.png"')
  expect(html).toContain('src="/b.jpg?w=9"')
  expect(requested.toSorted()).toEqual(['/', '/picture/without-ending', '/s.js'])
})

test('with a screenshot, everything is loaded', async () => {
  await browser.render(site.origin, { screenshot: { fullPage: false } })
  expect(requested).toEqual(expect.arrayContaining(['/', '/a.png', '/b.jpg?w=9', '/s.js', '/film.mp4', '/f.woff2']))
})
