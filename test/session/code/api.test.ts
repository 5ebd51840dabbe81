import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Browser } from '../../../src/engine/browser/launch/types.ts'
import { type Api, createApi } from '../../../src/engine/code/playwright/context.ts'
import type { Page } from '../../../src/engine/code/playwright/page.ts'
import { openHere } from '../../browser/programs/machine.ts'
import { connectInProcess } from '../../../src/engine/code/remote/client.ts'

const form = `<!doctype html><title>Form</title><h1>Sign <b>up</b></h1>
<form onsubmit="event.preventDefault(); out.textContent = new URLSearchParams(new FormData(this))">
<label>Name <input name=name placeholder="Your name" maxlength=20></label>
<label for=mail>Mail</label><input id=mail name=mail type=email>
<input name=day type=date aria-label=Day>
<label><input type=checkbox name=news> News</label>
<select name=size aria-label=Size><option value=s>Small<option value=l>Large</select>
<textarea name=note data-testid=note></textarea>
<button disabled id=late>Later</button><button>Send it</button></form>
<p id=out></p><p style="display:none">hidden words</p>
<ul><li class=item>One</li><li class=item>Two <a href=/next>next</a></li><li class=item>Three</li></ul>
<iframe srcdoc="<button onclick='parent.out.textContent=1+1'>Inner</button>"></iframe>
<div id=host></div><script>
host.attachShadow({ mode: 'open' }).innerHTML = '<button>In the shadow</button>'
setTimeout(() => { late.disabled = false; late.onclick = (event) => { event.preventDefault(); out.textContent = 'late' } }, 300)
</script>`

let browser: Browser
let server: Server
let base = ''
let api: Api
let page: Page

