import { expect, test } from 'vitest'
import { type Agent, openLive } from './live.ts'
import { forAll } from '../../helpers/for-all.ts'

const live = forAll(openLive)
/** Tests a task with the best possible calls, and their maximum cost. */
function task(name: string, most: { calls: number; characters: number }, work: (agent: Agent) => Promise<void>): void {
  test(`${name} takes ${most.calls} calls`, async () => {
    const agent = await live.agent()
    try {
      await work(agent)
    } finally {
      await agent.close()
    }
    expect(agent.cost().calls).toBeLessThanOrEqual(most.calls)
    expect(agent.cost().characters).toBeLessThanOrEqual(most.characters)
  })
}

task('a form with one invalid field', { calls: 3, characters: 1600 }, async (agent) => {
  await agent.open('/act/form')
  const [email, boat, kind] = [agent.ref('"Email"'), agent.ref('"Boat name"'), agent.ref('"Kind"')]
  const complaint = await agent.act(
    { type: 'fill', target: email, value: 'ann' },
    { type: 'fill', target: boat, value: 'Seagull' },
    { type: 'select', target: kind, options: ['Sailing boat'] },
    { type: 'check', target: 'Outer harbour' },
    { type: 'check', target: agent.ref('"I agree') },
    { type: 'click', target: 'button "Register"' },
  )
  expect(complaint.text).toContain('invalid "Enter an address such as ann@example.com"')
  const done = await agent.act(
    { type: 'fill', target: email, value: 'ann@example.com' },
    { type: 'click', target: 'button "Register"' },
  )
  expect(done).toMatchObject({ ok: true, text: expect.stringContaining('your boat Seagull is registered') })
})

task('a login and a table', { calls: 2, characters: 5200 }, async (agent) => {
  await agent.open('/act/login')
  const { extracted, url } = await agent.act(
    { type: 'fill', target: agent.ref('"User"'), value: 'ann' },
    { type: 'fill', target: agent.ref('"Password"'), value: 'secret' },
    { type: 'press', key: 'Enter' },
    { type: 'wait', text: 'Your orders' },
    { type: 'extract', as: 'rows' },
  )
  expect(url).toContain('/act/orders')
  const rows = JSON.parse(extracted[0] ?? '') as Record<string, string>[]
  expect(rows).toHaveLength(40)
  expect(rows[2]).toMatchObject({ Order: 'A-1003', Goods: 'Deck brush', Total: '22.50 €' })
})

task('a search and a price', { calls: 2, characters: 1000 }, async (agent) => {
  await agent.open('/act/shop')
  const { text } = await agent.act(
    { type: 'fill', target: agent.ref('searchbox'), value: 'bell' },
    { type: 'press', key: 'Enter' },
    { type: 'wait', gone: 'Searching' },
  )
  expect(text).toMatch(/Brass bell.*19\.9 €/)
})

task('thirty rows over three pages', { calls: 1, characters: 2200 }, async (agent) => {
  const { extracted } = await agent.act(
    { type: 'navigate', url: '/act/pages' },
    { type: 'extract', as: 'rows' },
    { type: 'click', target: 'link "Next"' },
    { type: 'extract', as: 'rows' },
    { type: 'click', target: 'link "Next"' },
    { type: 'extract', as: 'rows' },
  )
  const rows = extracted.flatMap((each) => JSON.parse(each) as Record<string, string>[])
  expect(rows.map(({ No }) => Number(No))).toEqual(Array.from({ length: 30 }, (_, index) => index + 1))
})

task('a list that grows as it is scrolled', { calls: 1, characters: 3000 }, async (agent) => {
  const { text } = await agent.act(
    { type: 'navigate', url: '/act/endless' },
    { type: 'scroll', direction: 'end' },
    { type: 'scroll', direction: 'end' },
    { type: 'scroll', direction: 'end' },
  )
  expect(text).toContain('Entry 55')
})

task('a wizard in a frame that opens a tab', { calls: 2, characters: 1600 }, async (agent) => {
  await agent.open('/act/wizard')
  const { text } = await agent.act(
    { type: 'fill', target: agent.ref('"Length'), value: '8' },
    { type: 'click', target: agent.ref('button "Next"') },
    { type: 'click', target: 'link "See the offer"' },
  )
  expect(text).toContain('New tab t2, which is current now')
  expect(text).toContain('184.20 €')
})

task('a piece of code on a page of documentation', { calls: 1, characters: 1000 }, async (agent) => {
  const { text } = await agent.act({ type: 'navigate', url: '/act/docs' }, { type: 'wait', text: 'Set up the radio' })
  expect(text).toMatch(/code e\d+ \(3 lines\): radio --channel 16 ⏎ radio --squelch 4 ⏎ radio listen/)
})

task('one fact on a page of five megabytes', { calls: 1, characters: 1000 }, async (agent) => {
  const { text } = await agent.act(
    { type: 'navigate', url: '/act/large' },
    { type: 'wait', text: 'tide gauge at Rock 9' },
  )
  expect(text).toMatch(/under "Part 1731".*screens below:\n.*reads 4\.72 m/)
})
