import { describe, expect, test } from 'vitest'
import { failureOf } from '../helpers/fakes.ts'
import { setting } from './interact-setting.ts'

describe('interact with a prompt', () => {
  test('carries out plain commands even without a model, and stores the acts without typed text', async () => {
    const { interact: call, acted, records } = setting()
    const answer = await call({ prompt: 'type hush into Name, then click Next' })
    const steps = [
      { acts: ['fill'], ok: true },
      { acts: ['click'], ok: true },
    ]
    expect(answer).toEqual({
      stdout: '',
      result: 'Shop\nbutton "Next" e1',
      stderr: '',
      exitCode: 0,
      killed: false,
      output: '+ Page two',
      steps,
      liveViewUrl: 'http://127.0.0.1:3002/live/v',
      interactiveLiveViewUrl: 'http://127.0.0.1:3002/live/k',
    })
    expect(acted).toEqual([
      { type: 'fill', target: 'Name', value: 'hush' },
      { type: 'click', target: 'Next' },
    ])
    expect(records.at(-1)).toMatchObject({ endpoint: 'interact', result: { output: '+ Page two', steps }, credits: 0 })
    expect(JSON.stringify(records.at(-1))).not.toContain('hush')
  })

  test('reports which of several commands failed', async () => {
    const { interact: call, state, acted } = setting()
    state.acts = false
    expect(await call({ prompt: 'click Next, then go back' })).toMatchObject({
      exitCode: 1,
      error: expect.stringContaining('Command 1 of 2 failed'),
      steps: [{ acts: ['click'], ok: false }],
    })
    expect(acted).toEqual([{ type: 'click', target: 'Next' }])
  })

  test('opens no browser for a prompt that it cannot follow', async () => {
    const { interact: call, requests } = setting()
    await failureOf(call({ prompt: 'Find the cheapest bell' }))
    expect(requests).toEqual([])
  })
})
