import { homedir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { parseAllowEntry } from '../engine/net/address/address.ts'
import { parseProxy } from '../engine/net/proxy/proxy-address.ts'
import { permissions } from '../kernel/ctx.ts'
import { logLevels } from '../kernel/log.ts'
import { version } from '../version.ts'

const onOff = z.preprocess(
  (text) =>
    typeof text === 'string'
      ? ({ true: true, 1: true, '': true, false: false, 0: false }[text.toLowerCase()] ?? text)
      : text,
  z.boolean(),
)
const split = (text: unknown) =>
  typeof text === 'string'
    ? text
        .split(',')
        .map((item) => item.trim())
        .filter(Boolean)
    : text
/** Items separated by commas. */
const listOf = <T extends z.ZodType>(item: T) => z.preprocess(split, z.array(item)).default([])
const list = listOf(z.string())

const AllowEntry = z.string().superRefine((entry, check) => {
  try {
    parseAllowEntry(entry)
  } catch (fault) {
    check.addIssue({ code: 'custom', message: (fault as Error).message })
  }
})
const ProxyEntry = z.string().superRefine((entry, check) => {
  try {
    parseProxy(entry)
  } catch (fault) {
    check.addIssue({ code: 'custom', message: (fault as Error).message })
  }
})
const secretKey = (service: string) =>
  z.string().min(1).optional().meta({ secret: true }).describe(`Key of ${service}.`)
const count = z.coerce.number().int()

/** Where the data goes unless told otherwise: the platform's own place for an application's data. */
function defaultDataDir(): string {
  // oxlint-disable-next-line node/no-process-env -- the platform names these folders by environment variables
  const { LOCALAPPDATA, XDG_DATA_HOME } = process.env
  if (process.platform === 'win32') return join(LOCALAPPDATA || join(homedir(), 'AppData', 'Local'), 'gossamer')
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'gossamer')
  return join(XDG_DATA_HOME || join(homedir(), '.local', 'share'), 'gossamer')
}

