import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type Config, settings } from '../src/app/config.ts'
import {
  choicesOf,
  configFaults,
  envNameOf,
  flagOf,
  isSwitch,
  readConfig,
  settingKeys,
} from '../src/app/read-config.ts'
import { flags } from '../src/cli/usage/command-flags.ts'
import { readCommandLine } from '../src/cli/usage/read-command-line.ts'

/** Reads the settings from a command line and an environment. */
function configOf(argv: string[] = [], env: Record<string, string> = {}): Config {
  const line = readCommandLine(argv)
  return readConfig(line.kind === 'run' ? line.settings : {}, env)
}

function faultsOf(argv: string[], env: Record<string, string> = {}): string[] {
  try {
    configOf(argv, env)
  } catch (error) {
    if (error instanceof z.ZodError) return configFaults(error)
    throw error
  }
  return []
}

type Key = (typeof settingKeys)[number]

const texts =
  'true false 7 2048 zeroDataRetention 127.0.0.1:1 wss://a.example https://a.example postgres://a.example/b s3://id:secret@bucket/a a@example.com some-text a-secret-of-many-characters'
/** Returns a valid value of a setting, other than the default. */
const textFor = (key: Key) =>
  [...choicesOf(key), ...texts.split(' ')].find((text) => {
    const { success, data } = settings[key].safeParse(text)
    return success && !isDeepStrictEqual(data, settings[key].safeParse(undefined).data)
  })

describe('a setting', () => {
  test('has a default that listens on this machine only and limits nothing', () => {
    expect(configOf()).toMatchObject({ host: '127.0.0.1', port: 3002, apiKeys: [], allowHosts: [], permissions: [] })
    expect(configOf().monthlyCredits).toBeUndefined()
    expect(configOf().remoteUrl).toBeUndefined()
  })

  test('from the environment overrides the default, and a flag overrides both', () => {
    expect(configOf([], { GOSSAMER_PORT: '4000' }).port).toBe(4000)
    expect(configOf(['--port', '5000'], { GOSSAMER_PORT: '4000' }).port).toBe(5000)
    expect(configOf(['--port=5000']).port).toBe(5000)
  })

  test('that is empty in the environment is not set', () => {
    const env = Object.fromEntries(Object.keys(settings).map((key) => [envNameOf(key), '']))
    expect(configOf([], env)).toEqual(configOf())
  })

  test.each(['${user_config.any}', ' ${user_config.any} ', '${input:any}', '${env:ANY}', ' '])(
    'that a client passes as %j is not set',
    (text) => {
      const env = Object.fromEntries(Object.keys(settings).map((key) => [envNameOf(key), text]))
      expect(configOf([], env)).toEqual(configOf())
      expect(configOf(settingKeys.map((key) => `${flagOf(key)}=${text}`))).toEqual(configOf())
    },
  )

  test('may contain dollar signs and braces', () => {
    expect(configOf([], { GOSSAMER_PROFILE_KEY: '${secret}-$HOME' }).profileKey).toBe('${secret}-$HOME')
  })

  test.each(settingKeys)('%s has a flag, an environment name and a description', (key) => {
    expect(flagOf(key)).toMatch(/^--[a-z]+(?:-[a-z]+)*$/)
    expect(envNameOf(key)).toMatch(/^GOSSAMER(?:_[A-Z]+)+$/)
    expect(settings[key].description).toMatch(/^[A-Z].*\.$/)
  })

  test.each(settingKeys)('%s reads the same as a flag and as a variable', (key) => {
    const text = textFor(key) ?? ''
    const byVariable = configOf([], { [envNameOf(key)]: text })
    expect(byVariable).not.toEqual(configOf())
    expect(configOf([`${flagOf(key)}=${text}`])).toEqual(byVariable)
    if (!isSwitch(key)) expect(configOf([flagOf(key), text])).toEqual(byVariable)
  })

  test.each(settingKeys.filter(isSwitch))('%s is turned on and off by a flag, whatever its variable says', (key) => {
    const [on, off] = [flagOf(key), `--no-${flagOf(key).slice(2)}`]
    const env = { on: { [envNameOf(key)]: 'true' }, off: { [envNameOf(key)]: 'false' } }
    for (const flag of [on, `${on}=true`, `${on}=1`]) expect(configOf([flag], env.off)[key]).toBe(true)
    for (const flag of [off, `${on}=false`, `${on}=0`]) expect(configOf([flag], env.on)[key]).toBe(false)
  })

  test('has a name that no other setting or flag has', () => {
    const names = [...settingKeys, ...Object.keys(flags)]
    expect(new Set(names.map(flagOf)).size).toBe(names.length)
    expect(new Set(settingKeys.map(envNameOf)).size).toBe(settingKeys.length)
  })
})

