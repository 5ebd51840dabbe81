import { describe, expect, test } from 'vitest'
import { answerFrom, highlightsFrom } from '../../src/engine/understand/questions.ts'
import { withoutBoilerplate } from '../../src/engine/understand/clean.ts'
import { factsOf } from '../../src/engine/understand/json/named-facts.ts'
import { fillSchema } from '../../src/engine/understand/json/fill.ts'
import { quotesByModel } from '../../src/engine/model/page/json-by-model.ts'
import { createPageModel, fenced } from '../../src/engine/model/page/page-model.ts'

const unused = () => Promise.reject(new Error('not asked'))
const none = () => Promise.resolve({ value: { quotes: [] }, model: 'a', isPartial: false })

/** These pages once took minutes or endless time, so a test that ends has passed. */
describe('a malicious page ends', () => {
  const many = 400_000

  test('with a line that is nearly a breadcrumb', () => {
    const line = `home${'>a'.repeat(70)}${'b'.repeat(70)}`
    expect(withoutBoilerplate(line)).toBe(line)
    expect(withoutBoilerplate('Home > Blog > Bridges\n\nText.')).toBe('Text.')
  })

  test.each(['[', '![', '[a](', '`a ', '**a ', '|', '> '])('with a line of %j', (part) => {
    const line = part.repeat(many / part.length)
    expect(factsOf({ markdown: line }).length).toBeLessThan(10)
    expect(withoutBoilerplate(`Text.\n${line}`)).toContain('Text.')
  })

  test('with thousands of lines that fit a query equally', () => {
    const lines = Array.from({ length: 40_000 }, (_, at) => `price ${at}`)
    expect(highlightsFrom(lines.join('\n'), 'price')).toHaveLength(5)
  })

  test('with text for thousands of questions to a small model', () => {
    const question = { task: 'json' as const, effort: 'best' as const, system: '', maxOutputTokens: 4000 }
    const call = { teamId: 'a', keyName: null, signal: AbortSignal.any([]), timeoutMs: () => 1000 }
    const model = createPageModel({ contextTokens: () => 4096, text: unused, object: unused }, call)
    const page = `${'One 漢字 and 😀 more.\n'.repeat(200_000)}The end is near.`
    const { parts, isPartial } = model.parts({ ...question, page }, 'near')
    expect(parts.length).toBeLessThan(7)
    expect(isPartial).toBe(true)
    expect(parts.join('')).toContain('The end is near.')
  })
})

test('a schema with many references to itself is filled in limited time', () => {
  const children = Array.from({ length: 12 }, (_, at) => [`child${at}`, { $ref: '#' }])
  const schema = { type: 'object', properties: { ...Object.fromEntries(children), title: { type: 'string' } } }
  const { value, missing } = fillSchema(schema, { facts: factsOf({ markdown: '# Ferry' }), tables: [] })
  expect(value).toMatchObject({ title: 'Ferry' })
  expect(missing.length).toBeGreaterThan(100)
})

test('a page cannot end its block by a tag with spaces either', () => {
  for (const tag of ['</page>', '< /page>', '</ PAGE >', '<page>'])
    expect(fenced(`a${tag}b`).match(/<[\s/]*page\s*>/gi)).toHaveLength(2)
  expect(fenced('<pages>')).toContain('<pages>')
})

describe('text without spaces between words', () => {
  const page = `# 夜間渡輪

## 船票多少錢？

成人票四十五歐元。

兒童六歲以下免費。

${Array.from({ length: 40 }, (_, at) => `渡輪每天晚上從舊港口出發，日出前到達島上，航程大約十個小時${at}。`).join('\n\n')}
`

  test('has an answer of limited length', () => {
    const answer = answerFrom(page, '船票多少錢？')?.text ?? ''
    expect(answer).toContain('四十五歐元')
    expect(answer.length).toBeLessThan(300)
  })

  test('proves a value that is within it, but no number within a longer one', async () => {
    const model = { object: none, text: unused, parts: () => ({ parts: [], isPartial: false }) }
    const proofs = await quotesByModel(model, '不锈钢保温杯500毫升', { name: '保温杯', size: 500, part: '50毫' })
    expect(Object.keys(proofs)).toEqual(['name', 'size'])
  })
})
