import { type CallToolResult, isInputRequiredResult, type ServerContext } from '@modelcontextprotocol/server'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Channel, createRoundTrips, patienceMs } from '../../src/surfaces/mcp/transport/client-channel.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const text = (words: string): CallToolResult => ({ content: [{ type: 'text', text: words }] })

/** A request in the form of the SDK. */
function request(inputResponses?: object, signal: AbortSignal = new AbortController().signal) {
  const mcpReq = { signal, inputResponses, notify: async () => {}, _meta: { progressToken: 'token' } }
  return { context: { mcpReq } as unknown as ServerContext }
}
const accepted = { person: { action: 'accept' } }

/** A call that asks once and returns the answer. */
const asks = async (line: Channel): Promise<CallToolResult> => {
  line.report?.({ progress: 1 })
  const answer = await line
    .elicit({ mode: 'url', message: 'Log in', url: 'https://a.example' }, line.signal)
    .catch(String)
  line.report?.({ progress: 2 })
  return text(answer)
}

async function started(run: (line: Channel) => Promise<CallToolResult> = asks) {
  const roundTrips = createRoundTrips()
  const first = request()
  const result = await roundTrips.begin('team-a tool', first.context, run)
  return { roundTrips, first, result, id: isInputRequiredResult(result) ? (result.requestState ?? '') : '' }
}

describe('a call that asks in round trips', () => {
  it('is answered immediately if it asks nothing', async () => {
    const { result } = await started(async () => text('done'))
    expect(result).toEqual(text('done'))
  })

  it.each(['team-b tool', 'team-a other_tool'])('cannot be continued by the owner "%s"', async (owner) => {
    const { roundTrips, id } = await started()
    await expect(roundTrips.resume(owner, id, request(accepted).context)).rejects.toThrow('Nothing waits for this')
    expect(await roundTrips.resume('team-a tool', id, request(accepted).context)).toEqual(text('accept'))
  })

  it('can be continued only once', async () => {
    const { roundTrips, id } = await started()
    await roundTrips.resume('team-a tool', id, request(accepted).context)
    await expect(roundTrips.resume('team-a tool', id, request(accepted).context)).rejects.toThrow(
      'Nothing waits for this',
    )
  })

  it('is abandoned if it is not continued in time', async () => {
    const signals: AbortSignal[] = []
    const { roundTrips, id } = await started((line) => {
      signals.push(line.signal)
      return asks(line)
    })
    vi.advanceTimersByTime(patienceMs - 1)
    expect(signals[0]?.aborted).toBe(false)
    vi.advanceTimersByTime(1)
    expect(signals[0]?.aborted).toBe(true)
    await expect(roundTrips.resume('team-a tool', id, request(accepted).context)).rejects.toThrow(
      'Nothing waits for this',
    )
  })

  it('outlives the request in which it asks, and ends with the request in which it works', async () => {
    const leaving = new AbortController()
    const worked = new AbortController()
    const roundTrips = createRoundTrips()
    const ended = vi.fn()
    const run = async (line: Channel) => {
      line.signal.addEventListener('abort', ended)
      await asks(line)
      return new Promise<CallToolResult>((resolve) => {
        line.signal.addEventListener('abort', () => resolve(text('aborted')))
      })
    }
    const first = await roundTrips.begin('team-a tool', request(undefined, leaving.signal).context, run)
    leaving.abort()
    expect(ended).not.toHaveBeenCalled()
    const id = isInputRequiredResult(first) ? (first.requestState ?? '') : ''
    const second = roundTrips.resume('team-a tool', id, request(accepted, worked.signal).context)
    await vi.advanceTimersByTimeAsync(10)
    worked.abort()
    expect(await second).toEqual(text('aborted'))
  })

  it('ends with the server', async () => {
    const ended = vi.fn()
    const { roundTrips } = await started((line) => {
      line.signal.addEventListener('abort', ended)
      return asks(line)
    })
    roundTrips.end()
    expect(ended).toHaveBeenCalledOnce()
    expect(vi.getTimerCount()).toBe(0)
  })
})
