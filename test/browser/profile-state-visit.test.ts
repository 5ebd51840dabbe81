import { describe, expect, test } from 'vitest'
import { ProfileState } from '../../src/contracts/profile-state.ts'
import { shareHere } from './programs/shared.ts'
import { loaded, startProfileSite, visit } from './programs/profile-site.ts'
import { forAll } from '../helpers/for-all.ts'

const site = forAll(startProfileSite)
const browser = forAll(shareHere)

const stateOf = (state: object) => ProfileState.parse(state)
const item = (name: string, value: string) => ({ name, value })
const cookie = (more: object) => ({ value: 'v', path: '/', expires: -1, httpOnly: false, secure: false, ...more })
const byName = (all: readonly { name: string }[]) => all.toSorted((a, b) => (a.name < b.name ? -1 : 1))

describe('a visit with a profile', () => {
  test('sends no request to the sites in the profile', async () => {
    const state = stateOf({
      origins: [site.one, site.other, 'https://127.0.0.1:9', 'http://nowhere.invalid'].map((origin) => ({
        origin,
        localStorage: [item('a', origin)],
      })),
    })
    const before = site.requests.length
    const { restored, state: after } = await visit(browser, state, async () => {})
    expect(restored).toEqual([])
    expect(after.origins).toEqual(state.origins)
    expect(site.requests.length).toBe(before)
  })

  test('updates the storage of the visited sites only', async () => {
    const state = stateOf({
      origins: [
        { origin: site.one, localStorage: [item('old', '1')] },
        { origin: site.other, localStorage: [item('kept', '2')] },
      ],
    })
    const { state: after } = await visit(browser, state, async (tab, go) => {
      await go(`${site.one}/`)
      await tab.evaluate('localStorage.clear(); localStorage.setItem("new", "3")')
    })
    expect(after.origins).toEqual([
      { origin: site.other, localStorage: [item('kept', '2')] },
      { origin: site.one, localStorage: [item('new', '3')] },
    ])
    const { state: emptied } = await visit(browser, after, async (tab, go) => {
      await go(`${site.one}/`)
      await tab.evaluate('localStorage.clear()')
    })
    expect(emptied.origins.map(({ origin }) => origin)).toEqual([site.other])
  })

  test('saves the storage of frames from another origin of the same site', async () => {
    const framed = await startProfileSite()
    try {
      const { state } = await visit(browser, undefined, async (tab, go) => {
        await go(`${site.one}/`)
        await loaded(tab)
        await tab.evaluate(`new Promise((resolve) => {
          const frame = Object.assign(document.createElement('iframe'), { onload: resolve, src: '${framed.one}/storing' })
          document.documentElement.append(frame)
        })`)
      })
      expect(state.origins).toEqual([{ origin: framed.one, localStorage: [item('by itself', '1')] }])
    } finally {
      await framed.close()
    }
  })

  test('restores and saves all attributes of cookies', async () => {
    const soon = Math.floor(Date.now() / 1000) + 1000
    const cookies = [
      cookie({ name: 'domain', domain: '.example.test', expires: soon, sameSite: 'Lax' }),
      cookie({ name: 'host', domain: 'example.test', path: '/a', httpOnly: true, sameSite: 'Strict' }),
      cookie({ name: 'third', domain: 'other.test', secure: true, sameSite: 'None' }),
      cookie({ name: '__Host-x', domain: 'example.test', secure: true }),
      cookie({
        name: 'parted',
        domain: 'other.test',
        secure: true,
        sameSite: 'None',
        partitionKey: 'https://example.test',
        _crHasCrossSiteAncestor: true,
      }),
    ]
    const past = cookie({ name: 'past', domain: 'example.test', expires: 1000 })
    const { state, restored } = await visit(browser, stateOf({ cookies: [...cookies, past] }), async () => {})
    expect(restored).toEqual([])
    expect(byName(state.cookies)).toEqual(byName(cookies as never))
  })

  test('reports data that the browser refuses, and restores the rest', async () => {
    const good = { name: 'good', value: '1', domain: 'example.test' }
    const databases = [
      {
        name: 'bad',
        version: 1,
        stores: [{ name: 's', autoIncrement: false, keyPath: 'id', indexes: [], records: [{ value: {} }] }],
      },
      { name: 'good', version: 1, stores: [] },
    ]
    const state = stateOf({
      cookies: [good, { name: '__Secure-bad', value: '1', domain: 'example.test' }],
      origins: [
        {
          origin: site.one,
          localStorage: [item('large', 'x'.repeat(6_000_000)), item('a', '1')],
          indexedDB: databases,
          opfs: [{ path: '../x', type: 'file' }],
        },
        { origin: site.other, localStorage: [item('a', '1')] },
      ],
    })
    const seen: unknown[] = []
    const { restored, state: after } = await visit(browser, state, async (tab, go) => {
      for (const origin of [site.one, site.other]) {
        await go(`${origin}/`)
        seen.push(
          await tab.evaluate(
            'indexedDB.databases().then((all) => [{ ...localStorage }, all.map(({ name }) => name).includes("good")])',
          ),
        )
      }
    })
    expect(restored).toEqual([
      'The browser refused cookies of the profile: 1.',
      `Not all of the profile's storage of ${site.one} could be restored, so changes to it are not saved.`,
    ])
    expect(after.origins.find(({ origin }) => origin === site.one)).toEqual(state.origins[0])
    expect(after.cookies.map(({ name }) => name)).toEqual(['good'])
    expect(seen).toEqual([
      [{ a: '1' }, true],
      [{ a: '1' }, false],
    ])
  })

  const fill = `(async () => {
    const open = indexedDB.open('db', 1)
    open.onupgradeneeded = () => open.result.createObjectStore('s')
    const db = await new Promise((resolve) => { open.onsuccess = () => resolve(open.result) })
    const transaction = db.transaction('s', 'readwrite')
    transaction.objectStore('s').put(new Uint8Array(SIZE), 'bytes')
    if (KEY) transaction.objectStore('s').put(KEY, 'key')
    await new Promise((resolve, reject) => { transaction.oncomplete = resolve; transaction.onabort = () => reject(transaction.error) })
    localStorage.setItem('small', '1')
    const file = await (await navigator.storage.getDirectory()).getFileHandle('file', { create: true })
    const stream = await file.createWritable()
    await stream.write(new Uint8Array(SIZE)); await stream.close()
  })()`
  const filled = (size: number, key = 'undefined') => fill.replaceAll('SIZE', String(size)).replaceAll('KEY', key)

  test('omits data that is too large, with a warning', async () => {
    const { state, warnings } = await visit(
      browser,
      undefined,
      async (tab, go) => {
        await go(`${site.one}/`)
        await tab.evaluate(filled(200_000))
      },
      { maxChars: 100_000 },
    )
    expect(state.origins).toEqual([{ origin: site.one, localStorage: [item('small', '1')] }])
    expect(warnings).toEqual([expect.stringMatching(`The storage of ${site.one} is too large`)])
  })

  test('omits data that cannot be exported, with a warning', async () => {
    const key = '(await crypto.subtle.generateKey({ name: "AES-GCM", length: 128 }, false, ["encrypt"]))'
    const { state, warnings } = await visit(browser, undefined, async (tab, go) => {
      await go(`${site.one}/`)
      await tab.evaluate(`(async () => { const key = await ${key}; await ${filled(3, 'key')} })()`)
    })
    expect(state.origins[0]?.indexedDB?.[0]?.stores[0]?.records).toEqual([
      { key: 'bytes', valueEncoded: { ta: { b: 'AAAA', k: 'ui8' } } },
    ])
    expect(warnings).toEqual([expect.stringMatching(`of ${site.one} cannot be copied`)])
  })

  test('bypasses service workers when it reads the storage', async () => {
    const { state } = await visit(browser, undefined, async (tab, go) => {
      await go(`${site.one}/worker`)
      await tab.evaluate('navigator.serviceWorker.register("/worker.js").then(() => navigator.serviceWorker.ready)')
      await go(`${site.one}/worker`)
      await loaded(tab, 'from the worker')
      await tab.evaluate('localStorage.setItem("a", "1")')
    })
    expect(state.origins).toEqual([{ origin: site.one, localStorage: [item('a', '1')] }])
  })
})
