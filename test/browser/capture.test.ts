import { describe, expect, test } from 'vitest'
import { html, type Route } from '../helpers/site/route.ts'
import { forAll, leftOpen, siteForAll } from '../helpers/for-all.ts'
import { textOf } from './programs/rendering.ts'
import { sharedRenderer } from './programs/shared.ts'

const nested: Route = ({ url, response }) => {
  const [next, ...rest] = (url.searchParams.get('hosts') ?? '').split(',')
  const level = url.searchParams.get('level')
  const inner = `<iframe width="500" height="300" src="http://${next}/capture/nested?level=${next?.charAt(0)}&hosts=${rest.join(',')}"></iframe>`
  const frame =
    level === 'a'
      ? `<div></div><script>document.querySelector('div').attachShadow({ mode: 'open' }).innerHTML = ${JSON.stringify(inner)}</script>`
      : inner
  response.writeHead(200, { 'content-type': 'text/html' }).end(`<p>Level ${level} of it</p>${next ? frame : ''}`)
}
const frame = (src: string) => `<iframe width="300" height="200" src="${src}"></iframe>`
const oddFrames: Route = ({ url, response }) => {
  const other = url.searchParams.get('other') ?? ''
  const inner = ['/hostile/endless-script', '/capture/player'].map((path) => frame(other + path)).join('')
  response.writeHead(200, { 'content-type': 'text/html' }).end(`<title>Odd</title><p>Around odd frames.</p>${inner}
    ${frame('http://127.0.0.1:1/')}<iframe width="300" height="200" sandbox srcdoc="<p>In a sandbox.</p>"></iframe>`)
}
const frameset = html(
  '<title>F</title><frameset cols="20%,80%"><frame src="/capture/menu"><frameset><frame src="/capture/text"></frameset><noframes>No frames</noframes></frameset>',
)
const routes = {
  '/capture/frameset': frameset,
  '/capture/menu': html('<a href="next">Next</a><img srcset="a.png, b.png 2x,c.png 3x">'),
  '/capture/text': html('<p>Text of a frame</p>'),
  '/capture/nested': nested,
  '/capture/odd-frames': oddFrames,
  '/capture/player': html(
    '<video style="position: absolute; inset: 0; width: 100%; height: 100%"></video><p>Controls of a player</p>',
  ),
}

const site = siteForAll({ routes })
const browser = forAll(sharedRenderer, leftOpen)

const htmlOf = async (path: string) => textOf(await browser.render(site.url(path)))

