import { z } from 'zod'
import { completedModel } from '../engine/model/model-settings.ts'
import { completedObjects } from '../engine/store/data-places.ts'
import { Config, settings } from './config.ts'
import { isGiven } from './given.ts'

export const settingKeys = Object.keys(settings) as (keyof typeof settings)[]
const kebab = (key: string) => key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
export const flagOf = (key: string) => `--${kebab(key)}`
export const envNameOf = (key: string) => `GOSSAMER_${kebab(key).replaceAll('-', '_').toUpperCase()}`

/** Flags override the environment, which overrides defaults. Throws a ZodError with all faulty settings. */
export function readConfig(
  flags: Readonly<Record<string, string | boolean | undefined>>,
  env: Readonly<Record<string, string | undefined>>,
): Config {
  const given = settingKeys.map((key) => [key, [flags[kebab(key)], env[envNameOf(key)]].find(isGiven)] as const)
  const config = Config.parse(Object.fromEntries(given.filter(([, value]) => value !== undefined)))
  return Object.freeze({ ...config, ...completedModel(config, env), ...completedObjects(config, env) })
}

/** Faults, one line per setting, by the names that the user knows. */
export function configFaults(error: z.ZodError): string[] {
  return error.issues.map((issue) => {
    const key = String(issue.path[0] ?? '')
    return `${flagOf(key)} (${envNameOf(key)}): ${issue.message}`
  })
}

/** A switch is a setting that accepts `true`; on the command line its value may be omitted. */
export const isSwitch = (key: keyof typeof settings) => settings[key].safeParse('true').data === true

/** The only values of a setting; empty if it accepts others. */
export function choicesOf(key: keyof typeof settings): readonly string[] {
  const schema: z.ZodType = settings[key]
  const inner = schema instanceof z.ZodDefault || schema instanceof z.ZodOptional ? schema.unwrap() : schema
  return inner instanceof z.ZodEnum ? inner.options.map(String) : []
}

/** The flags in the format of node:util parseArgs. */
export const flagOptions: Readonly<Record<string, { type: 'boolean' | 'string'; short?: string }>> = Object.fromEntries(
  settingKeys.map((key) => [kebab(key), { type: isSwitch(key) ? ('boolean' as const) : ('string' as const) }]),
)
