import { chromium, type Browser as PlaywrightBrowser, type ConnectOverCDPTransport } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { CdpClient } from '../../src/engine/browser/cdp/cdp-connection.ts'
import type { Browser } from '../../src/engine/browser/launch/process.ts'
import { ProfileState } from '../../src/contracts/profile-state.ts'
import { shareHere } from './programs/shared.ts'
import { startProfileSite, visit } from './programs/profile-site.ts'
import { forAll } from '../helpers/for-all.ts'

const site = forAll(startProfileSite)
const browser = forAll(shareHere)
const playwright = forAll(() => playwrightOver(browser))

async function playwrightOver({ connection }: Browser): Promise<PlaywrightBrowser> {
  let client: CdpClient | undefined
  const transport: ConnectOverCDPTransport = {
    send: (message) => client?.send(message),
    close: () => void client?.close(),
  }
  client = await connection.client({
    receive: (message) => transport.onmessage?.(message),
    ended: (why) => transport.onclose?.(why),
  })
  return chromium.connectOverCDP(transport)
}

/** Stores data that both Playwright and Gossamer can save. */
const fill = `(async () => {
  document.cookie = 'c=1; max-age=1000; samesite=lax'
  document.cookie = 'session=2; samesite=strict'
  localStorage.setItem('who', 'Ada')
  const open = indexedDB.open('db', 3)
  open.onupgradeneeded = () => {
    open.result.createObjectStore('outside')
    open.result.createObjectStore('inside', { keyPath: 'id', autoIncrement: true }).createIndex('by two', ['a', 'b'], { unique: true })
  }
  const db = await new Promise((resolve) => { open.onsuccess = () => resolve(open.result) })
  const all = db.transaction(db.objectStoreNames, 'readwrite')
  all.objectStore('outside').put({ plain: [1, 'two', null] }, 'k')
  all.objectStore('outside').put(new Map([[new Date(5), new Set([1n])], ['bytes', new Uint16Array([1, 513])]]), new Date(7))
  all.objectStore('outside').put([undefined, NaN, -0, /a/g], ['x', 1])
  all.objectStore('inside').put({ a: 1, b: 2 })
  await new Promise((resolve) => { all.oncomplete = resolve })
  const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle('folder', { create: true })
  const stream = await (await folder.getFileHandle('file', { create: true })).createWritable()
  await stream.write(new Uint8Array([0, 255])); await stream.close()
})()`
const read = `(async () => {
  const open = indexedDB.open('db')
  const db = await new Promise((resolve) => { open.onsuccess = () => resolve(open.result) })
  const of = (request) => new Promise((resolve) => { request.onsuccess = () => resolve(request.result) })
  const outside = () => db.transaction('outside').objectStore('outside')
  const [[date, set], [, bytes]] = await of(outside().get(new Date(7)))
  const words = await of(outside().get(['x', 1]))
  const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle('folder')
  const file = await (await folder.getFileHandle('file')).getFile()
  return {
    cookies: document.cookie.split('; ').sort(), who: localStorage.getItem('who'), version: db.version,
    plain: await of(outside().get('k')), date: date.getTime(), set: Array.from(set, String), bytes: bytes.constructor.name + bytes,
    words: [words[0] === undefined, Number.isNaN(words[1]), Object.is(words[2], -0), String(words[3])],
    inside: await of(db.transaction('inside').objectStore('inside').index('by two').get([1, 2])),
    file: [...new Uint8Array(await file.arrayBuffer())],
  }
})()`
const expected = {
  cookies: ['c=1', 'session=2'],
  who: 'Ada',
  version: 3,
  plain: { plain: [1, 'two', null] },
  date: 5,
  set: ['1'],
  bytes: 'Uint16Array1,513',
  words: [true, true, true, '/a/g'],
  inside: { a: 1, b: 2, id: 1 },
  file: [0, 255],
}

/** Replaces the expiry of cookies, which depends on the time at which they were set. */
const comparable = ({ cookies, origins }: ProfileState): unknown => ({
  cookies: cookies.map(({ expires, ...cookie }) => ({ ...cookie, lasts: expires > 0 })),
  origins: JSON.parse(JSON.stringify(origins)) as unknown,
})

async function savedByPlaywright(): Promise<ProfileState> {
  const context = await playwright.newContext()
  const page = await context.newPage()
  await page.goto(`${site.one}/`)
  await page.evaluate(fill)
  const state = ProfileState.parse(await context.storageState({ indexedDB: true, opfs: true }))
  await context.close()
  return state
}

async function savedHere(): Promise<ProfileState> {
  const { state, warnings } = await visit(browser, undefined, async (tab, go) => {
    await go(`${site.one}/`)
    await tab.evaluate(fill)
  })
  expect(warnings).toEqual([])
  return state
}

describe('a state', () => {
  test('saved by Playwright can be restored here', async () => {
    let found: unknown
    const { restored } = await visit(browser, await savedByPlaywright(), async (tab, go) => {
      await go(`${site.one}/`)
      found = await tab.evaluate(read)
    })
    expect(restored).toEqual([])
    expect(found).toEqual(expected)
  })

  test('saved here can be restored by Playwright', async () => {
    const storageState = JSON.parse(JSON.stringify(await savedHere())) as ProfileState & { cookies: never[] }
    const context = await playwright.newContext({ storageState })
    const page = await context.newPage()
    await page.goto(`${site.one}/`)
    expect(await page.evaluate(read)).toEqual(expected)
    await context.close()
  })

  test('saved here equals the state saved by Playwright', async () => {
    expect(comparable(await savedHere())).toEqual(comparable(await savedByPlaywright()))
  })
})
