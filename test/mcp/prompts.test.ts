import { describe, expect, it } from 'vitest'
import type { IdSource, PromptText } from '../../src/kernel/offer.ts'
import { connect, kinds } from './clients.ts'
import { startToy } from './http-toy.ts'
import { toyOperations } from './toy.ts'

const prompts: PromptText[] = [
  {
    name: 'sum_up',
    title: 'Sum up',
    description: 'Add numbers.',
    arguments: [
      { name: 'what', description: 'Which numbers.', required: true },
      { name: 'id', description: 'Of the page.' },
    ],
    needs: ['toy_add'],
    steps: ['Add {what}', 'Page: {id}', ['Read with {toy_page}.', 'Do without a page.'], '{toy_wait} at the end.'],
  },
]
const [, add] = toyOperations()
const ids = Array.from({ length: 120 }, (_, index) => `a${index}`)
const source = (idsIn: IdSource['idsIn']): IdSource => ({ operation: add!, input: { a: 1, b: 2 }, idsIn })
const served = { prompts, ids: { id: source(() => ids) } }
const textOf = (prompt: { messages: { content: unknown }[] }) =>
  prompt.messages.map(({ content }) => (content as { text: string }).text).join()

describe.each(kinds)('the client %s', (kind) => {
  const join = async (extra: object = {}, headers: Record<string, string> = {}) =>
    connect(kind, { url: (await startToy({ ...served, ...extra })).url, headers })

  it('lists prompts with their arguments', async () => {
    const client = await join()
    expect((await client.sdk.listPrompts()).prompts).toMatchObject([
      {
        name: 'sum_up',
        title: 'Sum up',
        arguments: [
          { name: 'what', required: true },
          { name: 'id', required: false },
        ],
      },
    ])
    await client.close()
  })

  it('gets a text with its arguments, without lines for missing ones', async () => {
    const client = await join()
    const prompt = await client.sdk.getPrompt({ name: 'sum_up', arguments: { what: '{toy_wait} and 3', id: ' ' } })
    expect(textOf(prompt)).toBe('Add {toy_wait} and 3\nRead with toy_page.\ntoy_wait at the end.')
    const whole = await client.sdk.getPrompt({ name: 'sum_up', arguments: { what: '1', id: 'a1', other: 'x' } })
    expect(textOf(whole)).toContain('Page: a1')
    await client.close()
  })

  it('sees only tools that it is offered, and no prompt that needs another tool', async () => {
    const some = await join({}, { 'x-gossamer-tools': 'toy_add' })
    const prompt = await some.sdk.getPrompt({ name: 'sum_up', arguments: { what: '1' } })
    expect(textOf(prompt)).toBe('Add 1\nDo without a page.')
    await some.close()
    const other = await join({}, { 'x-gossamer-tools': 'toy_page' })
    expect((await other.sdk.listPrompts()).prompts).toEqual([])
    await expect(other.sdk.getPrompt({ name: 'sum_up', arguments: { what: '1' } })).rejects.toMatchObject({
      code: -32_602,
    })
    await other.close()
  })

  it.each([
    ['sum_op', { what: '1' }, /Did you mean sum_up\?/],
    ['sum_up', {}, /needs the argument what: Which numbers\./],
    ['sum_up', { what: '  ' }, /needs the argument what/],
    ['__proto__', {}, /Unknown prompt/],
  ])('gets an error for %s %j', async (name, args, message) => {
    const client = await join()
    await expect(client.sdk.getPrompt({ name, arguments: args as Record<string, string> })).rejects.toThrow(message)
    await client.close()
  })

  it('gets completions of ids for arguments and resource templates', async () => {
    const client = await join()
    const complete = async (ref: object, name: string, value: string) =>
      (await client.sdk.complete({ ref: ref as { type: 'ref/prompt'; name: string }, argument: { name, value } }))
        .completion
    const prompt = { type: 'ref/prompt', name: 'sum_up' }
    const resource = { type: 'ref/resource', uri: 'toy://page/{id}' }
    expect(await complete(prompt, 'id', '')).toEqual({ values: ids.slice(0, 100), total: 120, hasMore: true })
    expect((await complete(resource, 'id', ' A11')).values).toEqual(ids.filter((id) => id.startsWith('a11')))
    expect((await complete(prompt, 'what', '')).values).toEqual([])
    expect((await complete(prompt, 'constructor', '')).values).toEqual([])
    await expect(complete({ ...prompt, name: 'none' }, 'id', '')).rejects.toMatchObject({ code: -32_602 })
    await expect(complete({ ...resource, uri: 'toy://x/{id}' }, 'id', '')).rejects.toMatchObject({ code: -32_602 })
    await client.close()
  })
})
