import { describe, expect, test } from 'vitest'
import { failure } from '../../../src/kernel/error.ts'
import { openPilotStand } from './stand.ts'
import { forAll } from '../../helpers/for-all.ts'

const stand = forAll(openPilotStand)

const broken = () => {
  throw failure('MODEL_FAILED')
}

describe('plain commands without a model', () => {
  test.each<[string, string, string | RegExp]>([
    ['/act/shop', 'Search for bell, wait for Results and read the text', /Brass bell/],
    ['/act/login', 'type ann into User, type secret into Password, click Log in and what is the title?', /^Orders$/],
    ['/act/pages', 'click Next, then extract the table', /"No":"11"/],
    ['/act/form', 'select Sailing boat in Kind and check Outer harbour', /radio "Outer harbour".*checked/],
  ])('are carried out on %s: %s', async (path, prompt, output) => {
    const done = await stand.run(path, prompt)
    expect(done).toMatchObject({ output: expect.stringMatching(output), isOutOfTime: false })
    expect(done).not.toHaveProperty('error')
    expect(done.questions).toEqual([])
  })

  test('are followed if the model fails before its first step', async () => {
    const done = await stand.run('/act/pages', 'click the link that says Next, then extract the table', broken)
    expect(done.output).toContain('"No":"11"')
    await expect(stand.run('/act/pages', 'Find out who wrote this', broken)).rejects.toMatchObject({
      code: 'MODEL_FAILED',
    })
  })

  test('report which of them failed, and why', async () => {
    const done = await stand.run('/act/home', 'click Shop, then click "Buy everything", then go back')
    expect(done).toMatchObject({
      output: expect.stringContaining('No visible element matches "Buy everything"'),
      error: expect.stringContaining('Command 2 of 3 failed'),
      steps: [{ ok: true }, { ok: false }],
    })
  })
})
