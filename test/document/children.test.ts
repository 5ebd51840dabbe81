import { spawn } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import type { DocumentKind } from '../../src/contracts/page-content.ts'
import { type ConverterPool, createConverterPool, type PoolLimits } from '../../src/engine/document/converter-pool.ts'
import { bytes, failureOf } from '../helpers/fakes.ts'
import { forTest } from '../helpers/for-all.ts'
import { isAlive, until } from '../helpers/processes.ts'

const open = (limits: PoolLimits = {}): ConverterPool => forTest(createConverterPool(limits))
const program = new URL('./programs/unruly-child.ts', import.meta.url)
const never = new AbortController().signal
const taskOf = (kind: DocumentKind, text: string) => ({
  teamId: 'red',
  kind,
  source: { bytes: bytes(text), url: 'https://example.com/a', contentType: 'text/csv', pdf: { mode: 'auto' } as const },
})
const ask = (children: ConverterPool, text: string) => children.convert(taskOf('csv', text), never)
const pidOf = async (answer: Promise<object>) => Number(((await answer) as { markdown: string }).markdown)
const gone = (pid: number) => until(() => !isAlive(pid))
const unsupported = { code: 'SCRAPE_UNSUPPORTED_FILE_ERROR' }

describe('a converter process', () => {
  test('fails with the error of its converter, without its text', async () => {
    expect(await failureOf(open().convert(taskOf('none' as 'csv', ''), never))).toMatchObject({
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

  test.each(['exit', 'crash', 'heap'])('that a file crashes (%s) fails that file and no other', async (order) => {
    const children = open({ program, maxMemoryMb: 64 })
    const [bad, good] = await Promise.all([failureOf(ask(children, order)), pidOf(ask(children, 'a'))])
    expect(bad).toMatchObject(unsupported)
    expect(good).toBeGreaterThan(0)
  })

  test.each([
    ['announces four gigabytes', 'endless'],
    ['is not a message', 'nonsense'],
    ['exceeds the size limit', 'long 2000'],
  ])('whose answer %s fails its file and is ended', async (_, order) => {
    const children = open({ program, maxChildren: 1, maxAnswerBytes: 1000 })
    const pid = await pidOf(ask(children, 'a'))
    expect(await failureOf(ask(children, order))).toMatchObject(unsupported)
    await gone(pid)
    expect(await pidOf(ask(children, 'b'))).not.toBe(pid)
  })

  test('keeps the bytes of a PDF that ends it, because the PDF is read again', async () => {
    const { source, ...task } = taskOf('pdf', 'crash')
    const given = { ...source, bytes: new TextEncoder().encode('crash'), isGivenUp: true }
    expect(await failureOf(open({ program }).convert({ ...task, source: given }, never))).toMatchObject(unsupported)
    expect(given.bytes.byteLength).toBe(5)
  })
})

describe.skipIf(process.platform === 'win32')('a converter process', () => {
  test('ends with the programs that it runs', async () => {
    const children = open({ program })
    const pid = await pidOf(ask(children, 'program'))
    expect(isAlive(pid)).toBe(true)
    children.close()
    await gone(pid)
  })

  test('that cannot be started fails its file and releases its slot', async () => {
    const children = open({ program: new URL('./programs/none.ts', import.meta.url), maxChildren: 1 })
    for (const _ of [1, 2]) expect(await failureOf(ask(children, 'a'))).toMatchObject(unsupported)
  })

  test('that computes endlessly ends when its parent is killed', async () => {
    const parent = spawn(process.execPath, [new URL('./programs/looping-parent.ts', import.meta.url).pathname])
    const [output] = await new Promise<Buffer[]>((resolve) =>
      parent.stdout.once('data', (...all: Buffer[]) => resolve(all)),
    )
    const child = Number(output?.toString())
    expect(isAlive(child)).toBe(true)
    parent.kill('SIGKILL')
    await gone(child)
  })
})
