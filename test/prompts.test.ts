import { expect, test } from 'vitest'
import { toolSets } from '../src/cli/mcp-options.ts'
import { isForModels } from '../src/kernel/tool.ts'
import { getPrompt, promptsFor } from '../src/surfaces/mcp/prompts.ts'
import { tools } from '../src/operations/index.ts'
import { prompts } from '../src/operations/mcp-extras.ts'

const all = tools.filter(isForModels).map(({ name }) => name)
const core = toolSets['core'] ?? []

test('there are five prompts, and each has all its lines and arguments if all tools are offered', () => {
  expect(promptsFor(prompts, new Set(all)).map(({ name }) => name)).toEqual(
    'research read_docs extract_table watch_page explain_failure'.split(' '),
  )
  for (const { name, arguments: fields, steps } of prompts) {
    const given = Object.fromEntries(fields.map((field) => [field.name, `my ${field.name}`]))
    const { messages } = getPrompt(prompts, new Set(all), { name, arguments: given })
    const text = messages.map(({ content }) => (content as { text: string }).text).join()
    expect(text.split('\n')).toHaveLength(steps.length)
    for (const value of Object.values(given)) expect(text).toContain(value)
  }
})

test('every name in braces is either a tool or an argument', () => {
  for (const { arguments: fields, needs, steps } of prompts) {
    const names = fields.map(({ name }) => name)
    expect(names.filter((name) => all.includes(name))).toEqual([])
    expect(needs.filter((name) => !all.includes(name))).toEqual([])
    const slots = [
      ...steps
        .flat()
        .join('\n')
        .matchAll(/\{(\w+)\}/g),
    ].map(([, slot = '']) => slot)
    expect(slots.filter((slot) => !all.includes(slot) && !names.includes(slot))).toEqual([])
  }
})

test.each([[core], [['scrape', 'search']], [['support_ask']]])(
  'prompts name no other tools if these are offered: %j',
  (offered) => {
    const set = new Set(offered)
    const can = promptsFor(prompts, set)
    expect(can.length).toBeGreaterThan(0)
    for (const { name, arguments: fields } of can) {
      const given = Object.fromEntries(fields.map((field) => [field.name, 'x']))
      const text = JSON.stringify(getPrompt(can, set, { name, arguments: given }))
      const missing = all.filter((tool) => tool.includes('_') && !set.has(tool))
      expect(missing.filter((tool) => new RegExp(`\\b${tool}\\b`).test(text))).toEqual([])
      expect(text).not.toMatch(/\{\w+\}/)
    }
  },
)
