import { expect, test } from 'vitest'
import { askCommand } from '../../src/cli/commands/scrape-command.ts'
import { UsageError } from '../../src/cli/command.ts'
import { failureOf } from '../helpers/fakes.ts'
import { answeringApp, runCommand } from './kit.ts'

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
  const requests: object[] = []
  const app = answeringApp(async ({ name }, input) => {
    requests.push({ name, ...input })
    return found
  })
  return { ...(await runCommand(askCommand, words, { app, isInteractive })), requests }
}

test('words form one question, and text in braces its options', async () => {
  const { code, requests } = await run(['Why', 'so', 'slow?', '{"jobId":"job-1"}'])
  expect([code, requests]).toEqual([0, [{ name: 'support_ask', question: 'Why so slow?', jobId: 'job-1' }]])
})

test('the answer is sentences for a person, and JSON for a program', async () => {
  const { out } = await run(['Why?'])
  expect(out).toBe('The page was slow.\nConfidence: high.\nSet: {"timeout":90000}\nTest: success. Scraped again.\n')
  expect(JSON.parse((await run(['Why?'], false)).out)).toEqual(found)
})

test('an empty question is a usage error', async () => expect(await failureOf(run([' ']))).toBeInstanceOf(UsageError))
