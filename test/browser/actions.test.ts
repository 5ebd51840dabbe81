import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PageAction } from '../../src/core/render.ts'
import { startSite, type Site } from '../helpers/site.ts'
import { openRenderer, type Rendering, textOf } from './programs/rendering.ts'

let site: Site
let browser: Rendering
beforeAll(async () => {
  site = await startSite()
  browser = await openRenderer([`127.0.0.1:${site.port}`], { maxPages: 8 })
})
afterAll(async () => {
  await browser?.close()
  await site?.close()
})

const act = (path: string, actions: PageAction[], more: Parameters<Rendering['render']>[1] = {}) =>
  browser.render(site.url(path), { actions, ...more })
const click = (selector: string): PageAction => ({ type: 'click', selector, all: false })
const script = (text: string): PageAction => ({ type: 'executeJavascript', script: text })
const values = (page: Awaited<ReturnType<typeof act>>) => page.live.actions?.javascriptReturns.map(({ value }) => value)
const logOf = script(`Array.from(document.querySelectorAll('#log li'), (each) => each.textContent)`)

describe.concurrent('a click', () => {
  test.each([
    ['#go', 'in view'],
    ['#far', 'far below'],
    ['#inside', 'inside of what scrolls'],
    ['#late', 'that comes late'],
    ['#fading', 'whose cover fades'],
  ])('reaches %s, %s, as a hand would', async (selector) => {
    expect(values(await act('/form', [click(selector), logOf]))).toEqual([[`click ${selector.slice(1)} true`]])
  })

  test('reaches what stays covered, under its cover', async () => {
    expect(values(await act('/form', [click('#covered'), logOf]))).toEqual([['click covered false']])
  })

  test('reaches every match, although they go one by one', async () => {
    const page = await act('/form', [{ type: 'click', selector: '.each', all: true }, logOf])
    expect(values(page)).toEqual([['click 1 true', 'click 2 true', 'click 3 true']])
  })

  test('reaches what a label is for', async () => {
    expect(values(await act('/form', [click('#label'), script('box.checked')]))).toEqual([true])
  })

  test('leads on, and the next step finds the next page', async () => {
    const page = await act('/form', [click('#link'), script('document.title'), { type: 'scrape' }])
    expect(values(page)).toEqual(['Plain'])
    expect(page.live.actions?.scrapes).toMatchObject([
      { url: site.url('/plain'), html: expect.stringContaining('Plain page') },
    ])
    expect(page).toMatchObject({ url: site.url('/plain'), headers: { 'x-mark': 'plain' } })
  })

  test('leads on inside of an app', async () => {
    const page = await act('/app', [{ type: 'wait', selector: 'a' }, click('a')])
    expect(page.url).toBe(site.url('/app/items'))
    expect(textOf(page)).toContain('Twelve of them.')
  })

  test('on a file changes nothing', async () => {
    const page = await act('/form', [click('#download'), script('document.title')])
    expect(values(page)).toEqual(['Form'])
    expect(page).toMatchObject({ url: site.url('/form'), status: 200 })
  })

  test('that opens a window leaves the page', async () => {
    const page = await act('/form', [click('#blank'), script('document.title')])
    expect(values(page)).toEqual(['Form'])
  })
})

describe.concurrent('writing', () => {
  const text = 'Grüße, 東京 👍🏽 "x" <b>\t1'
  test.each([
    ['#title', `document.querySelector('#title').value`, 'an input', text.replace('\t', '')],
    ['#story', 'story.value', 'a text area', `${text.replace('\t', '')}\nnew line`],
    ['#note', 'note.innerText', 'what can be edited', text.replace('\t', '')],
  ])('goes into %s', async (selector, read, _, written) => {
    expect(values(await act('/form', [click(selector), { type: 'write', text: written }, script(read)]))).toEqual([
      written,
    ])
  })

  test('long texts is as right as short ones', async () => {
    const long = 'ab\u00e9 '.repeat(2000)
    expect(values(await act('/form', [click('#story'), { type: 'write', text: long }, script('story.value')]))).toEqual(
      [long],
    )
  })

  test('presses keys', async () => {
    const page = await act('/form', [click('#title'), { type: 'write', text: 'a1é' }, logOf])
    expect(values(page)).toEqual([['key a', 'key 1']])
  })

  test('and sending logs in', async () => {
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

  test.each(['enter', 'ESC', 'F5', 'é', '+', 'Control++'])('%s exists', async (key) => {
    expect((await act('/form', [{ type: 'press', key }])).live.actions).toBeDefined()
  })
})

describe.concurrent('scrolling', () => {
  const down: PageAction = { type: 'scroll', direction: 'down' }
  test('goes a window down and up again', async () => {
    const page = await act('/tall', [down, down, script('scrollY'), { ...down, direction: 'up' }, script('scrollY')])
    expect(values(page)).toEqual([1600, 800])
  })

  test('finds what scrolls in the page', async () => {
    expect(values(await act('/inner-scroll', [down, script(`document.querySelector('main').scrollTop`)]))).toEqual([
      800,
    ])
  })

  test('goes on inside an element', async () => {
    const page = await act('/form', [
      { ...down, selector: '#pane' },
      script('pane.scrollTop'),
      { ...down, selector: '#far' },
      script('scrollY > 1000'),
    ])
    expect(values(page)).toEqual([100, true])
  })
})

test.concurrent('steps are done in their order, and so are their results', async () => {
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
  expect(scrapes?.map(({ html }) => html.includes('gone'))).toEqual([true, true].map((_, at) => at === 1))
})
