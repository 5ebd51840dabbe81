import { describe, expect, test } from 'vitest'
import type { PageAction } from '../../src/contracts/render-port.ts'
import { forAll, leftOpen, siteForAll } from '../helpers/for-all.ts'
import { until } from './programs/machine.ts'
import { readPdf } from './programs/pdf.ts'
import { type Rendering } from './programs/rendering.ts'
import { sharedRenderer } from './programs/shared.ts'

const site = siteForAll()
const browser = forAll(sharedRenderer, leftOpen)

const act = (path: string, actions: PageAction[], more: Parameters<Rendering['render']>[1] = {}) =>
  browser.render(site.url(path), { actions, ...more })
const click = (selector: string): PageAction => ({ type: 'click', selector, all: false })
const script = (text: string): PageAction => ({ type: 'executeJavascript', script: text })
const values = (page: Awaited<ReturnType<typeof act>>) => page.live.actions?.javascriptReturns.map(({ value }) => value)

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
  test('has the value of its last expression, or the returned one', async () => {
    const page = await act(
      '/plain',
      results.map(([text]) => script(text)),
    )
    expect(page.live.actions?.javascriptReturns).toEqual(results.map(([, type, value]) => ({ type, value })))
  })

  test('runs where the site forbids code made of text', async () => {
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

describe.concurrent('a step that fails', () => {
  test.each<[string, PageAction, string]>([
    ['a selector that is none', click('#['), 'The selector is not valid.'],
    [
      'a key that is none',
      { type: 'press', key: 'Nope' },
      'Unknown key; use a name such as Enter, Tab, ArrowDown or a single character.',
    ],
    [
      'a text for which there is no field',
      { type: 'write', text: 'ann' },
      'No element has the focus, so the text would go nowhere; click a field first.',
    ],
    ['a script that throws', script('throw new Error("secret of the page")'), 'The script threw an error.'],
    ['a script that is none', script('let let = ('), 'The script threw an error.'],
    ['a value that is no JSON', script('const a = {}; a.a = a; return a'), 'The script threw an error.'],
  ])('for %s is named with the reason, and earlier results are kept', async (_, action, reason) => {
    const error = await failing('/form', [script('1'), action, script('2')])
    expect(error).toMatchObject({
      code: 'SCRAPE_ACTION_ERROR',
      message: `actions[1] (${action.type}) failed: ${reason}`,
      details: { index: 1, type: action.type, reason, actions: { javascriptReturns: [{ type: 'number', value: 1 }] } },
    })
    expect(JSON.stringify([error, (error as Error).message])).not.toContain('secret')
  })

  test('because an element is missing has waited for it first', async () => {
    const missing = 'No element matches the selector.'
    const unseen = 'The element that matches the selector is not visible.'
    const wanted: [PageAction, string][] = [
      [click('#nowhere'), missing],
      [{ type: 'wait', selector: '#nowhere' }, missing],
      [{ type: 'scroll', direction: 'up', selector: '#nowhere' }, missing],
      [click('#hidden'), unseen],
      [click('#unseen'), unseen],
    ]
    const errors = await Promise.all(wanted.map(([action]) => failing('/form', [action])))
    expect(errors).toMatchObject(
      wanted.map(([, reason]) => ({ code: 'SCRAPE_ACTION_ERROR', details: { index: 0, reason } })),
    )
  })

  test('because the caller has left does nothing more', async () => {
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
