import { describe, expect, it } from 'vitest'
import { AppError } from '../../src/kernel/error.ts'
import { chosenTools } from '../../src/kernel/offer.ts'
import { connect, kinds, outputOf } from './clients.ts'
import { startToy } from './http-toy.ts'

const sets = { small: ['toy_page', 'toy_gone'] }
const header = (tools: string) => ({ 'x-gossamer-tools': tools })
const instructions = (offered: ReadonlySet<string>) => `Offered: ${[...offered].join(' ')}`

describe('a selection of tools', () => {
  const offered = ['scrape', 'scrape_result', 'search', 'map']
  it.each<[string, readonly string[] | undefined]>([
    ['', undefined],
    [' , ', undefined],
    ['all', offered],
    ['map', ['map']],
    ['map, scrape ,map', ['scrape', 'map']],
    ['core', ['scrape', 'search']],
    ['core,map', ['scrape', 'search', 'map']],
  ])('"%s" selects %j', (choice, tools) => {
    expect(chosenTools(choice, offered, { core: ['search', 'scrape', 'not_offered'] })).toEqual(tools)
  })

  it.each([
    ['serach', 'There is no tool serach to offer. Did you mean search?'],
    ['map,scrape_reslt', 'There is no tool scrape_reslt to offer. Did you mean scrape_result?'],
    ['cor', 'There is no tool cor to offer. Did you mean core?'],
    ['x', 'There is no tool x to offer. The tools are scrape, scrape_result, search, map; the sets are all, core.'],
    ['constructor', /^There is no tool constructor to offer\. The tools are/],
    ['é'.repeat(500), /^There is no tool é{60} to offer\./],
  ])('"%s" is refused', (choice, message) => {
    const thrown = (() => {
      try {
        return chosenTools(choice, offered, { core: ['search'] })
      } catch (error) {
        return error
      }
    })()
    expect(thrown).toBeInstanceOf(AppError)
    expect(thrown).toMatchObject({ code: 'BAD_REQUEST', message: expect.stringMatching(message) })
  })
})

describe.each(kinds)('over HTTP the client %s', (kind) => {
  it('is offered the tools of its header, can call no other, and sees no name of another', async () => {
    const { url } = await startToy({ sets, instructions })
    const client = await connect(kind, { url, headers: header('toy_add,small') })
    expect((await client.tools()).map(({ name }) => name)).toEqual(['toy_page', 'toy_add'])
    expect(outputOf(await client.call('toy_add', { a: 1, b: 2 }))).toEqual({ sum: 3 })
    await expect(client.call('toy_wait', {})).rejects.toMatchObject({
      code: -32_602,
      message: expect.stringContaining('Unknown tool: toy_wait'),
    })
    expect(client.instructions()).toBe('Offered: toy_page toy_add')
    await client.close()
    const byUrl = await connect(kind, { url: `${url}?tools=small` })
    expect((await byUrl.tools()).map(({ name }) => name)).toEqual(['toy_page'])
    await byUrl.close()
    const other = await connect(kind, { url })
    expect(await other.tools()).toHaveLength(4)
    expect(other.instructions()).toBe('Offered: toy_page toy_add toy_wait toy_fail')
    await other.close()
  })
})

it('a header that names no tool gets 400, in both protocol versions and within a session', async () => {
  const toy = await startToy({ sets })
  const session = await toy.open()
  const wrong = header('toy_ad')
  const list = { method: 'tools/list' }
  const modern = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' }
  for (const headers of [wrong, { ...session, ...wrong }, { ...modern, ...wrong }]) {
    const response = await toy.post({ body: list, headers })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({
      error: { code: -32_600, message: expect.stringContaining('Did you mean toy_add?') },
    })
  }
})
