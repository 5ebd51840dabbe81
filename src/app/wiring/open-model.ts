import type { Model } from '../../contracts/model-port.ts'
import type { Ports } from '../../contracts/ports.ts'
import { fail } from '../../kernel/error.ts'
import type { Log } from '../../kernel/log.ts'
import { once } from '../../util/async.ts'
import type { Config } from '../config.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'

type Parts = { ports: Pick<Ports, 'clock' | 'usage'>; log: Log; telemetry: Telemetry }

/** Port of the language model. The first question loads it; `modelFacts` come from the settings alone. */
export function modelPort(config: Config, parts: Parts): { port: Model; close(): Promise<void> } {
  const { measure } = parts.telemetry
  const open = once(() => openModel(config, parts))
  return {
    port: {
      ...modelFacts(config),
      text: (request) => measure({ kind: 'model', name: 'text' }, async () => (await open()).model.text(request)),
      object: (request) => measure({ kind: 'model', name: 'object' }, async () => (await open()).model.object(request)),
    },
    close: () => open.close((opened) => opened.close()),
  }
}

export const modelFacts = (config: Config): Pick<Model, 'isSet' | 'contextTokens'> => ({
  isSet: () => config.model !== undefined,
  contextTokens: () => config.modelContextTokens,
})

async function openModel(config: Config, { ports, log }: Parts) {
  const { model: name, modelUrl, modelDialect } = config
  if (name === undefined || modelUrl === undefined || modelDialect === undefined) return fail('MODEL_UNAVAILABLE')
  const { createTrustedClient } = await import('../../engine/net/http/trusted-client.ts')
  const { createModel, createModelBooks } = await import('../../engine/model/language-model.ts')
  const client = createTrustedClient(config.userAgent)
  const service = {
    dialect: modelDialect,
    url: modelUrl,
    key: config.modelKey,
    model: name,
    fastModel: config.fastModel,
    maxTimeoutMs: config.modelTimeoutSeconds * 1000,
  }
  const books = createModelBooks(ports, log)
  return {
    model: createModel({ service, client, clock: ports.clock, onSpent: books.add }),
    async close() {
      await client.close()
      await books.written()
    },
  }
}