describe.concurrent('a page is captured', () => {
  test('with the content of its shadow roots, in display order', async () => {
    const text = await htmlOf('/shadow')
    expect(text).toContain('<p>Card of <b>Ann</b>, <i slot="note">of old</i>.nothing else</p>')
    expect(text).toContain('<template id="t"><p>kept</p></template>')
    expect(text).toContain('<div>from a closed root</div>')
  })

  test('with its frames, whose links become absolute', async () => {
    const text = await htmlOf(`/frames?other=http://other.test:${site.port}`)
    expect(text).toContain('Inside the same frame.')
    expect(text).toContain('<i>deep</i>')
    expect(text).toContain(`href="${site.url('/frame/next')}"`)
    expect(text).toContain('Written in place.')
  })

  test('with the documents of a frameset as its body', async () => {
    const text = await htmlOf('/capture/frameset')
    expect(text).toContain(`<body><div><a href="${site.url('/capture/next')}">Next</a>`)
    const [a, b, c] = ['a', 'b', 'c'].map((name) => site.url(`/capture/${name}.png`))
    expect(text).toContain(`srcset="${a}, ${b} 2x,${c} 3x"`)
    expect(text).toContain('<p>Text of a frame</p>')
    expect(text).not.toMatch(/frameset|No frames/)
  })

  test('with visible frames of other sites, whose links become absolute', async () => {
    const other = `http://other.test:${site.port}`
    const text = await htmlOf(`/frames?other=${other}`)
    expect(text).toMatch(/<iframe src="[^"]*of=other"[^>]*><\/iframe><div><p><i>deep<\/i> Inside the other frame/)
    expect(text).toContain(`href="${other}/frame/next"`)
    expect(text).not.toContain('Inside the pixel frame.')
  })

  test('with nested frames of other sites, including in shadow roots, two levels deep', async () => {
    const hosts = ['a', 'b', 'c', 'd'].map((name) => `${name}.other.test:${site.port}`).join(',')
    const text = await htmlOf(`/capture/nested?level=top&hosts=${hosts}`)
    const levels = [...text.matchAll(/Level (\w+) of/g)].map(([, level]) => level)
    expect(levels).toEqual(['top', 'a', 'b'])
    expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f-]{27}-\d/)
  })

  test('without frames that never answer, contain a player or show an error', async () => {
    const text = await htmlOf(`/capture/odd-frames?other=http://other.test:${site.port}`)
    expect(text).toContain('Around odd frames.')
    expect(text).toContain('In a sandbox.')
    expect(text).not.toContain('Controls of a player')
    expect(text).not.toMatch(/refused to connect|ERR_/)
  })

  test.each([
    ['a meta refresh', '/meta-refresh'],
    ['a redirect by a script', '/js-redirect'],
    ['a late redirect by a script', '/late-redirect'],
    ['a chain of redirects', '/chain'],
  ])('at the end of %s', async (_, path) => {
    const page = await browser.render(site.url(path))
    expect(page).toMatchObject({ url: site.url('/plain'), status: 200, headers: { 'x-mark': 'plain' } })
    expect(textOf(page)).toContain('Plain page')
  })

  test('with the URL set by pushState', async () => {
    expect(await browser.render(site.url('/push-state'))).toMatchObject({ url: site.url('/pushed?x=1'), status: 200 })
  })

  test.each([404, 410, 500, 503])('with status %i', async (status) => {
    expect(await browser.render(site.url(`/status/${status}`))).toMatchObject({
      status,
      url: site.url(`/status/${status}`),
    })
  })

  test('after its dialogs have been accepted', async () => expect(await htmlOf('/dialogs')).toContain('[true,"Ann"]'))

  test('with the response of a service worker', async () => {
    expect(await htmlOf('/worker')).toContain('The service worker answered.')
  })

  test('up to the limit, with a warning', async () => {
    const page = await browser.render(site.url('/plain'), { maxBytes: 60 })
    expect(page.body).toHaveLength(60)
    expect(page.warning).toBe('The page is too large and was cut at the size limit.')
  })

  test('in UTF-8', async () => {
    const { headers } = await browser.render(site.url('/plain'))
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(headers).not.toHaveProperty('content-length')
  })
})

describe.concurrent('the URL of a file', () => {
  test.each([
    ['/file.zip', 'PK of a zip'],
    ['/attached', '<p>saved'],
    ['/file.json', '{"a":1}'],
    ['/file.pdf', '%PDF-1.4 of no pages'],
    ['/no-content', ''],
  ])('(%s) returns the file', async (path, body) => {
    const page = await browser.render(site.url(path))
    expect(textOf(page)).toBe(body)
    expect(page.url).toBe(site.url(path))
    expect(page.warning).toBeUndefined()
  })

  test('that the browser can display returns a screenshot too', async () => {
    const page = await browser.render(site.url('/file.json'), { screenshot: { fullPage: false } })
    expect(textOf(page)).toBe('{"a":1}')
    expect(page.live.screenshot).toMatch(/^data:image\/png;base64,/)
  })

  test('that the browser cannot display explains the missing screenshot', async () => {
    const page = await browser.render(site.url('/file.zip'), { screenshot: { fullPage: false } })
    expect(page.live).toEqual({})
    expect(page.warning).toMatch('leads to a file')
  })
})
