import { callingOf } from '../../kernel/tool.ts'
import { type Command, answer } from '../command.ts'

/** `gossamer tools`: tools offered to agents, and the REST route of each. */
export const toolsCommand: Command = async (context) => {
  const { app, terminal } = context
  const style = terminal.style.out
  const rows = app.operations.map((operation) => {
    const { name, route, title, about } = operation
    return { name, route, title, about, tool: callingOf(app.tools, operation)?.tool ?? null }
  })
  const lineOf = ({ name, route, about, tool }: (typeof rows)[number]) => {
    const note = tool === null ? ' (REST only)' : tool === name ? '' : ` (tool ${tool})`
    return `${style('bold', name)}${note}\n  ${style('dim', route)}\n  ${about}\n`
  }
  return answer(context, rows, rows.map(lineOf))
}
