import { z } from 'zod'

export const dialectNames = ['openai', 'anthropic'] as const
export type DialectName = (typeof dialectNames)[number]

/** Entries for the table of settings. */
export const modelSettings = {
  modelUrl: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      'Base URL of the language model server, such as `http://localhost:11434/v1`; by default that of OpenAI or Anthropic.',
    ),
  model: z.string().min(1).optional().describe('Name of the language model; unset = none is used.'),
  modelKey: z.string().min(1).optional().meta({ secret: true }).describe('API key for the language model server.'),
  modelDialect: z
    .enum(dialectNames)
    .optional()
    .describe('API that the model server speaks; by default chosen by `modelUrl`, `modelKey` and `model`.'),
  fastModel: z
    .string()
    .min(1)
    .optional()
    .describe('Name of a faster model on the same server for easy, frequent work; by default `model`.'),
  modelContextTokens: z.coerce
    .number()
    .int()
    .min(2000)
    .default(32_000)
    .describe('Tokens that input and output of one question to the language model may have together.'),
  modelTimeoutSeconds: z.coerce
    .number()
    .positive()
    .default(120)
    .describe('Maximum seconds for one answer of the language model, retries included.'),
}

type Given = Pick<z.output<z.ZodObject<typeof modelSettings>>, 'modelUrl' | 'model' | 'modelKey' | 'modelDialect'>
type Environment = Readonly<Record<string, string | undefined>>

/** The providers' own servers, and the environment variables in which their own programs look for a key. */
const own = {
  openai: { url: 'https://api.openai.com/v1', key: 'OPENAI_API_KEY' },
  anthropic: { url: 'https://api.anthropic.com', key: 'ANTHROPIC_API_KEY' },
} as const

/**
 * Fills in missing settings, based on the others. A key of other programs is used only if our own setting names a
 * model, and is sent only to the provider that issued it.
 */
export function completedModel(given: Given, env: Environment): Omit<Given, 'model'> {
  if (given.model === undefined) return {}
  const modelDialect = given.modelDialect ?? dialectOf(given, env)
  const { url, key } = own[modelDialect]
  const modelUrl = given.modelUrl ?? url
  const isOwn = new URL(modelUrl).hostname === new URL(url).hostname
  const modelKey = given.modelKey ?? ((isOwn && env[key]) || undefined)
  return { modelUrl, modelDialect, modelKey }
}

function dialectOf({ modelUrl, model = '', modelKey }: Given, env: Environment): DialectName {
  if (modelUrl !== undefined) return /(?:^|\.)anthropic\.com$/.test(new URL(modelUrl).hostname) ? 'anthropic' : 'openai'
  if (modelKey !== undefined) return modelKey.startsWith('sk-ant-') ? 'anthropic' : 'openai'
  if (/^claude\b/i.test(model)) return 'anthropic'
  return env[own.anthropic.key] && !env[own.openai.key] ? 'anthropic' : 'openai'
}
