import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Browser } from '../../src/engine/browser/launch/process.ts'
import { navigate } from '../../src/engine/browser/page/navigate.ts'
import type { Tab } from '../../src/engine/browser/page/tab.ts'
import { openTab } from '../../src/engine/browser/pool/browser-context.ts'
import type { ProfileStore } from '../../src/engine/browser/profile/profile-store.ts'
import { withState } from '../../src/engine/browser/profile/browser-state.ts'
import { openHere, quiet } from './programs/machine.ts'
import { shareHere } from './programs/shared.ts'
import { profileFolder, reader, saver } from './programs/profile-folder.ts'
import { loaded, startProfileSite } from './programs/profile-site.ts'
import { forAll } from '../helpers/for-all.ts'

const folder = profileFolder()
let browser: Browser
const site = forAll(startProfileSite)
beforeAll(async () => void (browser = await shareHere()))
afterAll(() => browser.close())

/** Visits a page with a profile like the renderer does. */
async function scrape(store: ProfileStore, options: { saveChanges: boolean }, work: (tab: Tab) => Promise<unknown>) {
  const signal = AbortSignal.timeout(25_000)
  const held = await store.open('team', 'ada', options)
  try {
    const { tab, close } = await openTab(browser.connection, {}, signal)
    try {
      const visited = { connection: browser.connection, tab, profile: held, log: quiet }
      return await withState(
        visited,
        async () => {
          await navigate(tab, `${site.one}/account`, () => undefined, signal)
          await loaded(tab)
          await work(tab)
          return tab.evaluate<string>('document.title', signal)
        },
        signal,
      )
    } finally {
      await close()
    }
  } finally {
    await held.release()
  }
}

const fillIn = `document.querySelector('[name=user]').value = 'ada'
document.querySelector('[name=password]').value = 'secret'
document.querySelector('button').click()`
const logIn = async (tab: Tab) => {
  await tab.evaluate(fillIn)
  await loaded(tab, 'account')
}
const nothing = async () => {}

describe('a login', () => {
  test('is restored in the next visit with the profile, even in another browser process', async () => {
    const store = folder.store('a long passphrase')
    expect(await scrape(store, saver, nothing)).toEqual({ result: 'log in', warnings: [] })
    expect(await scrape(store, saver, logIn)).toEqual({ result: 'account', warnings: [] })
    await browser.close()
    browser = await openHere()
    expect(await scrape(store, reader, nothing)).toEqual({ result: 'account', warnings: [] })
    expect(await store.show('team', 'ada')).toMatchObject({ cookies: [{ domain: '127.0.0.1', count: 1 }] })
  })

  test('is not saved without saveChanges, and does not block other visits', async () => {
    const store = folder.store()
    const both = [scrape(store, reader, logIn), scrape(store, reader, logIn)]
    expect((await Promise.all(both)).map(({ result }) => result)).toEqual(['account', 'account'])
    expect(await scrape(store, reader, nothing)).toMatchObject({ result: 'log in' })
    expect(await store.list('team')).toEqual([])
  })

  test('is not affected by a second saver, which is refused immediately', async () => {
    const store = folder.store()
    let second: unknown
    const first = await scrape(store, saver, async (tab) => {
      second = await scrape(store, saver, nothing).catch((error: unknown) => error)
      await logIn(tab)
    })
    expect(first.result).toBe('account')
    expect(second).toMatchObject({ code: 'PROFILE_IN_USE', status: 409 })
    expect(await scrape(store, saver, nothing)).toMatchObject({ result: 'account' })
  })

  test('is kept when a later visit fails, which saves nothing', async () => {
    const store = folder.store()
    await scrape(store, saver, logIn)
    const failing = scrape(store, saver, async (tab) => {
      await tab.evaluate('localStorage.setItem("half", "done")')
      throw new Error('the visit failed')
    })
    await expect(failing).rejects.toThrow('the visit failed')
    expect((await store.export('team', 'ada')).origins).toEqual([])
    expect(await scrape(store, reader, nothing)).toMatchObject({ result: 'account' })
  })

  test('that cannot be saved is reported with the returned page', async () => {
    const store = folder.store()
    const held = await store.open('team', 'ada', saver)
    const broken: ProfileStore = {
      ...store,
      open: async () => ({ ...held, save: () => Promise.reject(new Error('disk full')) }),
    }
    expect(await scrape(broken, saver, logIn)).toEqual({
      result: 'account',
      warnings: ['The changes could not be saved to the profile.'],
    })
  })
})
