import { describe, expect, test } from 'vitest'
import type { PageAction } from '../../src/contracts/render-port.ts'
import { forAll, leftOpen, siteForAll } from '../helpers/for-all.ts'
import { enoughText, html } from '../helpers/site/route.ts'
import { type Rendering, textOf } from './programs/rendering.ts'
import { sharedRenderer } from './programs/shared.ts'

/** Buttons in shadow roots and frames, which tell the page of their clicks. */
const button = (id: string) => `<button id="${id}" onclick="top.told.push('${id} ' + event.isTrusted)">press</button>`
const shadow = (content: string) => `<div><template shadowrootmode="open"><i>${content}</i></template></div>`
const inside = `<!doctype html><title>Inside</title>${enoughText}<script>var told = []</script>${button('own')}
  ${shadow(shadow(button('deep')))}<div style="height: 1500px"></div>
  <iframe src="/act/frame" style="width: 600px; height: 500px; margin: 30px; border: 7px solid; padding: 11px"></iframe>`
const windows = `<!doctype html><title>Windows</title>${enoughText}<button id="opener" onclick="setTimeout(() => open('/plain', '', 'noopener'), 50)">a</button>
  <form target="_blank" action="/plain"><button id="search">b</button></form>
  <form target="_blank" action="/plain" method="post"><button id="order">c</button></form>
  <button id="nothing">d</button><script>setInterval(() => open('/elsewhere'), 20)</script>`
const routes = {
  '/act/inside': html(inside),
  '/act/windows': html(windows),
  '/act/frame': html(`<!doctype html><u>${button('framed')}</u><div style="height: 700px"></div>
    <div id="list" style="height: 50px; overflow: auto"><p style="height: 500px">long</p></div>
    <iframe src="/act/inner" width="300" height="200"></iframe>
    <script>setTimeout(() => document.body.append(Object.assign(document.createElement('p'), { id: 'late-inside', textContent: 'late' })), 700)</script>`),
  '/act/inner': html(`<!doctype html><p>inner</p>${shadow(button('both'))}`),
}

const site = siteForAll({ routes })
const browser = forAll(sharedRenderer, leftOpen)

const act = (path: string, actions: PageAction[], more: Parameters<Rendering['render']>[1] = {}) =>
  browser.render(site.url(path), { actions, ...more })
const all = (selector: string): PageAction => ({ type: 'click', selector, all: true })
const click = (selector: string): PageAction => ({ type: 'click', selector, all: false })
const script = (text: string): PageAction => ({ type: 'executeJavascript', script: text })
const values = (page: Awaited<ReturnType<typeof act>>) => page.live.actions?.javascriptReturns.map(({ value }) => value)
const logOf = script(`Array.from(document.querySelectorAll('#log li'), (each) => each.textContent)`)

describe.concurrent('a click', () => {
  test('as of a hand reaches what is in view, far below, inside of what scrolls, comes late or under a cover that fades', async () => {
    const ids = ['fading', 'late', 'go', 'far', 'inside']
    const page = await act('/form', [...ids.map((id) => click(`#${id}`)), logOf])
    expect(values(page)).toEqual([ids.map((id) => `click ${id} true`)])
  })

  test('reaches an element that stays covered', async () => {
    expect(values(await act('/form', [click('#covered'), logOf]))).toEqual([['click covered false']])
  })

  test('reaches every match, although each click removes one', async () => {
    const page = await act('/form', [{ type: 'click', selector: '.each', all: true }, logOf])
    expect(values(page)).toEqual([['click 1 true', 'click 2 true', 'click 3 true']])
  })

  test('navigates, and the next step acts on the next page', async () => {
    const page = await act('/form', [click('#link'), script('document.title'), { type: 'scrape' }])
    expect(values(page)).toEqual(['Plain'])
    expect(page.live.actions?.scrapes).toMatchObject([
      { url: site.url('/plain'), html: expect.stringContaining('Plain page') },
    ])
    expect(page).toMatchObject({ url: site.url('/plain'), headers: { 'x-mark': 'plain' } })
  })

  test('on a file changes nothing', async () => {
    const page = await act('/form', [click('#download'), script('document.title')])
    expect(values(page)).toEqual(['Form'])
    expect(page).toMatchObject({ url: site.url('/form'), status: 200 })
  })

  test('that opens a window continues in it', async () => {
    const page = await act('/form', [click('#blank'), script('document.title')])
    expect(values(page)).toEqual(['Plain'])
    expect(page).toMatchObject({ url: site.url('/plain'), headers: { 'x-mark': 'plain' } })
  })

  test.each([
    ['#opener', 'Plain', 'a script'],
    ['#search', 'Plain', 'a form'],
    ['#order', 'Windows', 'no form that orders something'],
    ['#nothing', 'Windows', 'no window that opens by itself'],
  ])('on %s continues to %s: by %s', async (selector, title) => {
    expect(values(await act('/act/windows', [click(selector), script('document.title')]))).toEqual([title])
  })

  test.each([
    ['#deep', 'in shadow roots', 'deep true'],
    ['#framed', 'in a frame', 'framed true'],
    ['#both', 'in a shadow root of a frame in a frame', 'both true'],
  ])("reaches %s %s, like a person's", async (selector, _, told) => {
    expect(values(await act('/act/inside', [click(selector), script('window.told')]))).toEqual([[told]])
  })

  test('reaches every match in frames in document order, but none there if the page itself has one', async () => {
    const page = await act('/act/inside', [all('button'), all('#own'), script('window.told')])
    expect(values(page)).toEqual([['own true', 'own true']])
    expect(values(await act('/act/inside', [all('i button, u button'), script('window.told')]))).toEqual([
      ['deep true', 'framed true', 'both true'],
    ])
  })

  test('waits for and scrolls to elements in frames', async () => {
    const page = await act('/act/inside', [
      { type: 'wait', selector: '#late-inside' },
      { type: 'scroll', direction: 'down', selector: '#list' },
      script(`frames[0].document.querySelector('#list').scrollTop > 0`),
    ])
    expect(values(page)).toEqual([true])
  })
})

