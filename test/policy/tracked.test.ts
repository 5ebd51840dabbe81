import { expect, test } from 'vitest'
import { createRunning } from '../../src/middleware/tracked.ts'
import { fakeCtx } from '../helpers/fakes.ts'
import { toy } from './toy.ts'

test('waits for every running call, also for one that fails, and for nothing else', async () => {
  const { tracked, settled } = createRunning()
  await settled()
  const [slow, failing] = [Promise.withResolvers<object>(), Promise.withResolvers<object>()]
  const ended: string[] = []
  const answers = [slow, failing].map(({ promise }) => tracked(() => promise)(toy(), {}, fakeCtx()).catch(() => ({})))
  const done = settled().then(() => ended.push('settled'))
  failing.reject(new Error('no'))
  await answers[1]
  expect(ended).toEqual([])
  slow.resolve({})
  await done
  expect(ended).toEqual(['settled'])
})
