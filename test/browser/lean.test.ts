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

const asked: string[] = []
const site = forAll(() =>
  serve((request, answer) => {
    asked.push(request.url ?? '')
    if (request.url === '/s.js') return void answer.end(`document.body.append('and of its script')`)
    if (request.url !== '/') return void answer.writeHead(200, { 'content-type': 'image/png' }).end()
    answer.writeHead(200, { 'content-type': 'text/html' }).end(page)
  }),
)
const browser = forAll(sharedRenderer, leftOpen)
beforeEach(() => void asked.splice(0))

test('without a viewer, pictures, fonts and media are not loaded, unnoticed by the page', async () => {
  const html = textOf(await browser.render(site.origin))
  expect(html).toContain('and of its script')
  expect(html).toContain('src="/a.png"')
  expect(html).toContain('src="/b.jpg?w=9"')
  expect(asked.toSorted()).toEqual(['/', '/picture/without-ending', '/s.js'])
})

test('with a viewer, everything is loaded', async () => {
  await browser.render(site.origin, { screenshot: { fullPage: false } })
  expect(asked).toEqual(expect.arrayContaining(['/', '/a.png', '/b.jpg?w=9', '/s.js', '/film.mp4', '/f.woff2']))
})
