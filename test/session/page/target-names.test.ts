import { describe, expect } from 'vitest'
import { test } from './fixture.ts'
import type { Agent } from './live.ts'

const open = (agent: Agent, path: string) => agent.act({ type: 'navigate', url: path })
const fill = (agent: Agent, target: string, value: string) => agent.act({ type: 'fill', target, value })

describe.concurrent('what a name means', () => {
  test.for(['phone', 'PHONE:', 'Ph-one'])('%s is the field that is called Phone', async (name, { agent }) => {
    await open(agent, '/act/fields')
    const line = expect.stringMatching(/~ textbox "Phone" e\d+ = "5"/)
    expect(await fill(agent, name, '5')).toMatchObject({ ok: true, text: line })
  })

  test('a field that is not there is answered with the nearest field', async ({ agent }) => {
    await open(agent, '/act/fields')
    expect((await fill(agent, 'Telephone', '5')).text).toMatch(/Nearest: e\d+ textbox "Phone"/)
  })

  test('what nobody finds is answered with three names at most', async ({ agent }) => {
    await open(agent, '/act/troubles')
    const { text } = await agent.act({ type: 'click', target: 'Brokne' })
    expect(text).toMatch(/No visible element matches "Brokne". Nearest: e\d+ button "Broken"/)
    const nearest = text.split('\n').find((line) => line.includes('Nearest:')) ?? ''
    expect(nearest.match(/\be\d+ /g)?.length).toBeLessThanOrEqual(3)
  })

  test('a role that stands alone is also the name of what is called so', async ({ agent }) => {
    await open(agent, '/reach/role-names')
    const click = async (target: string) => (await agent.act({ type: 'click', target })).text
    expect(await click('Table')).toContain('by the link')
    expect(await click('table')).toContain('by the table')
    expect(await click('link "Table"')).toContain('by the link')
    expect(await click('Form')).toContain('by the button')
  })
})
