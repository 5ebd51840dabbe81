import { callingOf } from '../../kernel/tool.ts'
import type { Command } from '../command.ts'

/** `gossamer tools`: tools offered to agents, and the REST route of each. */
export const toolsCommand: Command = async ({ app, terminal, flags }) => {
  const rows = app.operations.map((operation) => {
    const { name, route, title, about } = operation
    return { name, route, title, about, tool: callingOf(app.tools, operation)?.tool ?? null }
  })
  if (flags.json || !terminal.isInteractive) {
    terminal.out(`${JSON.stringify(rows)}\n`)
    return 0
  }
  const style = terminal.style.out
  for (const { name, route, about, tool } of rows) {
    const note = tool === null ? ' (REST only)' : tool === name ? '' : ` (tool ${tool})`
    terminal.out(`${style('bold', name)}${note}\n  ${style('dim', route)}\n  ${about}\n\n`)
  }
  return 0
}
