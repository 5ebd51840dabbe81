import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { liveViewApp } from '../../src/surfaces/mcp/live-browser.ts'
import { type AppHost, openAppHost, openChromium } from './app-host.ts'
import { connect, outputOf, type Result, toyBrowserCommand } from './clients.ts'
import { pictures } from './toy-browser.ts'
import { forAll } from '../helpers/for-all.ts'

/** Capabilities of a client that shows Apps and makes their calls. */
const showsApps = {
  capabilities: { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } } },
}
const soon = { interval: 50 }
let host: AppHost

const browser = forAll(openChromium)
const client = forAll(() => connect('v2 2026-07-28', { command: toyBrowserCommand }, showsApps))
beforeEach(async () => {
  host = await openAppHost(browser, client, liveViewApp.uri, { theme: 'dark', containerDimensions: { maxHeight: 500 } })
})
afterEach(() => host.page.close())

const note = () => host.app.textContent('#note')
const picture = () => host.app.getAttribute('#picture', 'src')
async function open(): Promise<{ id: string; result: Result }> {
  await host.app.waitForSelector('#note')
  const result = await client.call('toy_open', {})
  await host.notify('ui/notifications/tool-input', { arguments: {} })
  await host.notify('ui/notifications/tool-result', result)
  return { id: (outputOf(result) as { id: string }).id, result }
}

describe('the live view in the chat', () => {
  it('shows picture, title, address and tabs of the session', async () => {
    const { id } = await open()
    await expect.poll(picture, soon).toBe(`data:image/png;base64,${pictures[1]}`)
    await expect.poll(picture, soon).toBe(`data:image/png;base64,${pictures[0]}`)
    expect(host.calls[0]).toEqual({ name: 'browser_frame', arguments: { sessionId: id } })
    expect(await host.app.textContent('#title')).toMatch(/^Shop <b>\d+<\/b>$/)
    expect(await host.app.textContent('#address')).toBe('https://shop.example/')
    expect(await host.app.locator('#tabs li').allTextContents()).toEqual([
      expect.stringMatching(/^Shop/),
      'https://other.example/',
    ])
    expect(await note()).toBe('Live')
    expect(await host.app.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).toBe('dark')
  })

  it('opens the live view through the client', async () => {
    await open()
    await host.app.click('#watch')
    await expect.poll(() => host.links, soon).toEqual(['https://live.example/view'])
    expect(await host.app.isVisible('#control')).toBe(false)
  })

  it('polls only while it is visible', async () => {
    await open()
    await expect.poll(note, soon).toBe('Live')
    await host.page.evaluate(() => {
      document.body.style.paddingTop = '5000px'
    })
    await expect.poll(note, soon).toBe('Paused')
    const before = host.calls.length
    await host.page.waitForTimeout(1500)
    expect(host.calls).toHaveLength(before)
    await host.page.evaluate(() => {
      document.body.style.paddingTop = '0'
    })
    await expect.poll(() => host.calls.length, soon).toBeGreaterThan(before)
  })

  it('ends with the session, and keeps the last picture', async () => {
    const { id } = await open()
    await expect.poll(note, soon).toBe('Live')
    await client.call('toy_do', { sessionId: id, what: 'close' })
    await expect.poll(note, soon).toBe('The session is over.')
    const before = host.calls.length
    await host.page.waitForTimeout(1500)
    expect(host.calls).toHaveLength(before)
    expect(await host.app.isVisible('#picture')).toBe(true)
    expect(await host.app.isVisible('#watch')).toBe(false)
  })
})
