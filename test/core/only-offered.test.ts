import { describe, expect, test } from 'vitest'
import { toolSets } from '../../src/cli/mcp-options.ts'
import { errors } from '../../src/kernel/error-table.ts'
import { onlyOffered } from '../../src/kernel/offer.ts'
import { isForModels } from '../../src/kernel/tool.ts'
import { firstPossible } from '../../src/surfaces/mcp/call-tool.ts'
import { mcpTools } from '../../src/surfaces/mcp/tools.ts'
import { tools } from '../../src/operations/index.ts'
import { nextSteps } from '../../src/operations/mcp-extras.ts'

const names = tools.filter(isForModels).map(({ name }) => name)
const only = (...offered: string[]) => new Set(offered)

test.each([
  ['Read it. Continue with crawl_status.', [], 'Read it.'],
  ['Read it. Continue with crawl_status.', ['crawl_status'], 'Read it. Continue with crawl_status.'],
  ['Open one with browser_create, or list them with activity.', ['browser_create'], ''],
  // Ordinary English words are not names of tools.
  ['Crawl the map of your activity. Use it again.', [], 'Crawl the map of your activity. Use it again.'],
  ['For one page use scrape, to find a page map.', [], ''],
  ['Look at version 2.5 of e.g. crawl_statusbar.', [], 'Look at version 2.5 of e.g. crawl_statusbar.'],
  ['', [], ''],
])('the text %j, with %j offered, becomes %j', (text, offered, expected) => {
  expect(onlyOffered(text, names, only(...offered))).toBe(expected)
})

const choices = [names, toolSets['core'] ?? [], ['scrape'], ['browser_act'], ['browser_execute', 'browser_close'], []]

describe.each(choices.map((choice) => [choice] as const))('offered %j', (offered) => {
  const others = names.filter((name) => !offered.includes(name) && name.includes('_'))
  const unnamed = others.length === 0 ? /(?!)/ : new RegExp(`\\b(${others.join('|')})\\b|[{}]`)

  test('next steps and hints name no other tool', () => {
    for (const ways of Object.values(nextSteps))
      expect(firstPossible(ways, names, only(...offered)) ?? '').not.toMatch(unnamed)
    for (const { hint } of Object.values(errors))
      expect(onlyOffered(hint, names, only(...offered))).not.toMatch(unnamed)
  })

  test('descriptions name no other tool', () => {
    for (const { listed } of mcpTools(tools, { only: offered }).values()) {
      expect(listed.description).not.toMatch(unnamed)
      expect(listed.description).not.toBe('')
    }
  })
})

test('the next step after a missing session names only offered tools', () => {
  const ways = nextSteps.SESSION_NOT_FOUND ?? []
  expect(firstPossible(ways, names, only(...names))).toBe(errors.SESSION_NOT_FOUND.hint)
  expect(firstPossible(ways, names, only('scrape', 'interact'))).toContain('interact with its scrapeId')
  expect(firstPossible(ways, names, only('map'))).toBeUndefined()
})
