import { homedir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { oauthSettings } from '../engine/account/oauth/oauth-settings.ts'
import { parseRate } from '../engine/account/team-limits.ts'
import { parseAllowEntry } from '../engine/net/address-rule.ts'
import { modelSettings } from '../engine/model/model-settings.ts'
import { parseProxy } from '../engine/net/proxy/upstream-proxy.ts'
import { locationModes } from '../contracts/ports.ts'
import { permissions } from '../schema/team.ts'
import { clusterSettings, textFor } from '../engine/store/data-places.ts'
import { logLevels } from '../kernel/log.ts'
import { version } from '../version.ts'

const onOff = z.preprocess(
  (text) =>
    typeof text === 'string'
      ? ({ true: true, 1: true, '': true, false: false, 0: false }[text.toLowerCase()] ?? text)
      : text,
  z.boolean('takes true or false'),
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

const AllowEntry = textFor(parseAllowEntry)
const RateEntry = textFor(parseRate)
const ProxyEntry = textFor(parseProxy)
const secretKey = (service: string) =>
  z.string().min(1).optional().meta({ secret: true }).describe(`API key for ${service}.`)
const count = z.coerce.number('takes a number').int('takes a whole number')

/** Default data folder: the platform's own place for application data. */
function defaultDataDir(): string {
  // oxlint-disable-next-line node/no-process-env -- the platform names these folders by environment variables
  const { LOCALAPPDATA, XDG_DATA_HOME } = process.env
  if (process.platform === 'win32') return join(LOCALAPPDATA || join(homedir(), 'AppData', 'Local'), 'gossamer')
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'gossamer')
  return join(XDG_DATA_HOME || join(homedir(), '.local', 'share'), 'gossamer')
}

/**
 * Every setting, one entry each. Its variable (GOSSAMER_DATA_DIR) and its flag (--data-dir) are derived from the key:
 * `read-config.ts`.
 */
export const settings = {
  host: z.string().min(1).default('127.0.0.1').describe('Address that `serve` listens on.'),
  port: count.min(0).max(65_535).default(3002).describe('Port that `serve` listens on; 0 takes a free one.'),
  publicUrl: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Public URL of the server; links in answers start with it.'),
  trustProxy: onOff.default(false).describe('Trust the X-Forwarded-* headers of a reverse proxy in front.'),
  httpHosts: list.describe(
    'Additional host names the server answers to (Host header); `*` = any. Loopback names and `host` are always allowed.',
  ),
  httpOrigins: list.describe('Web origins whose pages may call the server (CORS).'),
  apiKeys: list
    .meta({ secret: true })
    .describe('API keys accepted over HTTP, comma-separated, each `key` or `team:key`.'),
  adminKey: z
    .string()
    .min(16)
    .optional()
    .meta({ secret: true })
    .describe('API key that manages teams and keys over HTTP (`/v2/admin`).'),
  metricsToken: z
    .string()
    .min(16)
    .optional()
    .meta({ secret: true })
    .describe('Bearer token that reads `/metrics` and nothing else; the admin key reads it, too.'),
  ...oauthSettings,
  permissions: listOf(z.enum(permissions)).describe(
    `Options granted to all teams over HTTP: ${permissions.join(', ')}. Local use over stdio has all of them.`,
  ),
  maxRequestBytes: count.min(1024).default(1_048_576).describe('Maximum size of a request body in bytes.'),
  strict: onOff
    .default(false)
    .describe('Validate input strictly: refuse unknown fields and values that would otherwise be converted.'),
  remoteUrl: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Forward every operation to this /v2 service instead of running it here.'),
  remoteKey: z.string().min(1).optional().meta({ secret: true }).describe('API key for `remoteUrl`.'),
  dataDir: z
    .string()
    .min(1)
    .default(defaultDataDir)
    .describe('Folder for cache, jobs and keys; `memory` keeps nothing on disk.'),
  ...clusterSettings,
  pictureLinks: onOff
    .default(false)
    .describe('Return screenshots and PDFs over REST as links to this server instead of data URLs.'),
  cacheMaxMb: count
    .min(1)
    .default(1024)
    .describe('Maximum size of the page cache in MB; the least recently used pages are evicted first.'),
  jobRetentionHours: z.coerce
    .number()
    .positive()
    .default(24)
    .describe('Hours for which results can be read again by id.'),
  maxConcurrency: count.min(1).default(16).describe('Maximum scrapes per team at the same time.'),
  maxWaiting: count.min(0).default(1000).describe('Maximum scrapes per team waiting in the queue.'),
  requestsPerMinute: listOf(RateEntry).describe(
    'Maximum calls per minute that start a job, per team: `60` for each endpoint, `crawl=5` for one; empty = no limit.',
  ),
  crawlHostConcurrency: count
    .min(1)
    .default(8)
    .describe('Maximum pages of one host that all crawls and batches fetch at the same time.'),
  crawlThreads: count
    .min(0)
    .max(64)
    .optional()
    .describe(
      'Crawl threads, each with its own network and database connections; 0 crawls in the main thread; unset = one fewer than cores (1 to 4).',
    ),
  webhookSecret: z
    .string()
    .min(8)
    .optional()
    .meta({ secret: true })
    .describe('Secret used to sign webhook deliveries (HMAC-SHA256); several teams each get one derived from it.'),
  webhookRetryMinutes: listOf(z.coerce.number().positive())
    .default([1, 5, 15])
    .describe('Minutes to wait before each retry of a webhook delivery.'),
  searchProviders: list.describe(
    'Search providers to use, in this order and no others, such as `searxng,duckduckgo,wikipedia`; empty = all that are available.',
  ),
  searchResultsPages: onOff
    .default(true)
    .describe(
      'Search by opening results pages of public search engines in the browser, after SearXNG and the providers with a key.',
    ),
  braveKey: secretKey('Brave Search API'),
  tavilyKey: secretKey('Tavily'),
  exaKey: secretKey('Exa'),
  serperKey: secretKey('Serper'),
  searxngUrl: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('URL of a SearXNG instance with JSON output enabled; may be a private address.'),
  githubToken: z
    .string()
    .min(1)
    .optional()
    .meta({ secret: true })
    .describe('GitHub token without permissions, which raises the rate limit of its search.'),
  contactEmail: z
    .email()
    .optional()
    .describe(
      'Contact address sent to Wikipedia, Commons, Crossref and PubMed, which allow identified clients more requests.',
    ),
  ...modelSettings,
  monthlyCredits: count.min(0).optional().describe('Credits each team may use per month; unset = no limit.'),
  allowHosts: listOf(AllowEntry).describe(
    'Private hosts exempt from SSRF protection: names, addresses or CIDR ranges, optionally with a port, such as `localhost:3000,10.0.0.0/8`; `*` = all.',
  ),
  fileFolders: list.describe('Folders whose files `parse` may read by path, for local use; empty = none.'),
  proxies: listOf(ProxyEntry)
    .meta({ secret: true })
    .describe(
      'Proxies for fetching pages, each `[enhanced:][CC:]http|https|socks5://[user:password@]host[:port]`, where CC is a country code.',
    ),
  blockLists: list.describe(
    'Files or http(s) URLs of additional host block lists for `blockAds`, in hosts-file or EasyList format.',
  ),
  locationMode: z
    .enum(locationModes)
    .default('browser')
    .describe(
      'How pages with scripts are read if `location` is set: `browser` emulates its time zone and languages, `headers` sends only Accept-Language.',
    ),
  browserPath: z.string().min(1).optional().describe('Path of the browser to use; found automatically if unset.'),
  browserCdpUrl: z
    .string()
    .regex(/^(?:wss?|https?):\/\//)
    .optional()
    .meta({ secret: true })
    .describe(
      'CDP endpoint (ws:// or http://) of a browser running elsewhere; its traffic bypasses the SSRF protection here.',
    ),
  ytDlpPath: z
    .string()
    .min(1)
    .default('yt-dlp')
    .describe(
      'Path or name of yt-dlp, which finds the audio and video of media players; a name is looked up on the PATH.',
    ),
  maxSessions: count
    .min(0)
    .optional()
    .describe('Maximum live browser sessions; by default as many as fit into free memory, up to 8.'),
  unsandboxedCode: z
    .enum(['never', 'local', 'always'])
    .default('local')
    .describe(
      'When session code may run without a strong sandbox (bubblewrap, Deno): `local` = Node code only, over stdio and from the command line, never over HTTP; `always` = all languages, for every caller.',
    ),
  python: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Path of the Python interpreter for session code, with the packages that code may import; default `python3`.',
    ),
  profileKey: z
    .string()
    .min(8)
    .optional()
    .meta({ secret: true })
    .describe(
      'Passphrase that encrypts stored browser profiles; if unset they are protected by file permissions only.',
    ),
  userAgent: z
    .string()
    .min(1)
    .default(`Mozilla/5.0 (compatible; Gossamer/${version})`)
    .describe('User-Agent header of plain HTTP requests.'),
  tools: z
    .string()
    .default('all')
    .describe(
      'Tools offered over MCP: `core` (the few that read pages and act on them), `read` (those that change nothing), `research` (`search` and `fetch`, as the research modes of some hosts expect them), `all`, or names, comma-separated, such as `core,crawl,crawl_status`.',
    ),
  readOnly: onOff
    .default(false)
    .describe('Allow only calls that change nothing, over MCP, REST and the command line, and offer only their tools.'),
  mcpMaxCharacters: count
    .min(1000)
    .max(500_000)
    .default(20_000)
    .describe('Maximum characters in one answer of an MCP tool; the rest is read with `offset`.'),
  mcpSchemas: z
    .enum(['plain', 'strict'])
    .default('plain')
    .describe('Form of the MCP tool schemas: `strict` for models with constrained decoding (OpenAI strict mode).'),
  logLevel: z.enum(logLevels).default('warn').describe('Log level on stderr.'),
}

export const Config = z.strictObject(settings)
export type Config = Readonly<z.output<typeof Config>>
