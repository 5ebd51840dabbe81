import { expect, test } from 'vitest'
import type { Session } from '../../../src/engine/browser/cdp/session.ts'
import { createCore } from '../../../src/engine/code/playwright/core.ts'

/** A page whose browser says what the test has it say. */
function scripted() {
  const listeners = new Map<string, (given: never) => void>()
  const session = {
    send: async () => ({}),
    on(event: string, listener: (given: never) => void) {
      listeners.set(event, listener)
      return () => void listeners.delete(event)
    },
  }
  const core = createCore(
    async () => session as unknown as Session,
    { targetId: 'page', url: 'about:blank' },
    { action: 1000, navigation: 1000 },
  )
  const tell = (event: string, given: object) => listeners.get(event)?.(given as never)
  return {
    core,
    commit: (loaderId: string) =>
      tell('Page.frameNavigated', { frame: { id: 'page', loaderId, url: `http://127.0.0.1/${loaderId}` } }),
    life: (loaderId: string, name: string) => tell('Page.lifecycleEvent', { frameId: 'page', loaderId, name }),
    leave: () => tell('Page.frameRequestedNavigation', { frameId: 'page' }),
  }
}

/** Whether it is over by the time that all that waits has had its turn. */
async function isOver(work: Promise<unknown>): Promise<boolean> {
  return Promise.race([work.then(() => true), new Promise<boolean>((resolve) => setImmediate(() => resolve(false)))])
}

test('a document that is loaded already does not stand for one that is on its way', async () => {
  const { core, commit, life } = scripted()
  await core.session()
  life('first', 'load')
  const reached = core.reached('load', 0, 'second')
  expect(await isOver(reached)).toBe(false)
  commit('second')
  expect(await isOver(reached)).toBe(false)
  life('second', 'load')
  expect(await isOver(reached)).toBe(true)
})

test('a document that gives way to another at once is not waited for any more', async () => {
  const { core, commit, life } = scripted()
  await core.session()
  const reached = core.reached('load', 0, 'first')
  commit('first')
  commit('second')
  life('second', 'load')
  expect(await isOver(reached)).toBe(true)
})

test('what a click has set off is waited for until its document is read', async () => {
  const { core, commit, life, leave } = scripted()
  await core.session()
  leave()
  const settled = core.settled()
  expect(await isOver(settled)).toBe(false)
  commit('next')
  expect(await isOver(settled)).toBe(false)
  life('next', 'DOMContentLoaded')
  expect(await isOver(settled)).toBe(true)
})
