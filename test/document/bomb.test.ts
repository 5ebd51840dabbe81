import { spawn } from 'node:child_process'
import { afterEach, describe, expect, test } from 'vitest'
import { type ConverterPool, createConverterPool } from '../../src/engine/document/converter-pool.ts'
import { bytes, failureOf } from '../helpers/fakes.ts'
import { isAlive, until } from '../helpers/processes.ts'
import type { DocumentKind } from '../../src/contracts/page-content.ts'

const opened: ConverterPool[] = []
afterEach(() => opened.splice(0).forEach((children) => children.close()))

const open = (limits: Parameters<typeof createConverterPool>[0] = {}) => {
  const children = createConverterPool(limits)
  opened.push(children)
  return children
}
const unruly = new URL('./programs/unruly-child.ts', import.meta.url)
const never = new AbortController().signal

function convert(children: ConverterPool, kind: DocumentKind, content: string | Uint8Array, signal = never) {
  const source = {
    bytes: bytes(content),
    url: 'https://example.com/a',
    contentType: undefined,
    pdf: { mode: 'auto' },
  } as const
  return children.convert({ teamId: 'red', kind, source }, signal)
}
const pidOf = async (answer: Promise<object>) => Number(((await answer) as { markdown: string }).markdown)

describe.skipIf(process.platform === 'win32')('a child', () => {
  test('ends with the programs that it runs', async () => {
    const children = open({ program: unruly })
    const program = await pidOf(convert(children, 'csv', 'program'))
    expect(isAlive(program)).toBe(true)
    children.close()
    await until(() => !isAlive(program))
  })

  test('that cannot be started fails its file and releases its slot', async () => {
    const children = open({ program: new URL('./programs/none.ts', import.meta.url), maxChildren: 1 })
    for (const _ of [1, 2])
      expect(await failureOf(convert(children, 'csv', 'a'))).toMatchObject({ code: 'SCRAPE_UNSUPPORTED_FILE_ERROR' })
  })

  test('that computes endlessly ends when its parent is killed', async () => {
    const parent = spawn(process.execPath, [new URL('./programs/looping-parent.ts', import.meta.url).pathname])
    const [said] = await new Promise<Buffer[]>((resolve) =>
      parent.stdout.once('data', (...all: Buffer[]) => resolve(all)),
    )
    const child = Number(said?.toString())
    expect(isAlive(child)).toBe(true)
    parent.kill('SIGKILL')
    await until(() => !isAlive(child))
  })
})
