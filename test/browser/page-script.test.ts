import { describe, expect, test } from 'vitest'
import { inPage } from '../../src/engine/browser/acts/call-page.ts'
import { createTabs } from '../../src/engine/session/page/tabs.ts'
import { shareHere } from './programs/shared.ts'
import { leftOpen, forAll } from '../helpers/for-all.ts'

const soon = () => AbortSignal.timeout(20_000)
const globals = `(() => {
  const names = []
  for (let at = globalThis; at; at = Object.getPrototypeOf(at)) names.push(...Reflect.ownKeys(at).map(String))
  return names.sort().join()
})()`

describe('the page script', () => {
  const browser = forAll(shareHere)
  const tabs = forAll(async () => {
    const { browserContextId } = await browser.connection.browser.send('Target.createBrowserContext', {})
    return createTabs(browser.connection, { contextId: browserContextId }, soon())
  }, leftOpen)

  test('adds no name to the global scope of the page', async () => {
    const tab = tabs.current()
    const before = await tab.evaluate(globals, soon())
    expect((await inPage(tab, 'matchElements', ['body', 'first'], soon())).refs).toHaveLength(1)
    expect(await tab.evaluate(globals, soon())).toBe(before)
  })

  test('works on a page that overrides built-in functions', async () => {
    const tab = tabs.current()
    await tab.evaluate(
      `document.body.innerHTML = '<p>Here</p>'
      const taken = () => { throw new Error('taken') }
      const all = [Array, Map, Set, WeakMap, String, RegExp, Element, Document]
      for (let at = 0; at < all.length; at++) {
        const { prototype } = all[at]
        const names = Reflect.ownKeys(prototype)
        for (let nth = 0; nth < names.length; nth++) try { prototype[names[nth]] = taken } catch {}
      }
      void (Array.from = globalThis.getComputedStyle = taken)`,
      soon(),
    )
    expect((await inPage(tab, 'matchElements', ['p', 'all'], soon())).refs).toHaveLength(1)
    expect(await tab.call('readProgress', [], soon())).toMatchObject({ text: 4, isLoading: false })
  })

  test('keeps its state within a document only', async () => {
    const tab = await tabs.open(soon())
    await tab.evaluate(`document.body.innerHTML = '<p>One</p>'`, soon())
    const [ref = 0] = (await inPage(tab, 'matchElements', ['p', 'first'], soon())).refs
    await expect(inPage(tab, 'matchElements', ['p:::', 'first'], soon())).rejects.toThrow('is not a valid selector')
    expect(await inPage(tab, 'findClickPoint', [ref], soon())).toMatchObject({ x: expect.any(Number) })
    await tab.session.send('Page.navigate', { url: 'data:text/html,<p>Two</p>' }, soon())
    await expect
      .poll(() => tab.call('readLocation', [], soon()))
      .toMatchObject({ url: expect.stringMatching(/^data:/) })
    expect(await inPage(tab, 'findClickPoint', [ref], soon())).toEqual({ why: 'gone' })
  })
})
