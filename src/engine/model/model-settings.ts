import { z } from 'zod'

const dialectNames = ['openai', 'anthropic'] as const
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
    .describe('API of the model server; by default derived from `modelUrl`, `modelKey` and `model`.'),
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
    .describe('Maximum tokens of one request to the language model, input and output together.'),
  modelTimeoutSeconds: z.coerce
    .number()
    .positive()
    .default(120)
    .describe('Maximum seconds for one answer of the language model, retries included.'),
}
