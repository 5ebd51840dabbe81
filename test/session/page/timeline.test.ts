import { expect, test } from 'vitest'
import { createTimeline, storeTimeline, smallPicture, timelineOf } from '../../../src/engine/session/timeline.ts'
import { html } from '../../helpers/site/route.ts'
import { tempStore } from '../../store/kit.ts'
import { openLive } from './live.ts'
import { forAll } from '../../helpers/for-all.ts'

const pay = html(`<title>Pay</title><label>Name <input name="name"></label>
  <label>Card <input autocomplete="cc-number"></label> <label>Password <input type="password"></label>`)

const live = forAll(() => openLive({ routes: { '/pay': pay } }))

test('a small picture shows the page, but none is taken while a card number is visible', async () => {
  const agent = await live.agent()
  await agent.open('/pay')
  const picture = () => smallPicture(agent.tabs.current())
  await agent.act({ type: 'fill', target: 'Name', value: 'Ann' }, { type: 'fill', target: 'Password', value: 'x' })
  const taken = (await picture()) ?? ''
  expect(taken).toMatch(/^data:image\/jpeg;base64,/)
  expect(taken.length).toBeLessThan(20_000)
  await agent.fill('Card', '4111')
  expect(await picture()).toBeUndefined()
  await agent.fill('Card', '')
  expect(await picture()).toMatch(/^data:image/)
  await agent.close()
})

test('a browser that starts no picture in time leaves no unhandled error', async () => {
  const agent = await live.agent()
  await agent.open('/pay')
  const tab = agent.tabs.current()
  const { send } = tab.session
  const stalled: typeof send = (method, params, signal) =>
    method === 'Page.startScreencast'
      ? new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error)))
      : send(method, params, signal)
  // An error that nothing awaits ends the program, and fails this run.
  expect(await smallPicture({ ...tab, session: { ...tab.session, send: stalled } })).toBeUndefined()
  await agent.close()
})

test('the timeline keeps the newest acts and fewer pictures; acts in quick succession share one', async () => {
  const timeline = createTimeline(() => {})
  let taken = 0
  for (let at = 1; at <= 250; at++) timeline.add(`Act ${at}`, async () => `data:${++taken}`)
  await expect.poll(() => timeline.all().at(-1)?.picture).toBe('data:2')
  expect(timeline.all()).toHaveLength(200)
  expect(timeline.all()[0]?.text).toBe('Act 51')
  expect(timeline.all().filter(({ picture }) => picture !== undefined)).toHaveLength(60)
})

test('an act is kept if its picture cannot be taken', async () => {
  const timeline = createTimeline(() => {})
  timeline.add('Closing the tab', () => Promise.reject(new Error('There is no tab.')))
  timeline.add('Opening a tab', async () => 'data:1')
  await expect.poll(() => timeline.all()[1]?.picture).toBe('data:1')
})

test('the acts of a session are stored for its team, but not those of a session without a live view', async () => {
  const { store } = await tempStore({ clock: { now: Date.now } })
  const acts = [{ n: 1, at: 1, text: 'Scrolling' }]
  const session = { kind: 'browser', teamId: 'red', createdAt: 1, lastActivityAt: 1, expiresAt: 1 } as const
  for (const streamWebView of [true, false])
    await storeTimeline({ ...session, id: `shown ${streamWebView}`, streamWebView }, null, { acts, jobs: store.jobs })
  const stored = (id: string, teamId: string) =>
    timelineOf(id, { ports: store, team: { id: teamId } } as unknown as Parameters<typeof timelineOf>[1])
  expect(await stored('shown true', 'red')).toEqual({ acts })
  expect(await stored('shown true', 'blue')).toEqual({ acts: [] })
  expect(await stored('shown false', 'red')).toEqual({ acts: [] })
})
