import { describe, expect } from 'vitest'
import { test } from './fixture.ts'
import type { Agent } from './live.ts'

const open = (agent: Agent, path: string) => agent.open(`/reach/${path}`)
const times = (text: string, part: string) => text.split(part).length - 1

describe.concurrent('the answer to acts', () => {
  test('lists the changes and nothing else', async ({ agent }) => {
    await open(agent, 'app')
    const { text } = await agent.click('More')
    expect(text).toMatch(/^\+ The crane is busy\.\n\+ button "Wait" e\d+$/)
    const again = await agent.click('More')
    expect(again.text).not.toContain('Quay')
  })

  test('is a snapshot if most of the page has changed, or more than can be listed', async ({ agent }) => {
    await open(agent, 'app')
    const { text } = await agent.click('All')
    expect(text).toMatch(/^Reach — http/)
    expect(text).toMatch(/h1 "Boats"\n[^]*Board 3" e\d+/)
    expect(text).not.toMatch(/^[+-] /m)
    expect((await agent.click('More')).text).toContain('+ The crane is busy.')
  })

  test('does not repeat extracted text in a snapshot', async ({ agent }) => {
    const { text } = await agent.act({ type: 'navigate', url: '/reach/app' }, { type: 'extract', as: 'text' })
    expect(times(text, 'Quay 3 is free.')).toBe(1)
    expect(times(text, 'Harbour')).toBe(1)
    expect(text).toMatch(/button "More" e\d+/)
  })

  test('does not repeat an extracted change', async ({ agent }) => {
    await open(agent, 'app')
    const { text } = await agent.act({ type: 'click', target: 'More' }, { type: 'extract', target: 'main', as: 'text' })
    expect(times(text, 'The crane is busy.')).toBe(1)
    expect(text).toMatch(/\+ button "Wait" e\d+/)
  })
})
