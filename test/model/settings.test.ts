import { describe, expect, test } from 'vitest'
import { readConfig } from '../../src/app/read-config.ts'
import { dialects } from '../../src/engine/model/dialect/dialect.ts'
import { endpointOf } from '../../src/engine/model/language-model.ts'

const openaiKey = { OPENAI_API_KEY: 'sk-theirs' }
const anthropicKey = { ANTHROPIC_API_KEY: 'sk-ant-theirs' }
const both = { ...openaiKey, ...anthropicKey }
const settingsOf = (env: Record<string, string>) => {
  const { modelUrl: url, modelDialect: dialect, modelKey: key } = readConfig({}, env)
  return { url, dialect, key }
}

test('no key of another program is read without a configured model', () => {
  expect(settingsOf(both)).toEqual({ url: undefined, dialect: undefined, key: undefined })
  expect(settingsOf({ ...both, GOSSAMER_FAST_MODEL: 'small' })).toMatchObject({ key: undefined })
})

describe('a model', () => {
  const openai = { url: 'https://api.openai.com/v1', dialect: 'openai' }
  const anthropic = { url: 'https://api.anthropic.com', dialect: 'anthropic' }

  test.each([
    ['its own key', { GOSSAMER_MODEL_KEY: 'sk-ours', ...both }, { ...openai, key: 'sk-ours' }],
    ['a key of Anthropic', { GOSSAMER_MODEL_KEY: 'sk-ant-ours' }, { ...anthropic, key: 'sk-ant-ours' }],
    ["the key of OpenAI's programs", openaiKey, { ...openai, key: 'sk-theirs' }],
    ["the key of Anthropic's programs", anthropicKey, { ...anthropic, key: 'sk-ant-theirs' }],
    ['the keys of both', both, { ...openai, key: 'sk-theirs' }],
    ['a dialect', { GOSSAMER_MODEL_DIALECT: 'anthropic', ...both }, { ...anthropic, key: 'sk-ant-theirs' }],
    ['no key', {}, { ...openai, key: undefined }],
  ])('has the address, the API and the key that follow from %s', (_, env, expected) => {
    expect(settingsOf({ GOSSAMER_MODEL: 'large', ...env })).toEqual(expected)
  })

  test.each([
    ['http://localhost:11434/v1', 'openai'],
    ['https://anthropic.com.example.org', 'openai'],
    ['https://gateway.anthropic.com', 'anthropic'],
  ])('at %s uses the API of %s, and receives no key set for another', (url, dialect) => {
    const env = { GOSSAMER_MODEL: 'claude-haiku', GOSSAMER_MODEL_URL: url, ...both }
    expect(settingsOf(env)).toEqual({ url, dialect, key: undefined })
  })

  test("at a provider's own URL uses the provider's key", () => {
    const env = { GOSSAMER_MODEL: 'large', GOSSAMER_MODEL_URL: 'https://api.anthropic.com/v1', ...both }
    expect(settingsOf(env)).toMatchObject({ dialect: 'anthropic', key: 'sk-ant-theirs' })
  })
})

test.each([
  ['openai', 'http://localhost:11434', 'http://localhost:11434/v1/chat/completions'],
  ['openai', 'http://localhost:1234/v1/', 'http://localhost:1234/v1/chat/completions'],
  ['openai', 'https://openrouter.ai/api/v1', 'https://openrouter.ai/api/v1/chat/completions'],
  ['openai', 'https://api.openai.com/v1/chat/completions', 'https://api.openai.com/v1/chat/completions'],
  ['openai', 'https://x.example/openai/v1?api-version=1', 'https://x.example/openai/v1/chat/completions?api-version=1'],
  ['anthropic', 'https://api.anthropic.com', 'https://api.anthropic.com/v1/messages'],
  ['anthropic', 'https://api.anthropic.com/v1/', 'https://api.anthropic.com/v1/messages'],
  ['anthropic', 'https://api.example.com/anthropic', 'https://api.example.com/anthropic/v1/messages'],
  ['anthropic', 'https://api.anthropic.com/v1/messages', 'https://api.anthropic.com/v1/messages'],
] as const)('the URL of a model is completed: over %s, %s', (dialect, url, whole) => {
  expect(endpointOf({ dialect, url }, dialects[dialect])).toBe(whole)
})
