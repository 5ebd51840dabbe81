import { envNameOf, flagOf, settings } from '../../app/config.ts'
import { version } from '../../version.ts'

export function helpText(): string {
  const rows = Object.entries(settings).map(
    ([key, schema]) => `  ${flagOf(key).padEnd(24)}${schema.description ?? ''}\n${' '.repeat(26)}${envNameOf(key)}`,
  )
  return `gossamer ${version}: the web for AI agents

  gossamer                          serve MCP over stdio (what clients start)
  gossamer serve                    serve MCP (/mcp) and REST (/v2) over HTTP
  gossamer scrape URL [JSON]        scrape one page   --formats markdown,links
  gossamer search QUERY [JSON]      search the web   --limit N
  gossamer crawl URL [JSON]         read a whole site   --out DIR  --warc FILE  --limit N
  gossamer crawl --resume --out DIR go on with a crawl that was stopped
  gossamer call OPERATION [JSON]    run any operation
  gossamer tools                    list the operations
  gossamer keys add|list|revoke     API keys for HTTP   --team TEAM
  gossamer index                    the pages that were read before: how many, of which hosts
  gossamer index search QUERY       search them, here alone   --limit N  --team TEAM
  gossamer index prune              forget some   --site HOST  --older-than 30d
  gossamer profile login NAME URL   log in to a site in a window, for scrapes with that profile
  gossamer profile list|show|delete|import|export
  gossamer browser install|path     the browser that pages are rendered with
  gossamer doctor                   check this machine and say what to do

  --json                  JSON even on a terminal (it is the default when piped)
  --help, --version

Settings, as flags or environment variables:
${rows.join('\n')}
`
}
