import { describe, expect, it } from 'vitest'
import { searchCommand } from '../../src/cli/commands/scrape-command.ts'
import { failure } from '../../src/kernel/error.ts'
import { answeringApp, runCommand } from './kit.ts'

const found = {
  data: { web: [{ url: 'https://silk.example/a', title: 'Silk\u001b[2J', description: 'Strong.', position: 1 }] },
  warning: 'one failed (rate limited): It takes no more requests.',
  id: 'job-1',
  creditsUsed: 2,
}

/** Returns the requests and output of the command, for a person or a program. */
async function run(words: readonly string[], { limit, isInteractive = false, fails = false }: Options = {}) {
  const inputs: unknown[] = []
  const app = answeringApp(async (_, input) => {
    inputs.push(input)
    if (fails) throw failure('SEARCH_UNAVAILABLE', { message: 'No search provider could answer. one failed.' })
    return found
  })
  return { ...(await runCommand(searchCommand, words, { flags: { json: false, limit }, app, isInteractive })), inputs }
}
type Options = { limit?: string; isInteractive?: boolean; fails?: boolean }

describe('gossamer search', () => {
  it.each([
    [['spider', 'silk'], undefined, { query: 'spider silk' }],
    [['spider silk', '{"limit": 3}'], undefined, { query: 'spider silk', limit: 3 }],
    [['silk'], '5', { query: 'silk', limit: 5 }],
    [['{braces}'], undefined, { query: '{braces}' }],
  ])('takes %j with limit %j', async (words, limit, input) => {
    expect((await run(words, { ...(limit !== undefined && { limit }) })).inputs).toEqual([input])
  })

  it('prints a list for a person, including failures', async () => {
    const { code, out } = await run(['silk'], { isInteractive: true })
    expect(code).toBe(0)
    expect(out).toContain('Warning: one failed')
    expect(out).toContain('1. Silk\uFFFD[2J\n   https://silk.example/a\n   Strong.')
  })

  it('names the providers if all failed', async () => {
    const { code, err } = await run(['silk'], { isInteractive: true, fails: true })
    expect(code).toBe(1)
    expect(err).toMatch(/SEARCH_UNAVAILABLE: .*one failed/)
  })
})
