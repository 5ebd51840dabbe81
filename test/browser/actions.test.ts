import { describe, expect, test } from 'vitest'
import type { PageAction } from '../../src/contracts/render-port.ts'
import { forAll, leftOpen, siteForAll } from '../helpers/for-all.ts'
import { enoughText, html } from '../helpers/site/route.ts'
import { until } from './programs/machine.ts'
import { readPdf } from './programs/pdf.ts'
import { click, type Rendering, script, textOf, values } from './programs/rendering.ts'
import { sharedRenderer } from './programs/shared.ts'

/** A button that records its clicks in the page; it may be in a shadow root or frame. */
const button = (id: string) =>
  `<button id="${id}" onclick="top.clicked.push('${id} ' + event.isTrusted)">press</button>`
const shadow = (content: string) => `<div><template shadowrootmode="open"><i>${content}</i></template></div>`
const inside = `<!doctype html><title>Inside</title>${enoughText}<script>var clicked = []</script>${button('own')}
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
  '/act/labelled': html(`<!doctype html><title>Labelled</title>${enoughText}
    <label><input type="checkbox" id="drawn" style="display: none"><b>Box</b></label>
    <div style="height: 5000px"></div><div id="end"></div><script>
    new IntersectionObserver(([{ isIntersecting }]) => isIntersecting && (end.title = 'reached')).observe(end)</script>`),
  '/act/inner': html(`<!doctype html><p>inner</p>${shadow(button('both'))}`),
}

const site = siteForAll({ routes })
const browser = forAll(sharedRenderer, leftOpen)

const act = (path: string, actions: PageAction[], more: Parameters<Rendering['render']>[1] = {}) =>
  browser.render(site.url(path), { actions, ...more })
const all = (selector: string): PageAction => ({ type: 'click', selector, all: true })
const logOf = script(`Array.from(document.querySelectorAll('#log li'), (each) => each.textContent)`)

describe.concurrent('a click', () => {
  test('by the mouse reaches elements in view, out of view, in a scrolling box, that appear late or under a fading cover', async () => {
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

  test('navigates, and the next action runs on the next page', async () => {
    const page = await act('/form', [click('#link'), script('document.title'), { type: 'scrape' }])
    expect(values(page)).toEqual(['Plain'])
    expect(page.live.actions?.scrapes).toMatchObject([
      { url: site.url('/plain'), html: expect.stringContaining('Plain page') },
    ])
    expect(page).toMatchObject({ url: site.url('/plain'), headers: { 'x-mark': 'plain' } })
  })

  test('on a link to a file leaves the page unchanged', async () => {
    const page = await act('/form', [click('#download'), script('document.title')])
    expect(values(page)).toEqual(['Form'])
    expect(page).toMatchObject({ url: site.url('/form'), status: 200 })
  })

  test('that opens a window continues on its page', async () => {
    const page = await act('/form', [click('#blank'), script('document.title')])
    expect(values(page)).toEqual(['Plain'])
    expect(page).toMatchObject({ url: site.url('/plain'), headers: { 'x-mark': 'plain' } })
  })

  test.each([
    ['#opener', 'Plain', 'opened by a script'],
    ['#search', 'Plain', 'opened by a GET form'],
    ['#order', 'Windows', 'not opened by a POST form'],
    ['#nothing', 'Windows', 'not opened by the page itself'],
  ])('on %s continues on %s (%s)', async (selector, title) => {
    expect(values(await act('/act/windows', [click(selector), script('document.title')]))).toEqual([title])
  })

  test.each([
    ['#deep', 'in shadow roots', 'deep true'],
    ['#framed', 'in a frame', 'framed true'],
    ['#both', 'in a shadow root of a frame in a frame', 'both true'],
  ])('reaches %s %s as a trusted event', async (selector, _, clicked) => {
    expect(values(await act('/act/inside', [click(selector), script('window.clicked')]))).toEqual([[clicked]])
  })

  test('reaches every match in frames, in document order, unless the page itself has a match', async () => {
    const page = await act('/act/inside', [all('button'), all('#own'), script('window.clicked')])
    expect(values(page)).toEqual([['own true', 'own true']])
    expect(values(await act('/act/inside', [all('i button, u button'), script('window.clicked')]))).toEqual([
      ['deep true', 'framed true', 'both true'],
    ])
  })

  test('on a hidden checkbox presses its label, and a scroll reaches an element without height', async () => {
    const page = await act('/act/labelled', [
      click('#drawn'),
      { type: 'scroll', direction: 'down', selector: '#end' },
      script('[drawn.checked, end.title]'),
    ])
    expect(values(page)).toEqual([[true, 'reached']])
  })

  test('follows a wait and a scroll for elements in frames', async () => {
    const page = await act('/act/inside', [
      { type: 'wait', selector: '#late-inside' },
      { type: 'scroll', direction: 'down', selector: '#list' },
      script(`frames[0].document.querySelector('#list').scrollTop > 0`),
    ])
    expect(values(page)).toEqual([true])
  })
})

describe.concurrent('a write', () => {
  const text = 'Grüße, 東京 👍🏽 "x" <b>\t1'
  test.each([
    ['#title', `document.querySelector('#title').value`, text.replace('\t', '')],
    ['#story', 'story.value', `${text.replace('\t', '')}\nnew line`],
    ['#note', 'note.innerText', text.replace('\t', '')],
  ])('fills %s', async (selector, read, written) => {
    expect(values(await act('/form', [click(selector), { type: 'write', text: written }, script(read)]))).toEqual([
      written,
    ])
  })

  test.each([
    ['an editable page', 'document.designMode = "on"'],
    ['an editable body', 'document.body.contentEditable = "true"'],
    ['a button', 'document.querySelector("button").focus()'],
    [
      'a field in a frame',
      'document.body.append(Object.assign(document.createElement("iframe"), { srcdoc: "<input autofocus>" })); await new Promise((r) => setTimeout(r, 300)); document.querySelector("iframe").contentDocument.querySelector("input").focus()',
    ],
    [
      'a field in a shadow root',
      'const host = document.body.appendChild(document.createElement("div")); host.attachShadow({ mode: "open" }).innerHTML = "<input>"; host.shadowRoot.firstChild.focus()',
    ],
  ])('succeeds if %s has the focus', async (_, focus) => {
    const page = await act('/plain', [
      script(`document.body.insertAdjacentHTML('beforeend', '<button>b</button>')`),
      script(focus),
      { type: 'write', text: 'x' },
      script('1'),
    ])
    expect(values(page)?.at(-1)).toBe(1)
  })

  test('presses a key for each character of a US keyboard', async () => {
    const page = await act('/form', [click('#title'), { type: 'write', text: 'a1é' }, logOf])
    expect(values(page)).toEqual([['key a', 'key 1']])
  })

  test('followed by Enter submits a form', async () => {
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

  test('is found by its common names', async () => {
    expect((await act('/form', ['enter', 'ESC', 'é', '+', 'Control++', 'F5'].map(press))).live.actions).toBeDefined()
  })
})

describe.concurrent('a scroll', () => {
  const down: PageAction = { type: 'scroll', direction: 'down' }
  test('moves the page by its window down and up', async () => {
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

test.concurrent('actions run in order, and their results have the same order', async () => {
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

describe.concurrent('a script', () => {
  const results: [text: string, type: string, value: unknown][] = [
    ['1 + 1', 'number', 2],
    ['// only this\ndocument.title // and that', 'string', 'Plain'],
    ['return "x"', 'string', 'x'],
    ['const x = [1, { a: null }]; return x;', 'array', [1, { a: null }]],
    ['await new Promise((done) => setTimeout(() => done(true), 50))', 'boolean', true],
    ['null', 'null', null],
    ['document.title = "x";', 'string', 'x'],
    ['10n', 'bigint', '10'],
    ['new Date(0)', 'object', '1970-01-01T00:00:00.000Z'],
    ['"é👍\\u2028"', 'string', 'é👍\u2028'],
  ]
  test('returns the value of its last expression or of its return statement', async () => {
    const page = await act(
      '/plain',
      results.map(([text]) => script(text)),
    )
    expect(page.live.actions?.javascriptReturns).toEqual(results.map(([, type, value]) => ({ type, value })))
  })

  test('runs on a site whose security policy forbids eval', async () => {
    expect(values(await act('/strict', [script('return document.title')]))).toEqual(['Strict'])
  })

  test('may navigate to another page', async () => {
    const page = await act('/plain', [
      script(`location.href = '/form'; await new Promise(() => {})`),
      script('document.title'),
    ])
    expect(values(page)).toEqual([null, 'Form'])
  })
})

const failing = async (path: string, actions: PageAction[], more: Parameters<Rendering['render']>[1] = {}) =>
  act(path, actions, more).then(
    () => undefined,
    (error: unknown) => error,
  )

describe.concurrent('an action that fails', () => {
  test.each<[string, PageAction, string]>([
    ['an invalid selector', click('#['), 'The selector is not valid.'],
    [
      'an unknown key',
      { type: 'press', key: 'Nope' },
      'Unknown key; use a name such as Enter, Tab, ArrowDown or a single character.',
    ],
    [
      'a text without a focused field',
      { type: 'write', text: 'ann' },
      'No element has the focus, so the text would go nowhere; click a field first.',
    ],
    ['a script that throws', script('throw new Error("secret of the page")'), 'The script threw an error.'],
    ['an invalid script', script('let let = ('), 'The script threw an error.'],
    ['a value that cannot be JSON', script('const a = {}; a.a = a; return a'), 'The script threw an error.'],
  ])('because of %s is reported with the reason and the earlier results', async (_, action, reason) => {
    const error = await failing('/form', [script('1'), action, script('2')])
    expect(error).toMatchObject({
      code: 'SCRAPE_ACTION_ERROR',
      message: `actions[1] (${action.type}) failed: ${reason}`,
      details: { index: 1, type: action.type, reason, actions: { javascriptReturns: [{ type: 'number', value: 1 }] } },
    })
    expect(JSON.stringify([error, (error as Error).message])).not.toContain('secret')
  })

  test('because of a missing or hidden element is reported with that reason', async () => {
    const missing = 'No element matches the selector.'
    const invisible = 'The element that matches the selector is not visible.'
    const wanted: [PageAction, string][] = [
      [click('#nowhere'), missing],
      [{ type: 'wait', selector: '#nowhere' }, missing],
      [{ type: 'scroll', direction: 'up', selector: '#nowhere' }, missing],
      [click('#hidden'), invisible],
      [click('#unseen'), invisible],
    ]
    const errors = await Promise.all(wanted.map(([action]) => failing('/form', [action])))
    expect(errors).toMatchObject(
      wanted.map(([, reason]) => ({ code: 'SCRAPE_ACTION_ERROR', details: { index: 0, reason } })),
    )
  })

  test('because the caller has aborted is the last one', async () => {
    const abort = new AbortController()
    const actions = [
      script(`await fetch('/seen/knock')`),
      { type: 'wait', milliseconds: 2000 },
      script(`fetch('/seen/never')`),
    ]
    const failed = failing('/plain', actions as PageAction[], { signal: abort.signal })
    await until(() => site.requests.some(({ url }) => url === '/seen/knock'))
    abort.abort(new Error('gone'))
    expect(await failed).toMatchObject({ message: 'gone' })
    await act('/plain', [{ type: 'wait', milliseconds: 2500 }])
    expect(site.requests.map(({ url }) => url)).not.toContain('/seen/never')
  })
})

describe.concurrent('a PDF', () => {
  const sizes = [
    ['A4', false, [595, 842]],
    ['A4', true, [842, 595]],
    ['Letter', false, [612, 792]],
    ['A0', false, [2384, 3370]],
    ['A6', false, [298, 420]],
    ['Ledger', false, [1224, 792]],
  ] as const
  test('has the size of its format, and the text of the page', async () => {
    const page = await act(
      '/plain',
      sizes.map(([format, landscape]) => ({ type: 'pdf', format, landscape, scale: 1 })),
    )
    for (const [nth, [format, , size]] of sizes.entries()) {
      const pdf = await readPdf(page.live.actions?.pdfs[nth] ?? '')
      expect(
        pdf.size.map((points, at) => Math.abs(points - size[at]!) <= 1),
        format,
      ).toEqual([true, true])
      expect(pdf.text).toContain('Plain page')
    }
  })
})
