import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createBacklogs } from '../../src/app/wiring/crawl-threads/crawl-thread-ports.ts'

const { signal } = new AbortController()

/** Backlogs that report which fetches may start. */
function backlogs() {
  const { mayFetch, enter } = createBacklogs()
  const started: string[] = []
  return {
    enter,
    started,
    fetch: (name: string, teamId = 'acme', ended = signal) =>
      mayFetch(teamId, ended).then(() => void started.push(name)),
  }
}

test('pages are fetched while few of the team wait to be read', async () => {
  const { enter, fetch, started } = backlogs()
  await fetch('first')
  enter('acme')
  await fetch('second')
  expect(started).toEqual(['first', 'second'])
})

test('a fetch starts for each page that starts to be read, in the order of the requests', async () => {
  const { enter, fetch, started } = backlogs()
  const [one, two, three] = [enter('acme'), enter('acme'), enter('acme')]
  void fetch('first')
  void fetch('second')
  void fetch('third')
  await setImmediate()
  expect(started).toEqual([])
  one.begin()
  await setImmediate()
  expect(started).toEqual(['first'])
  one.leave()
  two.begin()
  two.begin()
  await setImmediate()
  expect(started).toEqual(['first', 'second'])
  three.leave()
  two.leave()
  await setImmediate()
  expect(started).toEqual(['first', 'second', 'third'])
})

test('all waiting fetches start when no page waits to be read', async () => {
  const { enter, fetch, started } = backlogs()
  const places = [enter('acme'), enter('acme')]
  const all = ['first', 'second', 'third', 'fourth', 'fifth'].map((name) => fetch(name))
  for (const place of places) {
    place.begin()
    place.leave()
  }
  await Promise.all(all)
  expect(started).toEqual(['first', 'second', 'third', 'fourth', 'fifth'])
})

test('pages of one team do not delay those of another', async () => {
  const { enter, fetch, started } = backlogs()
  for (let page = 0; page < 10; page++) enter('acme')
  void fetch('held')
  await fetch('free', 'other')
  expect(started).toEqual(['free'])
})

test('an aborted fetch does not wait, and does not use the turn of the next', async () => {
  const { enter, fetch, started } = backlogs()
  const [one] = [enter('acme'), enter('acme')]
  const leaving = new AbortController()
  const left = fetch('unwanted', 'acme', leaving.signal)
  void fetch('next')
  leaving.abort(new Error('The caller has left.'))
  await expect(left).rejects.toThrow('The caller has left.')
  one.begin()
  await setImmediate()
  expect(started).toEqual(['next'])
  await expect(fetch('late', 'acme', leaving.signal)).rejects.toThrow('The caller has left.')
})

test('a page that is aborted before its turn delays nothing', async () => {
  const { enter, fetch, started } = backlogs()
  const places = [enter('acme'), enter('acme')]
  const held = fetch('held')
  for (const place of places) place.leave()
  await held
  expect(started).toEqual(['held'])
})
