import { expect, test } from 'vitest'
import { limitedTest } from '../../../src/engine/crawl/scope/path-patterns.ts'

const endless = (): never => {
  for (;;);
}

test('a text that exceeds the time limit once gets a second attempt', () => {
  let compiled = 0
  const givenUp: string[] = []
  const slowAtFirst = () => {
    compiled += 1
    return compiled % 2 === 1 ? { test: endless } : { test: (text: string) => text !== 'b' }
  }
  const holds = limitedTest(slowAtFirst, () => givenUp.push('given up'))
  expect(['a', 'b', 'c', 'd'].map(holds)).toEqual([true, false, true, true])
  expect(givenUp).toEqual([])
})

test('an expression is given up after three slow texts, with one warning', () => {
  const givenUp: string[] = []
  const holds = limitedTest(
    () => ({ test: endless }),
    () => givenUp.push('given up'),
  )
  expect(['a', 'b'].map(holds)).toEqual([false, false])
  expect(givenUp).toEqual([])
  expect(['c', 'd', 'e'].map(holds)).toEqual([false, false, false])
  expect(givenUp).toEqual(['given up'])
})

test('a failing expression does not match, and is used again for other texts', () => {
  const holds = limitedTest(
    () => ({
      test: (text) => {
        if (text === 'deep') throw new RangeError('The stack is full.')
        return true
      },
    }),
    () => expect.unreachable(),
  )
  expect(['deep', 'deep', 'deep', 'deep', 'flat'].map(holds)).toEqual([false, false, false, false, true])
})
