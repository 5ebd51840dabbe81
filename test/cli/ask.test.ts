import { expect, test } from 'vitest'
import type { App } from '../../src/app/app.ts'
import { readConfig } from '../../src/app/read-config.ts'
import { askCommand } from '../../src/cli/commands/scrape-command.ts'
import { UsageError } from '../../src/cli/command.ts'
import { createLog } from '../../src/kernel/log.ts'
import { operations } from '../../src/operations/index.ts'
import { failureOf, fakeCtx } from '../helpers/fakes.ts'
import { fakeTerminal } from './kit.ts'

const found = {
  answer: 'The page was slow.',
  confidence: 'high',
  fixParameters: { timeout: 90_000 },
  validation: { tested: true, result: 'success', evidence: 'Scraped again.' },
  feedback: null,
  durationMs: 5,
}

/** Returns the requests and the output. */
async function run(words: readonly string[], isInteractive = true) {
  const asked: object[] = []
  const { terminal, written } = fakeTerminal({ isInteractive })
  const app = {
    operations,
    tools: [],
    newCtx: () => fakeCtx(),
    invoke: async (operation: { name: string }, input: object) => {
      asked.push({ name: operation.name, ...input })
      return found
    },
  } as unknown as App
  const code = await askCommand({
    words,
    flags: { json: false },
    settings: {},
    config: readConfig({}, {}),
    app,
    log: createLog('silent', () => {}),
    terminal,
    signal: new AbortController().signal,
  })
  return { code, asked, ...written }
}

test('words form one question, and text in braces its options', async () => {
  const { code, asked } = await run(['Why', 'so', 'slow?', '{"jobId":"job-1"}'])
  expect([code, asked]).toEqual([0, [{ name: 'support_ask', question: 'Why so slow?', jobId: 'job-1' }]])
})

test('the answer is sentences for a person, and JSON for a program', async () => {
  const { out } = await run(['Why?'])
  expect(out).toBe('The page was slow.\nConfidence: high.\nSet: {"timeout":90000}\nTest: success. Scraped again.\n')
  expect(JSON.parse((await run(['Why?'], false)).out)).toEqual(found)
})

test('an empty question is a usage error', async () => {
  expect(await failureOf(run([' ']))).toBeInstanceOf(UsageError)
})
