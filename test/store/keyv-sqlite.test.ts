import { Keyv } from 'keyv'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openSqlite } from '../../src/engine/store/sqlite/db/sqlite-db.ts'
import { bodyKey, createKeyvSqlite, pageKey } from '../../src/engine/store/sqlite/pages/keyv-sqlite.ts'
import { fakeClock, aPage } from '../contracts/fixtures.ts'

function open() {
  const db = openSqlite(':memory:')
  onTestFinished(() => db.close())
  const clock = fakeClock(Date.now())
  const storage = createKeyvSqlite(db, clock, () => undefined)
  const keyv = new Keyv({ store: storage, serialization: false, checkExpired: false })
  const body = { fetchedAt: 1000, body: new Uint8Array([1, 2, 3]) }
  return { keyv, clock, storage, body, entries: [entry(pageKey('k'), aPage()), entry(bodyKey('k'), body)] }
}

const entry = (key: string, value: unknown) => ({ key, value })

describe('Keyv on SQLite', () => {
  test('is used as it is, not through a bridge', () => {
    const { keyv, storage } = open()
    expect(keyv.store).toBe(storage)
  })

  test('gives back what was set, one by one and many at once', async () => {
    const { keyv, body, entries } = open()
    expect(await keyv.setMany(entries)).toEqual([true, true])
    expect(await keyv.get(pageKey('k'))).toEqual(aPage())
    expect(await keyv.getMany([bodyKey('k'), pageKey('none'), pageKey('k')])).toEqual([body, undefined, aPage()])
    expect(await keyv.hasMany([pageKey('k'), bodyKey('k'), bodyKey('none')])).toEqual([true, true, false])
  })

  test('writes a page before its body, whatever their order', async () => {
    const { keyv, body, entries } = open()
    await keyv.setMany(entries.toReversed())
    expect(await keyv.get(bodyKey('k'))).toEqual(body)
  })

  test('deletes a body alone, and a page with its body', async () => {
    const { keyv, entries } = open()
    await keyv.setMany(entries)
    expect(await keyv.delete(bodyKey('k'))).toBe(true)
    expect(await keyv.hasMany([pageKey('k'), bodyKey('k')])).toEqual([true, false])
    await keyv.setMany(entries)
    expect(await keyv.deleteMany([pageKey('k'), pageKey('none')])).toEqual([true, false])
    expect(await keyv.hasMany([pageKey('k'), bodyKey('k')])).toEqual([false, false])
  })

  test('of several writes of one page the last is kept, also where one ends while the next waits', async () => {
    const { keyv, storage, entries } = open()
    const write = (nth: number) =>
      storage.set(pageKey('k'), { value: aPage({ fetchedAt: nth, url: `http://a.test/${nth}` }) })
    // The first write of all takes longer than others wait for company.
    await keyv.setMany(entries)
    const [first, second] = [write(2001), write(2002)]
    await first
    const third = write(2003)
    storage.hasten()
    await Promise.all([second, third])
    expect(await storage.get(pageKey('k'))).toMatchObject({ value: { url: 'http://a.test/2003' } })
  })

  test('forgets everything when cleared', async () => {
    const { keyv, entries } = open()
    await keyv.setMany(entries)
    await keyv.clear()
    expect(await keyv.getMany([pageKey('k'), bodyKey('k')])).toEqual([undefined, undefined])
  })

  test('an entry is gone at the moment it expires', async () => {
    const { keyv, clock } = open()
    await keyv.set(pageKey('k'), aPage(), 60_000)
    expect(await keyv.get(pageKey('k'))).toEqual(aPage())
    clock.advance(61_000)
    expect(await keyv.get(pageKey('k'))).toBeUndefined()
    expect(await keyv.has(pageKey('k'))).toBe(false)
  })
})