beforeAll(async () => {
  server = createServer(({ url }, response) => {
    const pages: Record<string, string> = {
      '/form': form,
      '/next': '<title>Next</title>next',
      '/slow': '<title>Slow</title>',
    }
    response.writeHead(pages[url!] === undefined ? 404 : 200, { 'content-type': 'text/html' })
    setTimeout(() => response.end(pages[url!] ?? '<title>None</title>'), url === '/slow' ? 2000 : 0)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  browser = await openHere()
  api = await createApi(await connectInProcess(browser.connection, {}), { timeoutMs: 3000 })
  page = api.context.pages()[0] ?? (await api.context.newPage())
})
afterAll(async () => {
  await browser.close()
  server.closeAllConnections()
  server.close()
})
beforeEach(async () => {
  await page.goto(`${base}/form`)
})
const out = () => page.locator('#out').textContent()

describe('a page', () => {
  test('goes places and says how that went', async () => {
    expect((await page.goto(`${base}/missing`))?.status()).toBe(404)
    expect((await page.goto(`${base}/next`))?.ok()).toBe(true)
    expect([await page.title(), page.url()]).toEqual(['Next', `${base}/next`])
    await page.goBack()
    expect(page.url()).toBe(`${base}/missing`)
    await page.goForward()
    await page.reload()
    expect(await page.title()).toBe('Next')
    await expect(page.goto('nowhere')).rejects.toThrow('invalid URL')
    await expect(page.goto('http://127.0.0.1:1/')).rejects.toThrow('net::ERR_')
    await expect(page.goto(`${base}/slow`, { timeout: 200 })).rejects.toMatchObject({ name: 'TimeoutError' })
  })

  test('clicks a link and is at the next page afterwards', async () => {
    await page.click('text=next')
    expect(await page.title()).toBe('Next')
    await page.waitForURL('**/next')
    await page.waitForURL(/next$/)
    await page.waitForLoadState('networkidle')
  })

  test('fills a form by labels, placeholders, roles and selectors', async () => {
    await page.getByLabel('Name').fill('Ada')
    await page.getByPlaceholder('your name').press('End')
    await page.keyboard.type(' L\u00f6v')
    await page.fill('#mail', 'a@b.example')
    await page.getByLabel('Day').fill('2026-01-31')
    await page.getByRole('checkbox', { name: 'News' }).check()
    expect(await page.selectOption('select', { label: 'Large' })).toEqual(['l'])
    await page.getByTestId('note').type('two\nlines')
    await page.getByRole('button', { name: /send/i }).click()
    expect(Object.fromEntries(new URLSearchParams((await out())!))).toEqual({
      name: 'Ada L\u00f6v',
      mail: 'a@b.example',
      day: '2026-01-31',
      news: 'on',
      size: 'l',
      note: 'two\nlines',
    })
    await page.uncheck('[name=news]')
    expect(await page.isChecked('[name=news]')).toBe(false)
    expect(await page.inputValue('[name=name]')).toBe('Ada L\u00f6v')
  })

  test('waits until an element can be used', async () => {
    await page.click('#late')
    expect(await out()).toBe('late')
  })

  test('says what it waited for in vain', async () => {
    await expect(page.click('#none', { timeout: 200 })).rejects.toThrow(
      /Timeout 200ms exceeded[\s\S]*#none[\s\S]*no element/,
    )
    await expect(page.getByText('hidden words').click({ timeout: 200 })).rejects.toThrow('not visible')
    await expect(page.locator('.item').click()).rejects.toThrow(/strict mode violation[\s\S]*3 elements/)
  })

  test('evaluates functions, their text, and statements', async () => {
    expect(await page.evaluate((([a, b]: number[]) => a! + b!) as never, [1, 2])).toBe(3)
    expect(await page.evaluate('x => ({ x })', { deep: ['ü'] })).toEqual({ x: { deep: ['ü'] } })
    expect(await page.evaluate('1 + 1;')).toBe(2)
    expect(await page.evaluate('const a = 4; a * 2')).toBe(8)
    expect(await page.evaluate('Promise.resolve(NaN)')).toBeNaN()
    expect(await page.evaluate('undefined')).toBeUndefined()
    await expect(page.evaluate('() => { throw new Error("in page") }')).rejects.toThrow('in page')
    expect(await page.$$eval('.item', 'items => items.map(({ textContent }) => textContent.trim())')).toEqual([
      'One',
      'Two next',
      'Three',
    ])
    const handle = await page.$('h1')
    expect(await page.evaluate('heading => heading.tagName', handle)).toBe('H1')
    expect(await Promise.all((await page.$$('.item')).map((item) => item.innerText()))).toEqual([
      'One',
      'Two next',
      'Three',
    ])
  })

  test('looks into frames of its site and shadow roots', async () => {
    await page.frameLocator('iframe').getByRole('button').click()
    expect(await out()).toBe('2')
    expect(await page.getByText('In the shadow').isVisible()).toBe(true)
  })

  test('takes pictures and prints', async () => {
    expect((await page.screenshot({ fullPage: true })).subarray(1, 4).toString()).toBe('PNG')
    expect((await page.locator('h1').screenshot({ type: 'jpeg' })).subarray(6, 10).toString()).toBe('JFIF')
    expect((await page.pdf()).subarray(0, 4).toString()).toBe('%PDF')
  })

  test('tells of its console, dialogs and popups', async () => {
    const said: string[] = []
    page.on('console', (message: { text(): string }) => said.push(message.text()))
    page.once('dialog', (dialog: { message(): string; accept(text: string): Promise<void> }) => {
      said.push(dialog.message())
      return dialog.accept('me')
    })
    expect(await page.evaluate('console.log("a", 1), prompt("who")')).toBe('me')
    expect(await page.evaluate('confirm("unanswered dialogs are dismissed")')).toBe(false)
    expect(said.toSorted()).toEqual(['a 1', 'who'])
    const popup = page.waitForEvent('popup') as Promise<Page>
    await page.evaluate(`window.open('/next') && 1`)
    const opened = await popup
    await opened.waitForLoadState()
    expect(await opened.title()).toBe('Next')
    expect(api.context.pages()).toHaveLength(2)
    await opened.close()
    expect(api.context.pages()).toHaveLength(1)
  })

  test('says so when something is not built in', () => {
    expect(() => (page as unknown as { route(): void }).route()).toThrow(/page\.route is not in the part.*node code/)
  })
})

describe('a locator', () => {
  test.each<[string, () => Promise<unknown>, unknown]>([
    ['counts', () => page.locator('.item').count(), 3],
    [
      'first, last and nth',
      async () => [
        await page.locator('.item').first().textContent(),
        await page.locator('.item').last().innerText(),
        await page.locator('.item').nth(1).getAttribute('class'),
      ],
      ['One', 'Three', 'item'],
    ],
    ['all texts', () => page.locator('li').allTextContents(), ['One', 'Two next', 'Three']],
    ['all', async () => (await page.locator('li').all()).length, 3],
    ['filters', () => page.locator('li').filter({ hasText: 'two' }).locator('a').innerText(), 'next'],
    ['has', () => page.locator('li', { has: page.locator('a') }).count(), 1],
    [
      'or, and',
      async () => [
        await page.locator('h1').or(page.locator('li')).count(),
        await page.locator('li').and(page.getByText('One')).count(),
      ],
      [4, 1],
    ],
    ['text in pieces', () => page.getByText('Sign up').isVisible(), true],
    ['exactly', () => page.getByText('One', { exact: true }).count(), 1],
    ['heading by level', () => page.getByRole('heading', { name: 'Sign up', level: 1 }).count(), 1],
    ['links by role', () => page.getByRole('link').allInnerTexts(), ['next']],
    ['has-text', () => page.locator('li:has-text("two") >> a').count(), 1],
    ['xpath', () => page.locator('//li[2]').innerText(), 'Two next'],
    ['hidden', () => page.getByText('hidden words').isHidden(), true],
    ['nothing', () => page.locator('.none').isVisible(), false],
  ])('%s', async (_, look, expected) => {
    expect(await look()).toEqual(expected)
  })

  test('waits for what comes and goes', async () => {
    await page.evaluate(
      `setTimeout(() => { document.body.insertAdjacentHTML('beforeend', '<i id=new>n</i>') }, 100); 0`,
    )
    await page.waitForSelector('#new')
    await page.evaluate(`setTimeout(() => document.querySelector('#new').remove(), 100); 0`)
    await page.locator('#new').waitFor({ state: 'detached' })
    expect(await page.locator('#new').count()).toBe(0)
  })
})

test('a context has cookies', async () => {
  await api.context.addCookies([{ name: 'a', value: '1', url: base }])
  expect(await page.evaluate('document.cookie')).toBe('a=1')
  expect(await api.context.cookies(base)).toMatchObject([{ name: 'a', value: '1' }])
  await api.context.clearCookies()
  expect(await api.context.cookies()).toEqual([])
})
