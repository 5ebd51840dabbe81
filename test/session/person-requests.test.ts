import { expect, test } from 'vitest'
import { createPeople } from '../../src/engine/session/people.ts'

const never = new AbortController().signal
const requests = () => createPeople({ changed() {}, isWatched: () => false }).requests

test('a request that an agent waits for is shown before abandoned ones, and only that one is answered', async () => {
  const { ask, shown, answer } = requests()
  expect(await ask('Log in', 0, never)).toBe('waiting')
  const captcha = ask('Solve the captcha', 60_000, never)
  expect(shown()).toMatchObject({ message: 'Solve the captcha' })
  answer(shown()!.id, 'done')
  expect(await captcha).toBe('done')
  expect(shown()).toMatchObject({ message: 'Log in' })
})

test('an answer to a request that is no longer shown is ignored', async () => {
  const { ask, shown, answer } = requests()
  const caller = new AbortController()
  const first = ask('Log in', 60_000, caller.signal)
  const { id } = shown()!
  caller.abort(new Error('over'))
  await expect(first).rejects.toThrow('over')
  const second = ask('Pay', 60_000, never)
  answer(id, 'done')
  expect(shown()).toMatchObject({ message: 'Pay' })
  answer(shown()!.id, 'declined')
  expect(await second).toBe('declined')
})

test('an answer that arrives after the agent stopped waiting is returned when the agent repeats its request', async () => {
  const { ask, shown, answer } = requests()
  expect(await ask('Log in', 0, never)).toBe('waiting')
  answer(shown()!.id, 'done')
  expect(shown()).toBeUndefined()
  expect(await ask('Log in', 60_000, never)).toBe('done')
})
