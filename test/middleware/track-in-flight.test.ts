import { expect, test } from 'vitest'
import { createInFlight } from '../../src/middleware/pipeline.ts'
import { fakeCtx } from '../helpers/fakes.ts'
import { toy, under } from './toy.ts'

test('shutdown waits for every running call, including failing ones, and for nothing else', async () => {
  const { track, settled } = createInFlight()
  await settled()
  const [slow, failing] = [Promise.withResolvers<object>(), Promise.withResolvers<object>()]
  const ended: string[] = []
  const answers = [slow, failing].map(({ promise }) =>
    under(track, () => promise)(toy(), {}, fakeCtx()).catch(() => ({})),
  )
  const done = settled().then(() => ended.push('settled'))
  failing.reject(new Error('no'))
  await answers[1]
  expect(ended).toEqual([])
  slow.resolve({})
  await done
  expect(ended).toEqual(['settled'])
})
