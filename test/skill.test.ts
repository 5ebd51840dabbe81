import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type Arguments, callsFor } from '../src/kernel/tool.ts'
import { mcpTools } from '../src/surfaces/mcp/tools.ts'
import { tools } from '../src/operations/index.ts'

const skill = readFileSync(new URL('../skills/gossamer/SKILL.md', import.meta.url), 'utf8')
const listed = mcpTools(tools)
const shownBy = (name: string) => Object.keys(listed.get(name)?.listed.inputSchema.properties ?? {})
const id = '0190c2a0-0000-7000-8000-000000000000'

test('the skill is short, and has a name and a description', () => {
  expect(skill).toMatch(/^---\nname: gossamer\ndescription: [^\n]{40,1000}\n---\n/)
  expect(skill.length).toBeLessThanOrEqual(4000)
})

test('each call in the skill is accepted by its tool', () => {
  const calls = [...skill.matchAll(/`(\w+)` with `(\{.*?\})`(?=[\s,;.|])/g)]
  expect(calls.length).toBeGreaterThanOrEqual(13)
  for (const [, name = '', json = ''] of calls) {
    const args = JSON.parse(json.replaceAll('…', id)) as Arguments
    const unknown = Object.keys(args).filter((field) => !shownBy(name).includes(field))
    expect(unknown, name).toEqual([])
    const { offset: _, ...own } = args
    const [call] = callsFor(listed.get(name)!.tool, own)
    if (name !== 'parse') expect(call!.operation.input.safeParse(call!.input).error, name).toBeUndefined()
  }
})

test('each name in the skill is a tool, an argument or a ref, and no tool is missing', () => {
  const words = [...skill.matchAll(/`([a-z]\w*)`/gi)].map(([, word = '']) => word)
  const fields = new Set([...listed.keys()].flatMap(shownBy))
  expect(words.filter((word) => !listed.has(word) && !fields.has(word) && word !== 'e12')).toEqual([])
  const toolNames = [...listed.values()].filter(({ isForApps }) => !isForApps).map(({ tool }) => tool.name)
  expect(toolNames.filter((name) => !words.includes(name))).toEqual([])
})
