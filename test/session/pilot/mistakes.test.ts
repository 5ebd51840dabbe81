import { describe, expect, test } from 'vitest'
import type { ModelAnswers } from '../../helpers/fake-model.ts'
import { openPilotStand } from './stand.ts'
import { forAll } from '../../helpers/for-all.ts'

const stand = forAll(openPilotStand)

const click = (target: string) => ({ type: 'click', target })
const never: ModelAnswers = ({ signal }) =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))

describe('a mistaken model', () => {
  test('gets an error for an invented ref, and for a stale one', async () => {
    let stale = ''
    const done = await stand.run('/act/pages', 'Who is the first member of page 2?', [
      () => ({ acts: [click('e999')] }),
      ({ text, ref }) => {
        expect(text).toContain('There is no element e999')
        stale = ref('link "Next"')
        return { acts: [click(stale)] }
      },
      () => ({ acts: [click(stale)] }),
      ({ text }) => {
        expect(text).toMatch(new RegExp(`${stale} was link "Next", which is gone; the same is there again as e\\d+`))
        return { acts: [], answer: 'Member 11' }
      },
    ])
    expect(done.steps.map(({ ok }) => ok)).toEqual([false, true, false])
  })

  test('is informed that a button had no effect', async () => {
    const done = await stand.run('/pilot/dead', 'Order, and say when the tide is high.', [
      ({ ref }) => ({ acts: [click(ref('button "Order"'))] }),
      ({ text, ref }) => {
        expect(text).toContain('Nothing on the page changed.')
        expect(text).toMatch(/1\. click e\d+: no effect/)
        return { acts: [click(ref('link "Order by phone"'))] }
      },
      ({ text }) => ({ acts: [], answer: /14:32/.exec(text)?.[0] ?? 'not seen' }),
    ])
    expect(done.output).toBe('14:32')
  })

  test('gets the reason why its acts are invalid', async () => {
    const done = await stand.run('/pilot/dead', 'Order.', [
      () => ({ acts: [{ type: 'click' }] }),
      ({ text }) => {
        expect(text).toContain('These acts are not valid. 0.target:')
        return { acts: [] }
      },
      ({ text }) => {
        expect(text).toContain('Give acts or an answer.')
        return { acts: [], answer: 'done' }
      },
    ])
    expect(done.output).toBe('done')
  })

  test('is stopped if it repeats an act on the same page a third time', async () => {
    const done = await stand.run('/pilot/dead', 'Order.', () => ({
      note: 'I clicked.',
      acts: [click('button "Order"')],
    }))
    expect(done.steps).toHaveLength(2)
    expect(done).toMatchObject({
      error: expect.stringContaining('repeated the same actions'),
      output: expect.any(String),
    })
  })

  test('is stopped after 25 steps', async () => {
    let nth = 0
    const done = await stand.run('/pilot/dead', 'Order.', () => ({ acts: [click(`e${900 + ++nth}`)] }))
    expect(done.steps).toHaveLength(25)
    expect(done.error).toContain('25 steps')
  })

  test('is stopped when its time is up', async () => {
    const done = await stand.run('/pilot/dead', 'Order.', never, { timeoutMs: 1500 })
    expect(done).toMatchObject({ isOutOfTime: true, error: expect.stringContaining('within 1.5 s') })
  })
})
