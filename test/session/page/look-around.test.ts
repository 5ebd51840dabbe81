import { describe, expect } from 'vitest'
import { test } from './fixture.ts'
import type { SessionAction } from '../../../src/contracts/render-port.ts'
import type { Agent } from './live.ts'

const open = (agent: Agent) => agent.open('/reach/fetches')

describe.concurrent('requests of a page', () => {
  test('that failed are reported once, and can be read with their response', async ({ agent }) => {
    await open(agent)
    await agent.click('Buy')
    const { extracted } = await agent.act({ type: 'network' })
    expect(extracted[0]).toMatch(/^r\d+ POST \/reach\/data fetch: 500$/)
    expect((await agent.act({ type: 'network' })).extracted).toEqual(['No request has failed since the last call.'])
    const target = extracted[0]?.split(' ', 1)[0] ?? ''
    const [details] = (await agent.act({ type: 'network', target })).extracted
    expect(details).toContain('sent: {"rope": 2}')
    expect(details).toContain('response (application/json): {"reason": "no stock of rope"}')
  })

  test('include the reason if there is no answer', async ({ agent }) => {
    await open(agent)
    await agent.click('Other')
    expect((await agent.act({ type: 'network' })).extracted[0]).toMatch(
      /^r\d+ GET http:\/\/127\.0\.0\.1:1\/x fetch: failed: unsafe port$/,
    )
  })
})

test('the console is reported once, with the level of each line', async ({ agent }) => {
  await open(agent)
  await agent.click('Buy')
  expect((await agent.act({ type: 'console' })).extracted).toEqual(['log: buying 2 ropes\nwarning: low stock'])
  expect((await agent.act({ type: 'console' })).extracted).toEqual([
    'Nothing was written to the console since the last call.',
  ])
})

/** Width and height of a JPEG, from its frame header (ITU-T T.81, B.2.2). */
function sizeOf(dataUrl = ''): { width: number; height: number } {
  const file = Buffer.from(dataUrl.split(',')[1] ?? '', 'base64')
  for (let at = 2; at < file.length; at += 2 + file.readUInt16BE(at + 2))
    if (/^ffc[012]$/.test(file.toString('hex', at, at + 2)))
      return { height: file.readUInt16BE(at + 5), width: file.readUInt16BE(at + 7) }
  throw new Error('no picture')
}

describe.concurrent('a screenshot', () => {
  test.for<[string, Partial<Extract<SessionAction, { type: 'screenshot' }>>, string]>([
    ['the view', {}, '({ width: innerWidth, height: innerHeight })'],
    ['an element', { target: 'Card' }, '({ width: 200, height: 100 })'],
    ['the page', { fullPage: true }, '({ width: innerWidth, height: document.documentElement.scrollHeight })'],
  ])('of %s', async ([, what, size], { agent }) => {
    await open(agent)
    const { ok, text, screenshots } = await agent.act({ type: 'screenshot', ...what })
    expect({ ok, text }).toEqual({ ok: true, text: what.target ? '' : expect.stringContaining('targets of click') })
    const wanted = await agent.tabs.current().evaluate(size, AbortSignal.timeout(5000))
    expect(screenshots?.map((each) => sizeOf(each))).toEqual([wanted])
  })

  test('is cut at the limit of Chromium if the element is very tall', async ({ agent }) => {
    await agent.open('/reach/tall')
    const { screenshots } = await agent.act({ type: 'screenshot', target: 'Tower' })
    expect(screenshots?.map((each) => sizeOf(each))).toEqual([{ width: 100, height: 16_384 }])
  })
})
