import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, describe, expect, test } from 'vitest'
import { errors } from '../../src/kernel/error-table.ts'
import { type ErrorCode, fail } from '../../src/kernel/error.ts'
import type { AnyOperation } from '../../src/kernel/operation.ts'
import { openProgram } from '../helpers/open-program.ts'

const codes = Object.keys(errors) as ErrorCode[]

const program = openProgram({}, (operations) =>
  operations.map((operation): AnyOperation => ({
    ...operation,
    run: async ({ url }: { url: string }) => fail(url.split('/').at(-1) as ErrorCode),
  })),
)
afterAll(program.close)

const input = (code: string) => ({ url: `https://example.com/${code}` })
const fetchHere = (target: URL | string, init?: RequestInit) => program.send(new Request(target, init))

describe('each error of the table', () => {
  test.each(codes)('has its status, code and hint over REST: %s', async (code) => {
    const response = await program.post('/v2/scrape', input(code))
    const { status, message, hint } = errors[code]
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({ success: false, code, error: message, hint })
  })

  test('is an error result over MCP, with its code', async () => {
    const client = new Client({ name: 'test', version: '1.0.0' })
    await client.connect(new StreamableHTTPClientTransport(new URL('http://localhost/mcp'), { fetch: fetchHere }))
    for (const code of codes) {
      const { isError, content } = await client.callTool({ name: 'scrape', arguments: input(code) })
      expect(isError).toBe(true)
      const [first] = content
      // Only the start is compared, because the next step depends on the offered tools.
      expect(first?.type === 'text' && first.text.startsWith(`${code}: ${errors[code].message}`)).toBe(true)
    }
    await client.close()
  })
})
