import type { Document } from '../../schema/scrape/document.ts'
import type { Command, CommandContext } from '../command.ts'
import { type Explanation, gatherSteps, explanationText } from '../explain-scrape.ts'
import { harmless } from '../terminal-io.ts'
import { usageError, objectIn } from '../usage/syntax.ts'
import { call, type Watch } from './call-command.ts'

/** `gossamer scrape URL [JSON]` */
export const scrapeCommand: Command = async (context) => {
  const [url, more] = context.words
  if (url === undefined) throw usageError('scrape')
  const formats = context.flags.formats?.split(',').map((format) => format.trim())
  const input = { url, ...(formats && { formats }), ...objectIn(more ?? '{}', { onlyMainContent: false }) }
  return call(context, 'scrape', input, context.flags.explain ? explaining(context, url) : {})
}

/** Explains on stderr how the page was fetched, after the response is printed. */
function explaining(context: CommandContext, url: string): Watch {
  const gathered = gatherSteps(url, () => performance.now())
  return {
    tellStep: gathered.tellStep,
    ended: (outcome) => {
      const ended = 'error' in outcome ? outcome : { document: (outcome.output as { data: Document }).data }
      say(context, gathered.explained(ended))
    },
  }
}

function say({ terminal, flags }: CommandContext, explanation: Explanation): void {
  const isForPerson = terminal.isInteractive && !flags.json
  terminal.err(isForPerson ? harmless(explanationText(explanation)) : `${JSON.stringify({ explanation })}\n`)
}
