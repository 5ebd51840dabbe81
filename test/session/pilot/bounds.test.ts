import { describe, expect, test } from 'vitest'
import type { SessionAction } from '../../../src/contracts/render-port.ts'
import { createBounds } from '../../../src/engine/session/pilot/site-bounds.ts'

const start = 'https://shop.example.com/cart'
const go = (url: string): SessionAction => ({ type: 'navigate', url })
describe('the sites that a task may visit', () => {
  test.each<[string, string, boolean]>([
    ['Buy it.', 'https://shop.example.com/other', true],
    ['Buy it.', 'http://pay.example.com:8443/', true],
    ['Buy it.', 'https://example.com.evil.test/', false],
    ['Buy it.', 'https://example.org/', false],
    ['Buy it, and look at docs.example.org/help.', 'https://www.example.org/', true],
    ['Buy it, and look at https://example.org.', 'https://example.org/x', true],
    ['Write to ann@example.org.', 'https://example.org/', false],
    ['Buy it.', 'https://a.github.io/', false],
    ['Look at b.github.io.', 'https://a.github.io/', false],
    ['Buy it.', 'data:text/html,x', false],
    ['Buy it.', 'javascript:alert(1)', false],
    ['Buy it.', 'file:///etc/passwd', false],
  ])('%s → %s: %s', async (prompt, url, may) => expect((await createBounds(prompt, start)).mayVisit(url)).toBe(may))

  test('include one port of a host without a domain', async () => {
    const bounds = await createBounds('Buy it.', 'http://127.0.0.1:3000/')
    expect(bounds.mayVisit('http://127.0.0.1:3000/x')).toBe(true)
    expect(bounds.mayVisit('http://127.0.0.1:3001/x')).toBe(false)
    expect(bounds.mayVisit('http://localhost:3000/x')).toBe(false)
  })

  test('include the site behind a link that the prompt names, even over a redirect', async () => {
    const bounds = await createBounds('Open the Boat manual and say who wrote it.', start)
    await bounds.throughNamedLink('Something else', async () => expect(bounds.mayVisit('https://a.test/')).toBe(false))
    await bounds.throughNamedLink('ma', async () => expect(bounds.mayVisit('https://a.test/')).toBe(false))
    await bounds.throughNamedLink('Boat manual', async () => {
      expect(bounds.mayVisit('https://count.test/?to=manual')).toBe(true)
      expect(bounds.mayVisit('https://manual.test/')).toBe(true)
    })
    expect(bounds.mayVisit('https://manual.test/two')).toBe(true)
    expect(bounds.mayVisit('https://a.test/')).toBe(false)
    expect(bounds.reads('https://manual.test/')).toBe(true)
    expect(bounds.reads('https://a.test/')).toBe(false)
  })
})

describe('acts that a task may perform', () => {
  test.each<[string, SessionAction, string]>([
    ['a URL of another site', go('https://evil.test/?q=1'), 'does not name'],
    ['a script', go('javascript:alert(1)'), 'not a web address'],
    ['a file', go('file:///etc/passwd'), 'not a web address'],
    ['a tab with another site', { type: 'tab', do: 'open', url: 'https://evil.test' }, 'does not name'],
    ['an upload', { type: 'upload', target: 'e1', files: [] }, 'not offered'],
  ])('exclude %s', async (_, act, why) => {
    expect((await createBounds('Buy it.', start)).refusal(act, start)).toContain(why)
  })

  test('include URLs of its own site until a page of another site was read', async () => {
    const bounds = await createBounds('Compare it with https://other.test/price and with third.test.', start)
    expect(bounds.refusal(go('/search?q=bell'), start)).toBeUndefined()
    expect(bounds.refusal(go('https://other.test/?seen=cart'), start)).toContain('only addresses that the task gives')
    expect(bounds.refusal(go('https://other.test/price'), start)).toBeUndefined()
    expect(bounds.reads('https://other.test/price')).toBe(true)
    expect(bounds.refusal(go('https://other.test/?seen=cart'), 'https://other.test/price')).toContain('only addresses')
    expect(bounds.refusal(go('https://third.test/'), 'https://other.test/price')).toBeUndefined()
    expect(bounds.refusal(go(start), 'https://other.test/price')).toContain('only addresses')
  })

  test.each([
    ['https://shop.example.com/card', true],
    ['https://pay.example.com/card', true],
    ['https://bank.test/card', true],
    ['https://ads.test/', false],
    ['about:srcdoc', true],
    ['data:text/html,x', true],
  ])('in a frame at %s are allowed: %s', async (url, may) => {
    expect((await createBounds('Buy it, and pay with bank.test.', start)).mayEnter(url)).toBe(may)
  })

  test('exclude other URLs of its site after a frame of a named site was read', async () => {
    const bounds = await createBounds('Buy it, and pay with bank.test.', start)
    expect(bounds.refusal(go('/search?q=bell'), start)).toBeUndefined()
    expect(bounds.mayEnter('https://bank.test/card')).toBe(true)
    expect(bounds.refusal(go('/search?q=bell'), start)).toContain('only addresses that the task gives')
  })
})
