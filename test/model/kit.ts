import { afterAll, beforeAll } from 'vitest'
import type { ModelRequest } from '../../src/contracts/model-port.ts'
import { createTrustedClient } from '../../src/engine/net/http/trusted-client.ts'
import { createModel, type ModelService, type Spent } from '../../src/engine/model/language-model.ts'
import { type Dialect, type ModelScript, type ModelServer, startModelServer } from '../helpers/model-server.ts'

export const dialects: readonly Dialect[] = ['openai', 'anthropic']

export const request = (over: Partial<ModelRequest> = {}): ModelRequest => ({
  task: 'json',
  teamId: 'acme',
  keyName: 'laptop',
  system: 'You extract data.',
  input: [{ role: 'user', text: 'The page.' }],
  effort: 'best',
  maxOutputTokens: 500,
  timeoutMs: 20_000,
  signal: new AbortController().signal,
  ...over,
})

/** A server for all tests of a file, and a fresh client of it for each. */
export function modelAt() {
  let server: ModelServer
  const client = createTrustedClient('Gossamer/test')
  beforeAll(async () => void (server = await startModelServer()))
  afterAll(async () => {
    await client.close()
    await server.close()
  })
  return (dialect: Dialect, script: ModelScript, over: Partial<ModelService> = {}) => {
    server.play(script)
    const spent: { request: ModelRequest; spent: Spent }[] = []
    const clock = { now: Date.now }
    const service: ModelService = {
      dialect,
      url: server.url(dialect),
      key: 'secret-key',
      model: 'large',
      fastModel: undefined,
      maxTimeoutMs: 60_000,
      ...over,
    }
    const model = createModel({
      service,
      client,
      clock,
      onSpent: (sent, cost) => void spent.push({ request: sent, spent: cost }),
      retryPauseMs: 1,
    })
    return { model, calls: server.calls, spent }
  }
}
