import { readFileSync } from 'node:fs'
import { settings } from '../src/app/config.ts'
import { envNameOf, flagOf, settingKeys } from '../src/app/read-config.ts'
import { errors } from '../src/kernel/error-table.ts'
import { operations, tools } from '../src/operations/index.ts'
import { isForModels } from '../src/kernel/tool.ts'
import { errorsPage, indexPage, operationPage, pageName } from '../src/surfaces/docs/docs.ts'
import { openApi } from '../src/surfaces/docs/openapi.ts'

import { withSnippets } from './client-snippets.ts'
import { withClientTables } from './client-tables.ts'
import { formatsPage } from './formats-page.ts'
import { defaultText } from '../src/cli/help.ts'
import { commandLinePage } from './command-line-page.ts'
import { withProviderTables } from './provider-tables.ts'
import { code, table, withTables } from './markdown-table.ts'

export type PackageFacts = {
  name: string
  version: string
  description: string
  mcpName: string
  license: string
  /** The README in the repository. */
  homepage: string
  engines: { node: string }
}

const modelTools = tools.filter(isForModels)

/** All files derived from operations, settings and package.json, by path. */
export function derivedFiles(pkg: PackageFacts): Map<string, string> {
  const pages = operations.map(
    (operation) => [`docs/reference/${pageName(operation)}`, operationPage(operation, modelTools)] as const,
  )
  return new Map([
    ...pages,
    ['docs/reference/index.md', indexPage(operations, modelTools)],
    ['docs/reference/errors.md', errorsPage(errors)],
    ['docs/reference/formats.md', formatsPage()],
    ['docs/openapi.json', compactJson(openApi({ operations, version: pkg.version, title: 'Gossamer' }))],
    ['docs/settings.md', settingsPage()],
    ['docs/command-line.md', commandLinePage()],
    ['manifest.json', json(manifest(pkg))],
    ['server.json', json(registryEntry(pkg))],
    ['docs/search.md', withProviderTables(readFileSync('docs/search.md', 'utf8'))],
    ['docs/clients.md', withSnippets(withClientTables(readFileSync('docs/clients.md', 'utf8')))],
    ['README.md', withSnippets(withTools(readFileSync('README.md', 'utf8')))],
  ])
}

/** openapi.json is for programs; indentation would almost triple its size. */
const compactJson = (value: unknown) => `${JSON.stringify(value)}\n`
const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`

function settingsPage(): string {
  const rows = settingKeys.map((key) => {
    const cells = [code(envNameOf(key)), code(flagOf(key)), defaultOf(key), settings[key].description ?? '']
    return cells.map((cell) => cell.replaceAll('|', '\\|'))
  })
  return `# Settings

Each setting is an environment variable or a command-line flag; the flag wins. A switch is turned off by \`=false\`, or by \`--no-\`
before its name, such as \`--no-search-results-pages\`. \`gossamer help settings\` prints this list. Other pages name a setting by its key:
\`braveKey\` is \`GOSSAMER_BRAVE_KEY\` or \`--brave-key\`. \`gossamer doctor\` checks the settings on your machine.

${table(['variable', 'flag', 'default', 'what it does'], rows)}
`
}

function defaultOf(key: keyof typeof settings): string {
  const text = defaultText(key)
  return key === 'dataDir' ? text.replace(/~\S+/, '`$&`') : text && code(text)
}

const userConfig = {
  allow_hosts: {
    type: 'string',
    title: 'Private hosts that may be scraped',
    description: settings.allowHosts.description,
    required: false,
    default: '',
  },
  data_dir: {
    type: 'directory',
    title: 'Data folder',
    description: `${settings.dataDir.description} Left empty, it is the usual folder of this system, which the command line uses too.`,
    required: false,
    // Not every client expands variables such as ${HOME} in defaults.
    default: '',
  },
  remote_url: {
    type: 'string',
    title: 'Remote service',
    description: settings.remoteUrl.description,
    required: false,
    default: '',
  },
  remote_key: {
    type: 'string',
    title: 'Key for the remote service',
    description: settings.remoteKey.description,
    required: false,
    sensitive: true,
    default: '',
  },
}
const userEnv = Object.fromEntries(
  Object.keys(userConfig).map((name) => [`GOSSAMER_${name.toUpperCase()}`, `\${user_config.${name}}`]),
)

const repositoryOf = ({ homepage }: PackageFacts) => homepage.replace('#readme', '')

/** Manifest of the desktop bundle (MCPB 0.3). */
function manifest(pkg: PackageFacts) {
  return {
    manifest_version: '0.3',
    name: pkg.name,
    display_name: 'Gossamer',
    version: pkg.version,
    description: pkg.description,
    author: { name: 'Gossamer maintainers' },
    license: pkg.license,
    homepage: pkg.homepage,
    repository: { type: 'git', url: repositoryOf(pkg) },
    icon: 'icon.png',
    keywords: ['web', 'scrape', 'crawl', 'search', 'markdown'],
    server: {
      type: 'node',
      entry_point: 'bin/gossamer.cjs',
      mcp_config: { command: 'node', args: ['${__dirname}/bin/gossamer.cjs'], env: userEnv },
    },
    tools: modelTools.map(({ name, about }) => ({ name, description: about })),
    compatibility: { platforms: ['darwin', 'win32', 'linux'], runtimes: { node: pkg.engines.node } },
    user_config: userConfig,
  }
}

/** Entry for the MCP registry. */
function registryEntry(pkg: PackageFacts) {
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: pkg.mcpName,
    title: 'Gossamer',
    description: pkg.description,
    version: pkg.version,
    repository: { url: repositoryOf(pkg), source: 'github' },
    packages: [
      {
        registryType: 'npm',
        identifier: pkg.name,
        version: pkg.version,
        transport: { type: 'stdio' },
        environmentVariables: [
          { name: envNameOf('dataDir'), description: settings.dataDir.description, isRequired: false },
          { name: envNameOf('allowHosts'), description: settings.allowHosts.description, isRequired: false },
          { name: envNameOf('remoteUrl'), description: settings.remoteUrl.description, isRequired: false },
          {
            name: envNameOf('remoteKey'),
            description: settings.remoteKey.description,
            isRequired: false,
            isSecret: true,
          },
        ],
      },
    ],
  }
}

/** Tools by task, in the order in which readers look for them. */
const tasks: Readonly<Record<string, readonly string[]>> = {
  'Read a page': ['scrape', 'scrape_result', 'parse'],
  'Find pages': ['search', 'map'],
  'Read many pages': ['crawl', 'batch_scrape', 'crawl_status', 'crawl_cancel'],
  'Get answers and data': ['agent'],
  'Use a browser': [
    'browser_act',
    'browser_snapshot',
    'browser_execute',
    'browser_create',
    'browser_close',
    'interact',
  ],
  'Watch pages': ['monitor'],
  'Get help and figures': ['support_ask', 'docs_search', 'activity', 'usage'],
}

function withTools(readme: string): string {
  const about = new Map(modelTools.map((tool) => [tool.name, tool.about.split(/(?<=\.) /)[0] ?? '']))
  const rows = Object.entries(tasks).flatMap(([task, names]) =>
    names.map((name, at) => [at === 0 ? task : '', code(name), about.get(name) ?? '']),
  )
  const unlisted = [...about.keys()].filter((name) => !Object.values(tasks).flat().includes(name))
  if (unlisted.length > 0 || rows.length !== about.size)
    throw new Error(`The README lists no task for ${unlisted.join(', ')}.`)
  return withTables(readme, { tools: table(['to', 'tool', 'what it does'], rows) })
}
