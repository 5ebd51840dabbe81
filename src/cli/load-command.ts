import type { Command } from './command.ts'
import type { CommandName } from './usage/command-table.ts'

/** Loads each command on demand, so that the server over stdio does not load the others. */
export const commands: Record<Exclude<CommandName, 'completion' | 'help'>, () => Promise<Command>> = {
  stdio: async () => (await import('./commands/stdio-command.ts')).stdioCommand,
  serve: async () => (await import('./commands/serve-command.ts')).serveCommand,
  scrape: async () => (await import('./commands/scrape-command.ts')).scrapeCommand,
  call: async () => (await import('./commands/call-command.ts')).callCommand,
  search: async () => (await import('./commands/scrape-command.ts')).searchCommand,
  agent: async () => (await import('./commands/call-command.ts')).agentCommand,
  crawl: async () => (await import('./commands/crawl-command.ts')).crawlCommand,
  llmstxt: async () => (await import('./commands/job-commands.ts')).llmstxtCommand,
  monitor: async () => (await import('./commands/job-commands.ts')).monitorCommand,
  ask: async () => (await import('./commands/scrape-command.ts')).askCommand,
  tools: async () => (await import('./commands/call-command.ts')).toolsCommand,
  keys: async () => (await import('./commands/access-commands.ts')).keysCommand,
  teams: async () => (await import('./commands/access-commands.ts')).teamsCommand,
  db: async () => (await import('./commands/data-commands.ts')).dbCommand,
  index: async () => (await import('./commands/data-commands.ts')).indexCommand,
  secrets: async () => (await import('./commands/data-commands.ts')).secretsCommand,
  profile: async () => (await import('./commands/profile-command.ts')).profileCommand,
  try: async () => (await import('./commands/first-steps/try-command.ts')).tryCommand,
  setup: async () => (await import('./commands/first-steps/setup-command.ts')).setupCommand,
  browser: async () => (await import('./commands/browser-command.ts')).browserCommand,
  doctor: async () => (await import('./commands/doctor/doctor-command.ts')).doctorCommand,
}
