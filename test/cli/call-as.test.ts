import { describe, expect, test } from 'vitest'
import { type App, createApp } from '../../src/app/app.ts'
import { readConfig } from '../../src/app/read-config.ts'
import { callCommand } from '../../src/cli/commands/call-command.ts'
import { runCommand, silentLog } from './kit.ts'

async function printed(way: string, words: string[], settings: Record<string, string> = {}) {
  const config = readConfig({ 'data-dir': 'memory', ...settings }, {})
  const app = createApp(config, silentLog)
  // No call may run.
  const idle: App = { ...app, invoke: () => Promise.reject(new Error('it was called')) }
  try {
    const { code, out } = await runCommand(callCommand, words, { flags: { as: way }, config, app: idle })
    expect(code).toBe(0)
    return out
  } finally {
    await app.close()
  }
}
const map = ['map', `{"url":"https://a.example/it's","limit":5}`]

describe('gossamer call --as', () => {
  test('prints the call for curl, with the variable of the key if one is needed', async () => {
    expect(await printed('curl', map)).toBe(
      `curl -X POST 'http://127.0.0.1:3002/v2/map' \\\n  -H 'Content-Type: application/json' \\\n  -d '{"limit":5,"url":"https://a.example/it'\\''s"}'\n`,
    )
    const remote = { 'remote-url': 'https://far.example/x/', 'remote-key': 'very-secret' }
    const text = await printed('curl', map, remote)
    expect(text).toContain(`'https://far.example/x/v2/map'`)
    expect(text).toContain('-H "Authorization: Bearer $GOSSAMER_API_KEY"')
    for (const way of ['curl', 'mcp', 'cli', 'sdk', 'library'])
      expect(await printed(way, map, remote)).not.toContain('very-secret')
    expect(await printed('curl', map, { 'api-keys': 'ada:very-secret' })).toContain('$GOSSAMER_API_KEY')
  })

  test('prints the command itself, and its destination', async () => {
    expect(await printed('cli', map)).toBe(`gossamer call map '{"limit":5,"url":"https://a.example/it'\\''s"}'\n`)
    expect(await printed('cli', map, { 'remote-url': "https://far.example/o'k" })).toMatch(
      /^GOSSAMER_REMOTE_URL='https:\/\/far\.example\/o%27k' \\\n {2}gossamer call map /,
    )
  })

  test('lists what it does not know', async () => {
    await expect(printed('crul', map)).rejects.toThrow('Did you mean curl?')
    await expect(printed('sdk', ['admin_teams', '{}'])).rejects.toThrow('The SDK has no method for this')
    await expect(printed('curl', ['mpa', '{}'])).rejects.toThrow('There is no operation mpa')
  })
})
