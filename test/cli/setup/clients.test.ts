import { expect, test } from 'vitest'
import { type ClientName, clientNames, clientOf, type Machine } from '../../../src/cli/setup/clients.ts'
import { entryOf, launchOf } from '../../../src/cli/setup/edit.ts'

const machines: Record<'linux' | 'darwin' | 'win32', Machine> = {
  linux: { platform: 'linux', home: '/home/ada', env: {} },
  darwin: { platform: 'darwin', home: '/Users/ada', env: {} },
  win32: { platform: 'win32', home: 'C:\\Users\\ada', env: { APPDATA: 'D:\\Roaming' } },
}

const support = '/Users/ada/Library/Application Support'
test.each<[ClientName, string, string, string]>([
  [
    'claude-desktop',
    '/home/ada/.config/Claude/claude_desktop_config.json',
    `${support}/Claude/claude_desktop_config.json`,
    'D:\\Roaming\\Claude\\claude_desktop_config.json',
  ],
  ['codex', '/home/ada/.codex/config.toml', '/Users/ada/.codex/config.toml', 'C:\\Users\\ada\\.codex\\config.toml'],
  [
    'zed',
    '/home/ada/.config/zed/settings.json',
    '/Users/ada/.config/zed/settings.json',
    'D:\\Roaming\\Zed\\settings.json',
  ],
])('the config of %s has a path on every system', (name, linux, darwin, win32) => {
  const { file } = clientOf(name)
  expect({ linux: file(machines.linux), darwin: file(machines.darwin), win32: file(machines.win32) }).toEqual({
    linux,
    darwin,
    win32,
  })
})

test.each<[ClientName, Machine['env'], string]>([
  ['claude-code', { CLAUDE_CONFIG_DIR: '/etc/claude' }, '/etc/claude/.claude.json'],
  ['codex', { CODEX_HOME: '/etc/codex' }, '/etc/codex/config.toml'],
  ['cursor', { XDG_CONFIG_HOME: '/etc/xdg' }, '/home/ada/.cursor/mcp.json'],
])('the config of %s with the environment %j is %s', (name, env, file) => {
  expect(clientOf(name).file({ ...machines.linux, env })).toBe(file)
})

test('without APPDATA, Windows configs are below the home folder', () => {
  expect(clientOf('zed').file({ ...machines.win32, env: {} })).toBe(
    'C:\\Users\\ada\\AppData\\Roaming\\Zed\\settings.json',
  )
})

test('every client has an entry with command and arguments, and the environment only if there is one', () => {
  const launch = { command: 'node', args: ['/a b/gossamer.cjs'] }
  for (const name of clientNames) {
    expect(entryOf(name, launch), name).toMatchObject(launch)
    expect(entryOf(name, launch), name).not.toHaveProperty('env')
    expect(entryOf(name, { ...launch, env: { GOSSAMER_TOOLS: 'core' } }), name).toHaveProperty(
      'env.GOSSAMER_TOOLS',
      'core',
    )
  }
  expect(entryOf('vscode', launch)).toHaveProperty('type', 'stdio')
  expect(entryOf('codex', launch)).toHaveProperty('tool_timeout_sec', 300)
})

test.each([
  ['linux', '/home/ada/gossamer/bin/gossamer.cjs', '/usr/bin/node', ['/home/ada/gossamer/bin/gossamer.cjs']],
  ['linux', '/home/ada/.npm/_npx/1a2b/node_modules/.bin/gossamer-mcp', 'npx', ['-y', 'gossamer-mcp']],
  [
    'win32',
    'C:\\npm-cache\\_npx\\1a\\node_modules\\gossamer-mcp\\bin\\gossamer.cjs',
    'cmd',
    ['/c', 'npx', '-y', 'gossamer-mcp'],
  ],
] as const)('on %s, %s is started by %s', (platform, script, command, args) => {
  expect(launchOf({ platform, execPath: '/usr/bin/node', script })).toEqual({ command, args })
})
