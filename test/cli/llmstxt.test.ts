import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { llmstxtCommand } from '../../src/cli/commands/job-commands.ts'
import { failure } from '../../src/kernel/error.ts'
import { folderForAll } from '../helpers/for-all.ts'
import { answeringApp, runCommand } from './kit.ts'

const folder = folderForAll()

const data = { llmstxt: '# Silk\u001B[2J\n', llmsfulltxt: 'Title: Silk\n' }
const under = { status: 'processing', completed: 1, total: 2 }
const done = { ...under, status: 'completed', data, warning: '2 pages are left out.' }

type Options = { flags?: { out?: string; limit?: string }; isInteractive?: boolean; states?: object[]; fails?: boolean }

/** Returns the requests and output of the command, which sees one state after the other. */
async function run(
  words: readonly string[],
  { flags = {}, isInteractive = false, states = [under, done], fails }: Options = {},
) {
  const calls: { name: string; input: object }[] = []
  const ending = new AbortController()
  const app = answeringApp(async ({ name }, input) => {
    calls.push({ name, input })
    if (fails) throw failure('BAD_REQUEST', { message: 'No URL.' })
    if (name !== 'llmstxt_status') return { id: 'job-1' }
    const state = states.shift()
    if (!state) ending.abort()
    return state ?? under
  })
  const { signal } = ending
  const { code, ...written } = await runCommand(llmstxtCommand, words, { flags, app, isInteractive, signal })
  return { code, calls, written }
}

describe('gossamer llmstxt', () => {
  test('waits for the job and prints the file, for a person without control characters', async () => {
    const { code, calls, written } = await run(['https://silk.test', '{"cache": false}'], {
      isInteractive: true,
      flags: { limit: '5' },
    })
    expect(code).toBe(0)
    expect(calls[0]).toEqual({ name: 'llmstxt', input: { url: 'https://silk.test', maxUrls: 5, cache: false } })
    expect(written.out).toMatch(/^# Silk/)
    expect(written.out).not.toContain('\u001B')
    expect(written.err).toContain('Note: 2 pages are left out.')
  })

  test('writes both files to a folder', async () => {
    const out = join(folder.path, 'a', 'b')
    const { calls, written } = await run(['https://silk.test'], { flags: { out } })
    expect(calls[0]?.input).toMatchObject({ showFullText: true })
    const files = [join(out, 'llms.txt'), join(out, 'llms-full.txt')]
    expect(JSON.parse(written.out)).toEqual({ files })
    expect(await Promise.all(files.map((file) => readFile(file, 'utf8')))).toEqual([data.llmstxt, data.llmsfulltxt])
  })

  test('reports why there is no file', async () => {
    const failed = { ...under, status: 'failed', error: 'NO_PAGE_READ: None.' }
    const { code, written } = await run(['https://silk.test'], { states: [failed] })
    expect([code, JSON.parse(written.out)]).toEqual([1, { success: false, error: 'NO_PAGE_READ: None.' }])
    const refused = await run(['https://silk.test'], { fails: true })
    expect([refused.code, JSON.parse(refused.written.out)]).toEqual([
      1,
      expect.objectContaining({ code: 'BAD_REQUEST', error: 'No URL.' }),
    ])
  })

  test('cancels the job when it is stopped', async () => {
    const { code, calls, written } = await run(['https://silk.test'], { states: [] })
    expect([code, written.out]).toEqual([130, ''])
    expect(calls.at(-1)).toEqual({ name: 'extract_cancel', input: { id: 'job-1' } })
  })
})
