import { afterEach, describe, expect, test } from 'vitest'
import { type PoolLimits, type ConverterPool, createConverterPool } from '../../src/engine/document/converter-pool.ts'
import { isAlive, until } from '../helpers/processes.ts'
import { bytes, failureOf } from '../helpers/fakes.ts'

const opened: ConverterPool[] = []
afterEach(() => opened.splice(0).forEach((children) => children.close()))

function open(limits: PoolLimits = {}): ConverterPool {
  const children = createConverterPool(limits)
  opened.push(children)
  return children
}
const program = new URL('./programs/unruly-child.ts', import.meta.url)
const never = new AbortController().signal
const source = (text: string) => ({
  bytes: bytes(text),
  url: 'https://example.com/a',
  contentType: 'text/csv',
  pdf: { mode: 'auto' } as const,
})
const ask = (children: ConverterPool, text: string, signal = never) =>
  children.convert({ teamId: 'red', kind: 'csv', source: source(text) }, signal)
const pidOf = async (answer: Promise<object>) => Number(((await answer) as { markdown: string }).markdown)

const gone = (pid: number) => until(() => !isAlive(pid))

describe('a converter process', () => {
  test('fails with the error of its converter, in our own words', async () => {
    const kind = 'none' as 'csv'
    expect(await failureOf(open().convert({ teamId: 'red', kind, source: source('') }, never))).toMatchObject({
      code: 'UNKNOWN_ERROR',
      status: 500,
    })
  })

  test('ends after a time without work', async () => {
    const children = open({ program, idleMs: 1 })
    const pid = await pidOf(ask(children, 'a'))
    await gone(pid)
    expect(await pidOf(ask(children, 'b'))).not.toBe(pid)
  })

  test.each(['exit', 'crash', 'heap'])('that dies of its file (%s) fails that file and no other', async (wish) => {
    const children = open({ program, maxMemoryMb: 64 })
    const [bad, good] = await Promise.all([failureOf(ask(children, wish)), pidOf(ask(children, 'a'))])
    expect(bad).toMatchObject({ code: 'SCRAPE_UNSUPPORTED_FILE_ERROR' })
    expect(good).toBeGreaterThan(0)
  })
})

describe('the answer of a converter process', () => {
  const refused = { code: 'SCRAPE_UNSUPPORTED_FILE_ERROR' }

  test.each([
    ['announces four gigabytes', 'endless'],
    ['is not a message', 'nonsense'],
    ['exceeds the size limit', 'long 2000'],
  ])('that %s fails its file, and the process is ended', async (_, wish) => {
    const children = open({ program, maxChildren: 1, maxAnswerBytes: 1000 })
    const pid = await pidOf(ask(children, 'a'))
    expect(await failureOf(ask(children, wish))).toMatchObject(refused)
    await gone(pid)
    expect(await pidOf(ask(children, 'b'))).not.toBe(pid)
  })
})

const given = (kind: 'csv' | 'pdf', wish: string) => ({
  teamId: 'red',
  kind,
  source: { ...source(wish), bytes: new TextEncoder().encode(wish), isGivenUp: true },
})

describe('bytes of a file that are handed over', () => {
  test('are kept if the file is read again later', async () => {
    const task = given('pdf', 'crash')
    expect(await failureOf(open({ program }).convert(task, never))).toMatchObject({
      code: 'SCRAPE_UNSUPPORTED_FILE_ERROR',
    })
    expect(task.source.bytes.byteLength).toBe(5)
  })
})