/** Every setting, one line each. The environment name (GOSSAMER_DATA_DIR) and the flag (--data-dir) follow from the key. */
export const settings = {
  host: z.string().min(1).default('127.0.0.1').describe('Address that `serve` listens on.'),
  port: count.min(0).max(65_535).default(3002).describe('Port that `serve` listens on; 0 takes a free one.'),
  publicUrl: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Address under which clients reach the server; links in answers start with it.'),
  trustProxy: onOff.default(false).describe('Believe the X-Forwarded-* headers of a proxy in front.'),
  httpHosts: list.describe(
    'Further host names the server answers to; `*` = any. Loopback names and `host` always count.',
  ),
  httpOrigins: list.describe('Web origins whose pages may call the server.'),
  apiKeys: list
    .meta({ secret: true })
    .describe('API keys accepted over HTTP, each `key` or `team:key`, separated by commas.'),
  permissions: listOf(z.enum(permissions)).describe(
    `Options granted to teams over HTTP: ${permissions.join(', ')}. Local use over stdio has them all.`,
  ),
  maxRequestBytes: count.min(1024).default(1_048_576).describe('Largest request body, bytes.'),
  strict: onOff.default(false).describe('Refuse unknown fields instead of dropping them with a warning.'),
  remoteUrl: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Forward every operation to this /v2 service instead of running it here.'),
  remoteKey: z.string().min(1).optional().meta({ secret: true }).describe('API key for `remoteUrl`.'),
  dataDir: z
    .string()
    .min(1)
    .default(defaultDataDir)
    .describe('Folder of cache, jobs and keys; `memory` keeps nothing on disk.'),
  pictureLinks: onOff
    .default(false)
    .describe('Answer screenshots and PDFs over REST as links to this server instead of data URLs.'),
  cacheMaxMb: count.min(1).default(1024).describe('Size of the page cache in MB; the longest unused pages go first.'),
  jobRetentionHours: z.coerce
    .number()
    .positive()
    .default(24)
    .describe('How long results can be read again by id, hours.'),
  maxConcurrency: count.min(1).default(16).describe('Scrapes of one team that run at once.'),
  maxWaiting: count.min(0).default(1000).describe('Scrapes of one team that may wait for their turn.'),
  crawlHostConcurrency: count.min(1).default(8).describe('Pages of one host that a crawl reads at once.'),
  webhookSecret: z
    .string()
    .min(8)
    .optional()
    .meta({ secret: true })
    .describe('Secret that webhook deliveries are signed with (HMAC-SHA256).'),
  webhookRetryMinutes: listOf(z.coerce.number().positive())
    .default([1, 5, 15])
    .describe('Minutes to wait before each further try of a webhook delivery.'),
  searchProviders: list.describe(
    'Search providers to ask, in this order and no others, such as `searxng,duckduckgo,wikipedia`; none = all that can be used.',
  ),
  searchResultsPages: onOff
    .default(true)
    .describe('Search by opening the results page of a public search engine in the browser, where no key is set.'),
  braveKey: secretKey('Brave Search API'),
  tavilyKey: secretKey('Tavily'),
  exaKey: secretKey('Exa'),
  serperKey: secretKey('Serper'),
  searxngUrl: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Address of a SearXNG instance that answers in JSON; it may be a private one.'),
  githubToken: secretKey('GitHub, for more searches an hour'),
  contactEmail: z.email().optional().describe('Told to open services that give more to callers they can write to.'),
  monthlyCredits: count.min(0).optional().describe('Credits each team may use in a month; none = no limit.'),
  allowHosts: listOf(AllowEntry).describe(
    'Private hosts that may be scraped: names, addresses or CIDR ranges, optionally with a port, such as `localhost:3000,10.0.0.0/8`; `*` = all.',
  ),
  fileFolders: list.describe('Folders whose files `parse` may read by path, for local use; none = no file.'),
  proxies: listOf(ProxyEntry)
    .meta({ secret: true })
    .describe(
      'Proxies for pages, each `[enhanced:][CC:]http|https|socks5://[user:password@]host[:port]`, with CC a country code.',
    ),
  blockLists: list.describe(
    'Files or http(s) addresses of lists with further hosts to block for `blockAds`, as hosts files or in EasyList form.',
  ),
  browserPath: z.string().min(1).optional().describe('Program of the browser to use; found by itself otherwise.'),
  browserCdpUrl: z
    .string()
    .regex(/^(?:wss?|https?):\/\//)
    .optional()
    .meta({ secret: true })
    .describe('Endpoint of a browser that runs elsewhere (ws:// or http://); it reaches the network by itself.'),
  ytDlpPath: z
    .string()
    .min(1)
    .default('yt-dlp')
    .describe('Program that finds the audio and video of players; looked for on the PATH unless it is a path.'),
  maxSessions: count
    .min(0)
    .optional()
    .describe('Live browsers at once; by default as many as the free memory has room for, at most 8.'),
  unsandboxedCode: z
    .enum(['never', 'local', 'always'])
    .default('local')
    .describe(
      'Where code of sessions may run without a strong sandbox (bubblewrap, Deno): `local` = Node code where only this machine reaches the server.',
    ),
  python: z
    .string()
    .min(1)
    .optional()
    .describe(
      "Program that runs Python code of sessions; the system's `python3` otherwise. Where it has `playwright`, code has that.",
    ),
  agentBrowser: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Program that runs the `agent-browser` commands of bash code in sessions; looked for on the PATH otherwise.',
    ),
  profileKey: z
    .string()
    .min(8)
    .optional()
    .meta({ secret: true })
    .describe('Passphrase that stored browser profiles are encrypted with; none = they are readable by their owner.'),
  userAgent: z
    .string()
    .min(1)
    .default(`Mozilla/5.0 (compatible; Gossamer/${version})`)
    .describe('User-Agent of plain HTTP requests.'),
  mcpMaxCharacters: count
    .min(1000)
    .max(500_000)
    .default(60_000)
    .describe('Characters in one answer of an MCP tool; the rest is read on by offset.'),
  logLevel: z.enum(logLevels).default('warn').describe('How much is written to stderr.'),
}

export const Config = z.strictObject(settings)
export type Config = Readonly<z.output<typeof Config>>

const kebab = (key: string) => key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
export const flagOf = (key: string) => `--${kebab(key)}`
export const envNameOf = (key: string) => `GOSSAMER_${kebab(key).replaceAll('-', '_').toUpperCase()}`

/** Flags beat the environment, which beats defaults. Throws a ZodError that names every faulty setting at once. */
export function readConfig(
  flags: Readonly<Record<string, string | boolean | undefined>>,
  env: Readonly<Record<string, string | undefined>>,
): Config {
  const given = Object.keys(settings).map((key) => [key, flags[kebab(key)] ?? env[envNameOf(key)]] as const)
  // An empty variable is how a desktop client passes a setting that its user left open.
  return Object.freeze(
    Config.parse(Object.fromEntries(given.filter(([, value]) => value !== undefined && value !== ''))),
  )
}

/** What went wrong, one line a setting, by the names the user knows. */
export function configFaults(error: z.ZodError): string[] {
  return error.issues.map((issue) => {
    const key = String(issue.path[0] ?? '')
    return `${flagOf(key)} (${envNameOf(key)}): ${issue.message}`
  })
}

/** A switch is a setting that takes the word true; on the command line it may stand without a value. */
const isSwitch = (schema: z.ZodType) => schema.safeParse('true').data === true

/** The flags as node:util parseArgs wants them. */
export const flagOptions = Object.fromEntries(
  Object.entries(settings).map(([key, schema]) => [
    kebab(key),
    { type: isSwitch(schema) ? ('boolean' as const) : ('string' as const) },
  ]),
)
