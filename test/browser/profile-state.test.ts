import { describe, expect, test } from 'vitest'
import { ProfileState } from '../../src/contracts/profile-state.ts'
import { shareHere } from './programs/shared.ts'
import { startProfileSite, visit } from './programs/profile-site.ts'
import { forAll } from '../helpers/for-all.ts'

const site = forAll(startProfileSite)
const browser = forAll(shareHere)

const overJson = (state: ProfileState) => ProfileState.parse(JSON.parse(JSON.stringify(state)))

/** Runs in the page: a database with everything that IndexedDB can hold, and a function that describes a value. */
const prepare = `
  const done = (request) => new Promise((resolve, reject) => { request.onsuccess = () => resolve(request.result); request.onerror = () => reject(request.error) })
  const circle = { name: 'circle' }; circle.self = circle
  const shared = { n: 1 }
  const values = {
    plain: { a: [1, 'two', true, null], b: { c: { d: 'ü漢🙂' } } },
    words: [undefined, NaN, Infinity, -Infinity, -0, 12345678901234567890n],
    date: new Date(1815, 11, 10), never: new Date(NaN),
    regexp: /a(b)c/gi, error: new RangeError('far'),
    map: new Map([['k', new Date(0)], [{ deep: 1 }, new Set([1, 'x'])]]), set: new Set([new Uint8Array([1, 2])]),
    views: [new Uint8Array([0, 255]), new Uint8ClampedArray([7]), new Int16Array([-3]), new Float32Array([1.5]), new Float64Array([Math.PI]), new BigInt64Array([-5n]), new BigUint64Array([5n]), new DataView(new Uint8Array([9, 8]).buffer), new Uint8Array([1, 2, 3, 4]).subarray(1, 3)],
    buffer: new Uint8Array([1, 2, 3]).buffer, empty: new ArrayBuffer(0),
    blob: new Blob(['hello blob'], { type: 'text/x-test' }), file: new File(['in a file'], 'a name.txt', { type: 'text/plain', lastModified: 86400000 }),
    circle, shared: [shared, shared],
    proto: JSON.parse('{"__proto__": {"polluted": true}, "x": 1}'), wrapped: [Object(1), Object('s'), Object(false)],
    large: new Uint8Array(100000).fill(65), list: Array.from({ length: 30000 }, (_, n) => n), lone: 'a\\ud800b',
  }
`
const tell = `
  const described = async (value, seen = []) => {
    if (typeof value === 'bigint') return value + 'n'
    if (Object.is(value, -0)) return '-0'
    if (typeof value !== 'object' || value === null) return typeof value === 'string' ? JSON.stringify(value) : String(value)
    if (seen.includes(value)) return '^' + seen.indexOf(value)
    const kind = Object.prototype.toString.call(value).slice(8, -1), next = [...seen, value], rest = (list) => Promise.all(Array.from(list, (item) => described(item, next)))
    if (value instanceof Date) return kind + value.getTime()
    if (value instanceof RegExp) return String(value)
    if (value instanceof Error) return value.name + ':' + value.message
    if (value instanceof Blob) return kind + '(' + (value.name ?? '') + ',' + value.type + ',' + (value.lastModified ?? '') + ')' + await value.text()
    if (value instanceof ArrayBuffer) return kind + Array.from(new Uint8Array(value))
    if (ArrayBuffer.isView(value)) return kind + Array.from(new Uint8Array(value.buffer, value.byteOffset, value.byteLength))
    if (value instanceof Map) return 'Map' + (await rest(Array.from(value).flat())).join()
    if (value instanceof Set) return 'Set' + (await rest(value)).join()
    if (Array.isArray(value)) return '[' + (await rest(value)).join() + ']' + (value.length === 2 && value[0] === value[1] ? 'same' : '')
    if (kind !== 'Object') return kind + value
    return '{' + (await Promise.all(Object.keys(value).map(async (key) => key + ':' + await described(value[key], next)))).join() + '}'
  }
`
const fillDatabases = `(async () => { ${prepare} ${tell}
  const open = indexedDB.open('all kinds', 7)
  open.onupgradeneeded = () => {
    open.result.createObjectStore('outside')
    const inside = open.result.createObjectStore('inside', { keyPath: 'id.n', autoIncrement: true })
    inside.createIndex('by tag', 'tags', { multiEntry: true }); inside.createIndex('by two', ['a', 'b'], { unique: true })
    open.result.createObjectStore('compound', { keyPath: ['a', 'b'] })
    open.result.createObjectStore('empty', { autoIncrement: true })
  }
  const db = await done(open)
  const all = db.transaction(db.objectStoreNames, 'readwrite')
  for (const [key, value] of Object.entries(values)) all.objectStore('outside').put(value, key)
  for (const key of [1.5, new Date(5), new Uint8Array([1, 2]), ['a', [new Date(6)]]]) all.objectStore('outside').put('keyed', key)
  for (let n = 0; n < 250; n++) all.objectStore('inside').put({ tags: ['t' + n % 3, 'all'], a: n, b: -n })
  all.objectStore('compound').put({ a: 1, b: 'x', c: 2 })
  await new Promise((resolve, reject) => { all.oncomplete = resolve; all.onabort = () => reject(all.error) })
  await done(indexedDB.open('no stores', 2))
  return described(values)
})()`
const readDatabases = `(async () => { ${prepare} ${tell}
  const names = (await indexedDB.databases()).map(({ name, version }) => name + version).sort()
  const db = await done(indexedDB.open('all kinds'))
  const all = db.transaction(db.objectStoreNames, 'readwrite')
  const outside = all.objectStore('outside'), inside = all.objectStore('inside')
  const found = {}
  for (const key of Object.keys(values)) found[key] = await done(outside.get(key))
  const facts = Array.from(db.objectStoreNames, (name) => { const store = all.objectStore(name); return [name, store.keyPath, store.autoIncrement, ...Array.from(store.indexNames, (each) => { const { keyPath, unique, multiEntry } = store.index(each); return [each, keyPath, unique, multiEntry] })] })
  return { names, facts, described: await described(found),
    keys: await described((await done(db.transaction('outside').objectStore('outside').getAllKeys())).filter((key) => typeof key !== 'string')),
    tagged: await done(db.transaction('inside').objectStore('inside').index('by tag').count('t1')),
    next: await done(db.transaction('inside', 'readwrite').objectStore('inside').put({ tags: [], a: 'new', b: 0 })),
    polluted: {}.polluted ?? null, compound: (await done(db.transaction('compound').objectStore('compound').get([1, 'x']))).c }
})()`

