import { z } from 'zod'
import type { DialectName, modelSettings } from '../engine/model/model-settings.ts'
import { completedObjects } from '../engine/store/data-places.ts'
import { Config, settings } from './config.ts'
import { isGiven } from './given.ts'

export const settingKeys = Object.keys(settings) as (keyof typeof settings)[]
const kebab = (key: string) => key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
export const flagOf = (key: string) => `--${kebab(key)}`
export const envNameOf = (key: string) => `GOSSAMER_${kebab(key).replaceAll('-', '_').toUpperCase()}`

type ModelConfig = Pick<z.output<z.ZodObject<typeof modelSettings>>, 'modelUrl' | 'model' | 'modelKey' | 'modelDialect'>
type Environment = Readonly<Record<string, string | undefined>>

/** Server of each provider, and the environment variable from which the provider's own programs read a key. */
const providers = {
  openai: { url: 'https://api.openai.com/v1', key: 'OPENAI_API_KEY' },
  anthropic: { url: 'https://api.anthropic.com', key: 'ANTHROPIC_API_KEY' },
} as const

/**
 * Fills in missing settings of the model, based on the others. A key meant for other programs is used only if
 * GOSSAMER_MODEL names a model, and is sent only to the provider that issued it.
 */
function completedModel(config: ModelConfig, env: Environment): Omit<ModelConfig, 'model'> {
  if (config.model === undefined) return {}
  const modelDialect = config.modelDialect ?? dialectOf(config, env)
  const { url, key } = providers[modelDialect]
  const modelUrl = config.modelUrl ?? url
  const isProvider = new URL(modelUrl).hostname === new URL(url).hostname
  const modelKey = config.modelKey ?? ((isProvider && env[key]) || undefined)
  return { modelUrl, modelDialect, modelKey }
}

function dialectOf({ modelUrl, model = '', modelKey }: ModelConfig, env: Environment): DialectName {
  if (modelUrl !== undefined) return /(?:^|\.)anthropic\.com$/.test(new URL(modelUrl).hostname) ? 'anthropic' : 'openai'
  if (modelKey !== undefined) return modelKey.startsWith('sk-ant-') ? 'anthropic' : 'openai'
  if (/^claude\b/i.test(model)) return 'anthropic'
  return env[providers.anthropic.key] && !env[providers.openai.key] ? 'anthropic' : 'openai'
}

/** Flags override the environment, which overrides defaults. Throws a ZodError with all faulty settings. */
export function readConfig(
  flags: Readonly<Record<string, string | boolean | undefined>>,
  env: Readonly<Record<string, string | undefined>>,
): Config {
  const values = settingKeys.map((key) => [key, [flags[kebab(key)], env[envNameOf(key)]].find(isGiven)] as const)
  const config = Config.parse(Object.fromEntries(values.filter(([, value]) => value !== undefined)))
  return Object.freeze({ ...config, ...completedModel(config, env), ...completedObjects(config, env) })
}

/** Describes each invalid setting in one line, with its flag and its environment variable. */
export function configFaults(error: z.ZodError): string[] {
  return error.issues.map((issue) => {
    const key = String(issue.path[0] ?? '')
    return `${flagOf(key)} (${envNameOf(key)}): ${issue.message}`
  })
}

/** True for a setting that accepts `true`: on the command line its value may be omitted. */
export const isSwitch = (key: keyof typeof settings) => settings[key].safeParse('true').data === true

/** The values of a setting with a fixed list of values; empty for any other setting. */
export function choicesOf(key: keyof typeof settings): readonly string[] {
  const schema: z.ZodType = settings[key]
  const inner = schema instanceof z.ZodDefault || schema instanceof z.ZodOptional ? schema.unwrap() : schema
  return inner instanceof z.ZodEnum ? inner.options.map(String) : []
}

/** The flags in the format of node:util parseArgs. */
export const flagOptions: Readonly<Record<string, { type: 'boolean' | 'string'; short?: string }>> = Object.fromEntries(
  settingKeys.map((key) => [kebab(key), { type: isSwitch(key) ? ('boolean' as const) : ('string' as const) }]),
)