describe.concurrent('writing', () => {
  const text = 'Grüße, 東京 👍🏽 "x" <b>\t1'
  test.each([
    ['#title', `document.querySelector('#title').value`, 'an input', text.replace('\t', '')],
    ['#story', 'story.value', 'a text area', `${text.replace('\t', '')}\nnew line`],
    ['#note', 'note.innerText', 'what can be edited', text.replace('\t', '')],
  ])('fills %s', async (selector, read, _, written) => {
    expect(values(await act('/form', [click(selector), { type: 'write', text: written }, script(read)]))).toEqual([
      written,
    ])
  })

  test.each([
    ['a page that can be edited as a whole', 'document.designMode = "on"'],
    ['a body that can be edited', 'document.body.contentEditable = "true"'],
    ['a button', 'document.querySelector("button").focus()'],
    [
      'a field in a frame',
      'document.body.append(Object.assign(document.createElement("iframe"), { srcdoc: "<input autofocus>" })); await new Promise((r) => setTimeout(r, 300)); document.querySelector("iframe").contentDocument.querySelector("input").focus()',
    ],
    [
      'a field in a shadow root',
      'const host = document.body.appendChild(document.createElement("div")); host.attachShadow({ mode: "open" }).innerHTML = "<input>"; host.shadowRoot.firstChild.focus()',
    ],
  ])('needs only %s with the focus', async (_, focus) => {
    const page = await act('/plain', [
      script(`document.body.insertAdjacentHTML('beforeend', '<button>b</button>')`),
      script(focus),
      { type: 'write', text: 'x' },
      script('1'),
    ])
    expect(values(page)?.at(-1)).toBe(1)
  })

  test('presses keys', async () => {
    const page = await act('/form', [click('#title'), { type: 'write', text: 'a1é' }, logOf])
    expect(values(page)).toEqual([['key a', 'key 1']])
  })

  test('and submitting logs in', async () => {
    const page = await act('/login', [click('input'), { type: 'write', text: 'ann' }, { type: 'press', key: 'Enter' }])
    expect(textOf(page)).toContain('Hello, Ann.')
    expect(page.url).toBe(site.url('/login'))
  })
})

const press = (key: string): PageAction => ({ type: 'press', key })

describe.concurrent('a key', () => {
  test.each([
    ['Control+A', 'Backspace', 'x', 'x'],
    ['Home', 'Delete', 'x', 'xbc'],
    ['ArrowLeft', 'Shift+z', 'x', 'abZxc'],
    ['End', ' ', 'x', 'abc x'],
  ])('%s, then %s', async (first, second, text, result) => {
    const page = await act('/form', [
      click('#title'),
      { type: 'write', text: 'abc' },
      press(first),
      press(second),
      { type: 'write', text },
      script(`document.querySelector('#title').value`),
    ])
    expect(values(page)).toEqual([result])
  })

  test('is known by its usual names', async () => {
    expect((await act('/form', ['enter', 'ESC', 'é', '+', 'Control++', 'F5'].map(press))).live.actions).toBeDefined()
  })
})

describe.concurrent('scrolling', () => {
  const down: PageAction = { type: 'scroll', direction: 'down' }
  test('moves a window down and back up', async () => {
    const page = await act('/tall', [down, down, script('scrollY'), { ...down, direction: 'up' }, script('scrollY')])
    expect(values(page)).toEqual([1600, 800])
  })

  test('moves the content of an element', async () => {
    const page = await act('/form', [
      { ...down, selector: '#pane' },
      script('pane.scrollTop'),
      { ...down, selector: '#far' },
      script('scrollY > 1000'),
    ])
    expect(values(page)).toEqual([100, true])
  })
})

test.concurrent('steps run in order, and so do their results', async () => {
  const shot: PageAction = { type: 'screenshot', fullPage: false }
  const page = await act('/form', [
    script('1'),
    shot,
    { type: 'scrape' },
    script('document.body.replaceChildren("gone"); return 2'),
    { type: 'scrape' },
    shot,
  ])
  const { screenshots, scrapes } = page.live.actions ?? {}
  expect(values(page)).toEqual([1, 2])
  expect(screenshots).toHaveLength(2)
  expect(screenshots?.[0]).not.toBe(screenshots?.[1])
  expect(scrapes?.map((scrape) => scrape.html.includes('gone'))).toEqual([true, true].map((_, at) => at === 1))
})
