import { describe, expect, test } from 'vitest'
import { createTab } from '../../src/engine/browser/page/tab.ts'
import { logInByWindow } from '../../src/engine/browser/profile/login-window.ts'
import { openHere } from './programs/machine.ts'
import { profileFolder, reader, saver } from './programs/profile-folder.ts'
import { loaded, startProfileSite } from './programs/profile-site.ts'
import { forAll, forEach } from '../helpers/for-all.ts'

const folder = profileFolder()
const site = forAll(startProfileSite)
const browser = forEach(() => openHere())

/** Attaches to the window of the login. */
async function window() {
  const { connection } = browser
  for (;;) {
    const { targetInfos } = await connection.browser.send('Target.getTargets', {})
    const found = targetInfos.find(({ url }) => url.startsWith(site.one))
    if (!found) continue
    const session = await connection.attach(found.targetId)
    const tab = createTab(session, found.targetId, {
      contextId: found.browserContextId ?? '',
      attach: connection.attach,
    })
    return { tab, close: () => connection.browser.send('Target.closeTarget', { targetId: found.targetId }) }
  }
}

async function startLogin(signal = AbortSignal.timeout(25_000)) {
  const store = folder.store()
  const held = await store.open('local', 'ada', saver)
  const { promise: done, resolve: enter } = Promise.withResolvers<void>()
  const visiting = logInByWindow(
    { connection: browser.connection, profile: held, url: `${site.one}/account`, done },
    signal,
  )
  // The failure is checked once the person has acted.
  visiting.catch(() => undefined)
  const { tab, close } = await window()
  await loaded(tab)
  const title = await tab.evaluate<string>('document.title')
  return { store, held, visiting, enter, tab, close, title }
}

const logIn = `document.querySelector('[name=user]').value = 'ada'
document.querySelector('[name=password]').value = 'secret'
document.querySelector('button').click()
localStorage.setItem('seen', '1')`

describe('a login in a window', () => {
  test.each(['closes the window', 'presses Enter'])('is saved when the person %s', async (how) => {
    const { visiting, tab, close, enter, held, store } = await startLogin()
    await tab.evaluate(logIn)
    await loaded(tab, 'account')
    if (how === 'presses Enter') enter()
    else await close()
    expect(await visiting).toEqual([])
    await held.release()
    const { state } = await store.open('local', 'ada', reader)
    expect(state?.cookies).toMatchObject([{ name: 'session', value: 'ada-1815', expires: -1 }])
    expect(state?.origins).toEqual([{ origin: site.one, localStorage: [{ name: 'seen', value: '1' }] }])
  })

  test('continues while another window is open', async () => {
    const { tab, close, enter, visiting, held } = await startLogin()
    await tab.evaluate(`window.open('${site.one}/other'); undefined`)
    await close()
    const second = await window()
    await loaded(second.tab, 'empty')
    await second.tab.evaluate(`localStorage.setItem('second', '1')`)
    enter()
    expect(await visiting).toEqual([])
    await held.release()
    expect((await folder.store().export('local', 'ada')).origins[0]?.localStorage).toEqual([
      { name: 'second', value: '1' },
    ])
  })

  test('is not saved if the browser is quit, which is reported', async () => {
    const { visiting, store } = await startLogin()
    await browser.close()
    await expect(visiting).rejects.toMatchObject({
      code: 'BROWSER_UNAVAILABLE',
      message: expect.stringContaining('quit'),
    })
    expect(await store.list('local')).toEqual([])
  })

  test('is not saved if the program is stopped', async () => {
    const ending = new AbortController()
    const { visiting, store } = await startLogin(ending.signal)
    ending.abort(new Error('stopped'))
    await expect(visiting).rejects.toThrow('stopped')
    expect(await store.list('local')).toEqual([])
  })
})
