import { beforeEach, expect, test } from 'vitest'
import { confine } from '../../src/engine/session/confine.ts'
import { createTabs } from '../../src/engine/session/page/tabs.ts'
import { performActions } from '../../src/engine/session/page/act.ts'
import type { SessionAction } from '../../src/contracts/render-port.ts'
import { shareHere } from '../browser/programs/shared.ts'
import { html } from '../helpers/site/route.ts'
import { startSite } from '../helpers/site.ts'
import { siteForAll, forAll } from '../helpers/for-all.ts'

let contextId: string
let before = 0
let tabs: Awaited<ReturnType<typeof createTabs>>
const soon = () => AbortSignal.timeout(20_000)

const browser = forAll(shareHere)
const other = siteForAll({ routes: { '/confine/other': html('<title>Other</title><h1>Other</h1>') } })
const site = forAll(() => {
  const away = other.url('/confine/other')
  const page = html(`<!doctype html><title>Home</title><h1>Home</h1><a href="/confine/two">Two</a>
    <a href="${away}">Link</a> <a href="${away}" target="_blank">New tab</a> <a href="${away}" target="_blank" rel="opener">Kept tab</a>
    <form action="${away}" method="post"><input name="a" value="secret"><button>Form</button></form>
    <button onclick="location = '${away}'">Script</button><button onclick="window.open('${away}')">Popup</button>
    <button onclick="setTimeout(() => { location = '${away}' }, 300)">Later</button><a href="/confine/redirect">Redirect</a>
    <iframe title="Frame" src="${away}?frame"></iframe>`)
  return startSite({
    routes: {
      '/confine/home': page,
      '/confine/two': html('<title>Two</title><h1>Two</h1>'),
      '/confine/redirect': ({ response }) => void response.writeHead(302, { location: away }).end(),
    },
  })
})
beforeEach(async () => {
  const created = await browser.connection.browser.send('Target.createBrowserContext', { disposeOnDetach: true })
  contextId = created.browserContextId
  tabs = await createTabs(browser.connection, { contextId }, soon())
  await act({ type: 'navigate', url: site.url('/confine/home') })
  before = other.requests.length
})

const act = (...acts: SessionAction[]) => performActions({ tabs }, acts, soon())
const within = () =>
  confine(
    { connection: browser.connection, contextId, tabs },
    { mayVisit: (url) => url.startsWith(site.origin), mayEnter: (url) => url.startsWith(site.origin), sites: [] },
    soon(),
  )
const visits = () =>
  other.requests
    .slice(before)
    .map(({ url }) => String(url))
    .filter((url) => !url.includes('?frame'))

test.each(['link "Link"', 'New tab', 'Kept tab', 'button "Form"', 'Script', 'Popup', 'Redirect', 'Later'])(
  'a page cannot navigate to another site by: %s',
  async (target) => {
    const confinement = await within()
    const { url } = await act({ type: 'click', target }, { type: 'wait', milliseconds: 500 })
    expect(url).toContain('/confine/')
    expect(new URL(url).origin).toBe(site.origin)
    expect(visits()).toEqual([])
    expect(await confinement.takeRefused()).toEqual([other.url('/confine/other')])
    expect(await confinement.takeRefused()).toEqual([])
    expect(await tabs.list()).toHaveLength(1)
    await confinement.lift()
  },
)

test('calls to navigate to another site are refused', async () => {
  await within()
  expect((await act({ type: 'navigate', url: other.url('/confine/other') })).title).toBe('Home')
  await act({ type: 'tab', do: 'open', url: other.url('/confine/other') })
  expect(visits()).toEqual([])
})

test('pages navigate within their bounds, frames anywhere, and pages anywhere once the bounds are lifted', async () => {
  const confinement = await within()
  expect(await act({ type: 'click', target: 'link "Two"' })).toMatchObject({ title: 'Two' })
  expect(await act({ type: 'back' })).toMatchObject({ title: 'Home' })
  expect(await act({ type: 'tab', do: 'open', url: site.url('/confine/home') })).toMatchObject({ title: 'Home' })
  expect(other.requests.length).toBeGreaterThan(before)
  await confinement.lift()
  expect(await act({ type: 'click', target: 'link "Link"' })).toMatchObject({ title: 'Other' })
})

test('in a shared browser only its own tabs are confined', async () => {
  const { browserContextId } = await browser.connection.browser.send('Target.createBrowserContext', {})
  await within()
  const strangers = await createTabs(browser.connection, { contextId: browserContextId }, soon())
  await performActions({ tabs: strangers }, [{ type: 'navigate', url: other.url('/confine/other') }], soon())
  expect(visits()).toHaveLength(1)
})
