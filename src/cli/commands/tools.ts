import { isTool } from '../../kernel/operation.ts'
import type { Command } from '../command.ts'

/** `gossamer tools`: what an agent is offered. */
export const toolsCommand: Command = async ({ app, terminal, flags }) => {
  const rows = app.operations.map(({ name, route, title, about, mcp }) => ({
    name,
    route,
    title,
    about,
    tool: isTool({ mcp }),
  }))
  if (flags.json || !terminal.isInteractive) {
    terminal.out(`${JSON.stringify(rows)}\n`)
    return 0
  }
  const style = terminal.style.out
  for (const { name, route, about, tool } of rows)
    terminal.out(`${style('bold', name)}${tool ? '' : ' (REST only)'}\n  ${style('dim', route)}\n  ${about}\n\n`)
  return 0
}
