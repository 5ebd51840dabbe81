import type { Command } from './command.ts'
import type { CommandName } from './usage/commands.ts'

/** What runs each command, loaded when asked for: the server over stdio must not pay for the others. */
export const commands: Record<Exclude<CommandName, 'completion' | 'help'>, () => Promise<Command>> = {
  stdio: async () => (await import('./commands/stdio.ts')).stdioCommand,
  serve: async () => (await import('./commands/serve/serve.ts')).serveCommand,
  scrape: async () => (await import('./commands/scrape.ts')).scrapeCommand,
  call: async () => (await import('./commands/call.ts')).callCommand,
  search: async () => (await import('./commands/search.ts')).searchCommand,
  agent: async () => (await import('./commands/call.ts')).agentCommand,
  crawl: async () => (await import('./commands/crawl.ts')).crawlCommand,
  llmstxt: async () => (await import('./commands/llmstxt.ts')).llmstxtCommand,
  monitor: async () => (await import('./commands/monitor.ts')).monitorCommand,
  ask: async () => (await import('./commands/search.ts')).askCommand,
  tools: async () => (await import('./commands/tools.ts')).toolsCommand,
  keys: async () => (await import('./commands/keys.ts')).keysCommand,
  teams: async () => (await import('./commands/teams.ts')).teamsCommand,
  db: async () => (await import('./commands/db.ts')).dbCommand,
  index: async () => (await import('./commands/index-pages.ts')).indexCommand,
  profile: async () => (await import('./commands/profile/profile.ts')).profileCommand,
  try: async () => (await import('./commands/first-steps/try.ts')).tryCommand,
  setup: async () => (await import('./commands/first-steps/setup.ts')).setupCommand,
  browser: async () => (await import('./commands/browser.ts')).browserCommand,
  doctor: async () => (await import('./commands/doctor/doctor.ts')).doctorCommand,
}
