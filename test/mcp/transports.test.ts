import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMcpFetch, type McpFetch } from '../../src/surfaces/mcp/transport/http.ts'
import { type AnyClient, connect, kinds, outputOf, startHttp, toyCommand } from './clients.ts'
import { caller, toyOptions } from './toy.ts'

/** A queue of the events of toy_wait. */
function queue() {
  const waiting: ((event: string) => void)[] = []
  const queued: string[] = []
  return {
    add: (event: string) => {
      const next = waiting.shift()
      if (next) next(event)
      else queued.push(event)
    },
    next: () =>
      new Promise<string>((resolve) => (queued.length > 0 ? resolve(queued.shift() ?? '') : waiting.push(resolve))),
  }
}

describe.each(['stdio', 'http'] as const)('over %s', (transport) => {
  describe.each(kinds)('the client %s', (kind) => {
    const events = queue()
    let client: AnyClient
    let mcp: McpFetch
    let server: Awaited<ReturnType<typeof startHttp>>

    beforeAll(async () => {
      if (transport === 'stdio') {
        const spawned = await connect(kind, { command: toyCommand })
        if (spawned.stderr)
          createInterface({ input: spawned.stderr }).on('line', (line) => events.add(line.replace('toy_wait ', '')))
        client = spawned
        return
      }
      mcp = createMcpFetch({ ...toyOptions(events.add), progress: { heartbeatMs: 20 } })
      server = await startHttp((request) => mcp.fetch(request, caller))
      client = await connect(kind, { url: server.url })
    })
    afterAll(async () => {
      await client.close()
      await mcp?.close()
      await server?.close()
    })

    it('lists the same tools each time', async () => {
      const tools = await client.tools()
      expect(tools.map(({ name }) => name)).toEqual(['toy_page', 'toy_add', 'toy_wait', 'toy_fail'])
      expect(JSON.stringify(await client.tools())).toBe(JSON.stringify(tools))
    })

    it('calls a tool that answers with JSON', async () => {
      const result = await client.call('toy_add', { a: 2, b: 3 })
      expect(result).not.toHaveProperty('structuredContent')
      expect(result.content).toEqual([{ type: 'text', text: '{"sum":5}' }])
    })

    it('calls a tool that answers with text, picture and link', async () => {
      const { content } = await client.call('toy_page', {})
      expect(content.map(({ type }) => type)).toEqual(['text', 'image', 'resource_link'])
    })

    it('reads a resource', async () => {
      expect((await client.templates()).map(({ uriTemplate }) => uriTemplate)).toEqual(['toy://page/{id}'])
      const { contents } = await client.read('toy://page/abc')
      expect(contents[0]?.text).toMatch(/<untrusted\d{6}>/)
      await expect(client.read('toy://elsewhere/abc')).rejects.toMatchObject({ code: -32_602 })
      await expect(client.read('toy://page/x')).rejects.toThrow(/not found/i)
    })

    it('gets a failure as a result without internal details', async () => {
      const { isError, content } = await client.call('toy_fail', { how: 'unknown' })
      expect(isError).toBe(true)
      expect(content[0]?.text).toMatch(/^UNKNOWN_ERROR: .*\nNext: /)
      expect(JSON.stringify(content)).not.toMatch(/secret|\.ts:/)
    })

    it('gets a protocol error for an unknown tool', async () => {
      await expect(client.call('toy_hidden', {})).rejects.toMatchObject({ code: -32_602 })
    })

    it('gets progress, and cancels work', async () => {
      const cancel = new AbortController()
      const notes: number[] = []
      const enough = Promise.withResolvers<void>()
      const onprogress = ({ progress }: { progress: number }) => {
        notes.push(progress)
        if (transport === 'stdio' || notes.length === 3) enough.resolve()
      }
      const call = client.call('toy_wait', {}, { signal: cancel.signal, onprogress })
      call.catch(() => {})
      expect(await events.next()).toBe('started')
      await enough.promise
      cancel.abort()
      await expect(call).rejects.toThrow()
      expect(await events.next()).toBe('aborted')
      expect(notes[0]).toBe(1)
      expect(notes).toEqual([...new Set(notes)].sort((a, b) => a - b))
      expect(outputOf(await client.call('toy_add', { a: 1, b: 1 }))).toEqual({ sum: 2 })
    })
  })
})
