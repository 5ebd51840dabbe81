import { settings } from '../../app/config.ts'
import { envNameOf, flagOf } from '../../app/read-config.ts'
import { version } from '../../version.ts'

export function helpText(): string {
  const rows = Object.entries(settings).map(
    ([key, schema]) => `  ${flagOf(key).padEnd(24)}${schema.description ?? ''}\n${' '.repeat(26)}${envNameOf(key)}`,
  )
  return `gossamer ${version}: the web for AI agents

  gossamer                          serve MCP over stdio (the command for MCP clients)
  gossamer serve                    serve MCP (/mcp) and REST (/v2) over HTTP
  gossamer scrape URL [JSON]        scrape one page                       --formats markdown,links
  gossamer search QUERY [JSON]      search the web                        --limit N
  gossamer crawl URL [JSON]         crawl a whole site                    --out DIR  --warc FILE  --limit N
  gossamer crawl --resume --out DIR resume a stopped crawl
  gossamer call OPERATION [JSON]    run any operation
  gossamer tools                    list the operations
  gossamer keys add|list|revoke     manage API keys for HTTP              --team TEAM
  gossamer index                    show the local index: pages and hosts read so far
  gossamer index search QUERY       search the local index, offline       --limit N  --team TEAM
  gossamer index prune              delete pages from it                  --site HOST  --older-than 30d
  gossamer profile login NAME URL   log in to a site in a window and save the profile
  gossamer profile list|show|delete|import|export   manage saved browser profiles
  gossamer browser install|path     install or locate the headless browser
  gossamer doctor                   check this machine and suggest fixes

  --json                  print JSON on a terminal too (the default when piped)
  --help, --version

Settings, as flags or environment variables:
${rows.join('\n')}
`
}