describe('invalid settings', () => {
  test('are all reported together, by flag and environment name', () => {
    const faults = faultsOf(['--port', 'many', '--permissions', 'everything'], { GOSSAMER_CACHE_MAX_MB: '0' })
    expect(faults).toHaveLength(3)
    expect(faults).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^--port \(GOSSAMER_PORT\): ./),
        expect.stringMatching(/^--permissions \(GOSSAMER_PERMISSIONS\): ./),
        expect.stringMatching(/^--cache-max-mb \(GOSSAMER_CACHE_MAX_MB\): ./),
      ]),
    )
  })

  test('are reported without the values of secrets', () => {
    const faults = faultsOf(['--port', 'x'], { GOSSAMER_API_KEYS: 'hunter2', GOSSAMER_REMOTE_KEY: 'hunter2' })
    expect(faults.join()).not.toContain('hunter2')
  })

  test.each([
    ['--port', '-1'],
    ['--port', '80.5'],
    ['--max-concurrency', '0'],
    ['--mcp-max-characters', '500001'],
    ['--log-level', 'loud'],
    ['--remote-url', 'ftp://example.com'],
    ['--public-url', 'javascript:alert(1)'],
    ['--allow-hosts', 'localhost,10.0.0.0/99'],
  ])('are reported: %s %s', (flag, value) => {
    expect(faultsOf([`${flag}=${value}`])).toEqual([expect.stringContaining(`${flag} (`)])
  })
})

test.each([
  ['--port', '0', { port: 0 }],
  ['--job-retention-hours', '0.5', { jobRetentionHours: 0.5 }],
  ['--log-level', 'silent', { logLevel: 'silent' }],
  ['--data-dir', 'memory', { dataDir: 'memory' }],
  ['--allow-hosts', '*', { allowHosts: ['*'] }],
  ['--allow-hosts', '[::1]:8080', { allowHosts: ['[::1]:8080'] }],
])('a setting accepts %s %s', (flag, value, expected) => expect(configOf([`${flag}=${value}`])).toMatchObject(expected))

const isBoolean = (key: Key) => typeof settings[key].safeParse(undefined).data === 'boolean'

describe('a switch', () => {
  test.each([
    ['true', true],
    ['1', true],
    ['false', false],
    ['0', false],
  ])('reads %s in the environment as %s', (text, value) => {
    expect(configOf([], { GOSSAMER_STRICT: text }).strict).toBe(value)
  })

  test.each(['maybe', '2', 'constructor'])('refuses %s', (text) => {
    expect(faultsOf([], { GOSSAMER_STRICT: text })).toEqual([expect.stringContaining('--strict (GOSSAMER_STRICT)')])
  })

  test('accepts on and off only', () => expect(settingKeys.filter(isSwitch)).toEqual(settingKeys.filter(isBoolean)))
})

describe('a list', () => {
  test('is split at commas, without blanks and empty items', () => {
    expect(configOf(['--allow-hosts', ' localhost:3000, 10.0.0.0/8 ,,']).allowHosts).toEqual([
      'localhost:3000',
      '10.0.0.0/8',
    ])
    expect(configOf([], { GOSSAMER_API_KEYS: 'a:b,c' }).apiKeys).toEqual(['a:b', 'c'])
  })

  test('accepts only known permissions', () => {
    expect(configOf(['--permissions', 'zeroDataRetention, ignoreRobotsTxt']).permissions).toEqual([
      'zeroDataRetention',
      'ignoreRobotsTxt',
    ])
  })
})

test('the data folder is an absolute path, even if the variables of the platform are empty', () => {
  const before = { XDG_DATA_HOME: process.env['XDG_DATA_HOME'], LOCALAPPDATA: process.env['LOCALAPPDATA'] }
  try {
    process.env['XDG_DATA_HOME'] = ''
    process.env['LOCALAPPDATA'] = ''
    expect(configOf().dataDir).toMatch(/^(?:\/|[A-Za-z]:\\).*[/\\]gossamer$/)
  } finally {
    for (const [name, value] of Object.entries(before)) {
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
  }
})
