import { type ClientName, clientNames, clientOf, type Machine } from '../src/cli/setup/clients.ts'
import { withEntry, entryOf, serverName } from '../src/cli/setup/edit.ts'
import { code, table } from './markdown-table.ts'

/** The program in a reader's checkout. */
const launch = { command: 'node', args: ['/path/to/gossamer/bin/gossamer.cjs'] }

/** A config with only this entry, as `gossamer setup` writes it; JSON on one line. */
export function snippetOf(name: ClientName): string {
  const { format, key } = clientOf(name)
  const entry = entryOf(name, launch)
  if (format === 'toml') return withEntry(undefined, entry, { format, key, path: '' })
  return `${JSON.stringify({ [key]: { [serverName]: entry } }, null, 1)
    .replace(/(?<=\[)\n *|\n *(?=\])/g, '')
    .replace(/\n */g, ' ')}\n`
}

const machines: readonly Machine[] = [
  { platform: 'linux', home: '~', env: {} },
  { platform: 'darwin', home: '~', env: {} },
  { platform: 'win32', home: '%USERPROFILE%', env: { APPDATA: '%APPDATA%' } },
]

const block = (names: readonly ClientName[]) => {
  const [first = 'cursor'] = names
  const titles = names.map((name) => `**${clientOf(name).title}**`)
  return [
    `${titles.join(', ')}:`,
    '',
    `\`\`\`${clientOf(first).format === 'toml' ? 'toml' : 'json'}`,
    snippetOf(first).trimEnd(),
    '```',
  ].join('\n')
}

const snippets = (names: readonly ClientName[]) => [...Map.groupBy(names, snippetOf).values()].map(block).join('\n\n')

function files(): string {
  const rows = clientNames.map((name) => [
    `${clientOf(name).title}: ${code(name)}`,
    ...machines.map((machine) => code(clientOf(name).file(machine))),
  ])
  return table(['client', 'Linux', 'macOS', 'Windows'], rows)
}

const installLink = (title: string, page: string, config: string) =>
  `[${title}](${page}?name=${serverName}&config=${encodeURIComponent(config)})`

/** Links with which a client adds the published package to its own config. */
function installLinks(): string {
  const published = { command: 'npx', args: ['-y', 'gossamer-mcp'] }
  const config = (name: ClientName) => JSON.stringify(entryOf(name, published))
  const cursor = Buffer.from(config('cursor')).toString('base64')
  return [
    installLink('Add to Cursor', 'https://cursor.com/install-mcp', cursor),
    installLink('Install in VS Code', 'https://insiders.vscode.dev/redirect/mcp/install', config('vscode')),
  ].join(' · ')
}

/** Fills the snippet markers of a page, such as `<!-- snippets: cursor, codex -->`, and the table of config files. */
export function withSnippets(page: string): string {
  return page
    .replace(/(<!-- snippets: ([\w, -]+) -->\n)[\s\S]*?(?=<!-- \/snippets -->)/g, (_, open: string, list: string) => {
      const names = clientNames.filter((name) => list === 'all' || list.split(', ').includes(name))
      return `${open}\n${snippets(names)}\n\n`
    })
    .replace(/(?<=<!-- install links -->).*?(?=<!-- \/install links -->)/g, installLinks)
    .replace(
      /(<!-- files of clients -->\n)[\s\S]*?(?=<!-- \/files of clients -->)/,
      (_, open: string) => `${open}${files()}\n`,
    )
}
