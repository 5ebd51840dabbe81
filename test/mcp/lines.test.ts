import { PassThrough, Writable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import type { JSONRPCMessage } from '@modelcontextprotocol/server'
import { describe, expect, it, vi } from 'vitest'
import { createLineTransport } from '../../src/surfaces/mcp/transport/serve-stdio.ts'

const ping = (id: number) => ({ jsonrpc: '2.0' as const, id, method: 'ping' })
const pong = (id: number) => ({ jsonrpc: '2.0' as const, id, result: {} })

async function start(options: { maxLineBytes?: number; lingerMs?: number } = {}, output: Writable = new PassThrough()) {
  const input = new PassThrough()
  const transport = createLineTransport(input, output, { maxLineBytes: 1000, lingerMs: 50, ...options })
  const received: JSONRPCMessage[] = []
  const closed = vi.fn<() => void>()
  Object.assign(transport, { onmessage: (message: JSONRPCMessage) => received.push(message), onclose: closed })
  await transport.start()
  const written = () =>
    (output instanceof PassThrough ? String(output.read() ?? '') : '')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
  return { input, output, transport, received, closed, written }
}

describe('messages as lines', () => {
  it('are read wherever chunks end', async () => {
    const { input, received } = await start()
    const bytes = Buffer.from(
      `${JSON.stringify({ ...ping(1), params: { text: '言葉 😀' } })}\r\n\n${JSON.stringify(ping(2))}\n`,
    )
    for (const byte of bytes) input.write(Buffer.from([byte]))
    await turn()
    expect(received).toEqual([{ ...ping(1), params: { text: '言葉 😀' } }, ping(2)])
  })

  it.each([
    ['not JSON', 'hello', -32_700, null],
    ['incomplete JSON', '{"jsonrpc":"2.0",', -32_700, null],
    ['of another version of JSON-RPC', '{"jsonrpc":"1.0","id":7,"method":"ping"}', -32_600, 7],
    ['a batch', '[{"jsonrpc":"2.0","id":7,"method":"ping"}]', -32_600, null],
    ['null', 'null', -32_600, null],
    ['longer than allowed', `{"x":"${'x'.repeat(1000)}"}`, -32_700, null],
  ])('that are %s are refused, and the next one is read', async (_sentence, line, code, id) => {
    const { input, received, written, closed } = await start()
    input.write(`${line}\n${JSON.stringify(ping(1))}\n`)
    await turn()
    expect(written()).toEqual([{ jsonrpc: '2.0', id, error: { code, message: expect.any(String) } }])
    expect(received).toEqual([ping(1)])
    expect(closed).not.toHaveBeenCalled()
  })

  it('end after the last answer if the input ends first', async () => {
    const { input, transport, closed, received, written } = await start({ lingerMs: 60_000 })
    input.end(`${JSON.stringify(ping(1))}\n${JSON.stringify(ping(2))}\n`)
    await expect.poll(() => received).toHaveLength(2)
    await transport.send(pong(1))
    expect(closed).not.toHaveBeenCalled()
    await transport.send(pong(2))
    expect(closed).toHaveBeenCalledOnce()
    expect(written()).toEqual([pong(1), pong(2)])
    await expect(transport.send(pong(3))).rejects.toThrow(/closed/)
  })

  it('end without a crash if the output breaks', async () => {
    const output = new Writable({ write: (_chunk, _encoding, done) => done(new Error('EPIPE')) })
    const { transport, closed, received, input } = await start({}, output)
    await expect(transport.send(pong(1))).rejects.toThrow('EPIPE')
    expect(closed).toHaveBeenCalledOnce()
    input.write(`${JSON.stringify(ping(1))}\n`)
    output.emit('error', new Error('EPIPE'))
    await turn()
    expect(received).toEqual([])
  })
})