describe('a profile', () => {
  test('saves and restores all IndexedDB values, with versions, key paths, indexes and counters', async () => {
    let written = ''
    const first = await visit(browser, undefined, async (tab, go) => {
      await go(`${site.one}/`)
      written = await tab.evaluate(fillDatabases)
    })
    expect(first.warnings).toEqual([])
    let read: Record<string, unknown> = {}
    const second = await visit(browser, overJson(first.state), async (tab, go) => {
      await go(`${site.one}/`)
      read = await tab.evaluate(readDatabases)
    })
    expect(second.restored).toEqual([])
    expect(read['described']).toBe(written)
    expect(read).toMatchObject({ tagged: 83, next: 251, polluted: null, compound: 2 })
    expect(read['names']).toEqual(['all kinds7', 'no stores2'])
    expect(read['keys']).toBe('[1.5,Date5,ArrayBuffer1,2,["a",[Date6]]]')
    expect(read['facts']).toEqual([
      ['compound', ['a', 'b'], false],
      ['empty', null, true],
      ['inside', 'id.n', true, ['by tag', 'tags', false, true], ['by two', ['a', 'b'], true, false]],
      ['outside', null, false],
    ])
  })

  const fillRest = `(async () => {
    localStorage.setItem('who', 'Ada'); localStorage.setItem('__proto__', 'x'); localStorage.setItem('length', '3'); localStorage.setItem('half\\ud800', '\\udc00')
    sessionStorage.setItem('gone', 'yes')
    document.cookie = 'page=1; max-age=1000'
    const root = await navigator.storage.getDirectory()
    const folder = await (await root.getDirectoryHandle('a folder', { create: true })).getDirectoryHandle('ü', { create: true })
    const stream = await (await folder.getFileHandle('b.bin', { create: true })).createWritable()
    await stream.write(new Uint8Array([0, 1, 255])); await stream.close()
    await root.getFileHandle('empty', { create: true })
  })()`
  const readRest = `(async () => {
    const root = await navigator.storage.getDirectory()
    const folder = await (await root.getDirectoryHandle('a folder')).getDirectoryHandle('ü')
    const bytes = await (await (await folder.getFileHandle('b.bin')).getFile()).arrayBuffer()
    const names = []; for await (const [name] of root.entries()) names.push(name)
    return { local: Array.from({ length: localStorage.length }, (_, at) => localStorage.key(at)).sort().map((name) => [name, localStorage.getItem(name)]), session: sessionStorage.length, cookie: document.cookie, bytes: [...new Uint8Array(bytes)], names: names.sort() }
  })()`

  test('saves and restores the local storage, cookies and files of two sites, but not the session storage', async () => {
    const first = await visit(browser, undefined, async (tab, go) => {
      for (const origin of [site.one, site.other]) {
        await go(`${origin}/`)
        await tab.evaluate(fillRest)
      }
    })
    expect(first.warnings).toEqual([])
    expect(first.state.origins.map(({ origin }) => origin).sort()).toEqual([site.one, site.other].sort())
    const seen: unknown[] = []
    await visit(browser, overJson(first.state), async (tab, go) => {
      for (const origin of [site.one, site.other]) {
        await go(`${origin}/`)
        seen.push(await tab.evaluate(readRest))
      }
    })
    const expected = {
      local: [
        ['__proto__', 'x'],
        ['half\ud800', '\udc00'],
        ['length', '3'],
        ['who', 'Ada'],
      ],
      session: 0,
      cookie: 'page=1',
      bytes: [0, 1, 255],
      names: ['a folder', 'empty'],
    }
    expect(seen).toEqual([expected, expected])
  })
})
