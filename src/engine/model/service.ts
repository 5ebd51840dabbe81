import { anthropic } from './dialect/anthropic.ts'
import type { Dialect } from './dialect/dialect.ts'
import { openai } from './dialect/openai.ts'
import type { DialectName } from './settings.ts'

export const dialects: Readonly<Record<DialectName, Dialect>> = { openai, anthropic }

/** Where the model is, and what it may be asked. */
export type ModelService = {
  dialect: DialectName
  url: string
  key: string | undefined
  model: string
  /** For easy and frequent work. */
  fastModel: string | undefined
  maxTimeoutMs: number
}

/** The URL that is posted to. People give the base, with or without its version, or the whole of it. */
export function endpointOf(
  { url: given, dialect: name }: Pick<ModelService, 'url' | 'dialect'>,
  dialect: Dialect,
): string {
  const url = new URL(given)
  const path = url.pathname.replace(/\/+$/, '').replace(/\/(?:chat\/completions|messages)$/, '')
  const base = name === 'anthropic' ? path.replace(/\/v1$/, '') : path || '/v1'
  url.pathname = `${base}${dialect.path}`
  return url.href
}
